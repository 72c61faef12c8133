#include "omp/team/group.h"

#include "omp/team/team_data.h"

/* Threads of regions whose dyn-var is true; changed by the threads that open and end such regions. */
static BZ_ALIGN_LINE struct bz_a32 sharing;

/* Takes up to `size` threads of `limit`: always the caller's own, which the count may have already. */
static unsigned take(struct bz_a32 *count, bool has_caller, unsigned size, unsigned limit) {
    uint32_t busy = bz_load_relaxed(count),
             own = has_caller ? 0 : 1; /* relaxed, all: the number alone counts */
    unsigned more;
    do {
        more = busy + own < limit ? limit - busy - own : 0;
        more = more < size - 1 ? more : size - 1;
    } while (own + more != 0 && !bz_cas_relaxed(count, &busy, busy + own + more));
    return more + 1;
}

static void give(struct bz_a32 *count, unsigned threads) {
    if (threads != 0)
        bz_fetch_sub_relaxed(count, threads); /* relaxed: the number alone counts */
}

/* Whether `sharing` has the thread, for a region that it is in. */
static bool shares(struct bomp_member *member) {
    for (; member; member = bomp_member_around(member))
        if (member->team->counts.shared != 0)
            return true;
    return false;
}

unsigned bomp_group_take(struct bomp_member *outer, unsigned size) {
    const struct bomp_icv *icv = outer->current->icv;
    struct bz_a32 *group = &outer->team->initial->busy;
    if (icv->thread_limit == UINT_MAX || size == 1)
        return icv->dynamic ? take(&sharing, shares(outer), size, bz_budget()) : size;
    unsigned limited = take(group, true, size, icv->thread_limit);
    size = icv->dynamic ? take(&sharing, shares(outer), limited, bz_budget()) : limited;
    give(group, limited - size);
    return size;
}

void bomp_group_taken(struct bomp_team *team, const struct bomp_icv *icv, unsigned taken) {
    unsigned less = taken - team->size;
    if (icv->thread_limit != UINT_MAX) {
        give(&team->initial->busy, less);
        team->counts.granted = team->size - 1;
    }
    if (icv->dynamic) {
        give(&sharing, less);
        team->counts.shared = team->size - (shares(team->outer) ? 1 : 0);
    }
}

void bomp_group_give(struct bomp_team *team) {
    give(&team->initial->busy, team->counts.granted);
    team->counts.granted = 0;
    bomp_group_leave(team);
}

void bomp_group_leave(struct bomp_team *team) {
    give(&sharing, team->counts.shared);
    team->counts.shared = 0;
}

void bomp_group_forget(void) {
    bz_store_relaxed(&sharing, 0); /* relaxed, here and below: the only thread */
}

void bomp_group_alone(struct bomp_team *team, struct bomp_team **outermost) {
    team->counts.granted = 0;
    bz_store_relaxed(&team->initial->busy, 1);
    if (team->counts.shared == 0)
        return;
    if (*outermost)
        (*outermost)->counts.shared = 0;
    *outermost = team;
    team->counts.shared = 1;
    bz_store_relaxed(&sharing, 1);
}
