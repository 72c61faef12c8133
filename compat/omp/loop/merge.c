/* Waiting is as in ordered.c: the sleeper counts itself (OR3), reads the eventcount and then what it waits for (MG1, MG7);
 * the waker writes that (MG2, MG8) and reads the count of sleepers (MG3). All are sequentially consistent. After a
 * cancellation no member waits for a turn, as others may have left without a merge.
 *
 * Pairing table
 *   MG1 is_turn                  MG2 pass               the merges of all members before
 *   MG5 gather                   MG6 gather             the part and its data
 *   MG7 is_taken                 MG8 take               the data are no longer needed
 *   OR3 count_sleeper (turn.c)   MG3 bomp_merge_notify  the sleeper is counted, unless it sees what it waits for */
#include "omp/loop/merge.h"

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/loop/turn.h"
#include "omp/loop/workshare.h"
#include "omp/sync/lock.h"
#include "omp/task/cancelled.h"
#include "omp/tool/hooks.h"

void bomp_merge_notify(struct bomp_merge_team *merge) {
    if (bz_load_seq_cst(&merge->sleepers) != 0) /* MG3: pairs with OR3 */
        bomp_turn_notify(&merge->eventcount);
}

/* ---- in order ---- */

static uint32_t turn_of(const struct bomp_member *self) {
    return self->ws->merges * self->team->size + self->num;
}

static bool is_turn(const struct bomp_member *self) {
    return bz_load_seq_cst(&self->team->merge->turn) == turn_of(self); /* MG1: pairs with MG2 */
}

static bool is_over(const struct bomp_turn *turn) {
    const struct bomp_member *self = turn->self;
    return is_turn(self) || (self->team->cancel.on && bomp_cancel_any_seen(self));
}

/* Inlined with a constant `over` (turn.h). */
BZ_INLINE void wait_until(struct bomp_member *self, bool (*over)(const struct bomp_turn *), uint64_t key) {
    struct bomp_turn turn = {.self = self,
                             .is_over = over,
                             .eventcount = &self->team->merge->eventcount,
                             .sleepers = &self->team->merge->sleepers,
                             .key = key,
                             .what = "its turn to merge a reduction"};
    bomp_turn_wait(&turn);
}

static void pass(struct bomp_member *self) {
    struct bomp_merge_team *merge = self->team->merge;
    bz_exchange_seq_cst(&merge->turn, turn_of(self) + 1); /* MG2: pairs with MG1 */
    bomp_merge_notify(merge);
}

bool bomp_merge_is_ordered(void) {
    return bomp_region_extras && bomp_global()->deterministic;
}

/* The caller, if it must wait for others. */
static struct bomp_member *in_order(void) {
    struct bomp_member *self = bomp_merge_is_ordered() ? bomp_self() : NULL;
    return self && self->team->size > 1 ? self : NULL;
}

void bomp_merge_start(void) {
    struct bomp_member *self = in_order();
    if (self && !is_turn(self))
        wait_until(self, is_over, 0);
}

/* After a cancellation it may not be its turn. */
void bomp_merge_end(void) {
    struct bomp_member *self = in_order();
    if (!self)
        return;
    if (is_turn(self))
        pass(self);
    self->ws->merges++;
}

/* ---- gathered ---- */

/* A member's part, with those that it has taken; on its stack. */
struct bomp_merge_part {
    void *data;          /* constant */
    uint64_t parts;      /* its own and those taken; read by the member that takes it */
    struct bz_a32 taken; /* 1: another member, which writes this, is done with the data */
};

static struct bomp_merge_part *part_of(const struct bomp_turn *turn) {
    return (struct bomp_merge_part *)(uintptr_t)turn->key;
}

static bool is_taken(const struct bomp_turn *turn) {
    return bz_load_seq_cst(&part_of(turn)->taken); /* MG7: pairs with MG8 */
}

static void take(struct bomp_merge_team *merge, struct bomp_merge_part *own, struct bomp_merge_part *other,
                 bomp_combine *combine) {
    bz_tsan_after(merge);
    combine(own->data, other->data);
    own->parts += other->parts;
    bz_tsan_before(&merge->waiting);
    bz_exchange_seq_cst(&other->taken, 1); /* MG8: pairs with MG7. Gone after this line */
    bomp_merge_notify(merge);
}

/* Until another member has taken it and combined. */
static void leave_to_others(struct bomp_member *self, struct bomp_merge_part *part) {
    wait_until(self, is_taken, (uintptr_t)part);
    bz_tsan_after(&self->team->merge->waiting);
}

/* Until this member has all parts, or has left its own to another. A barrier separates reductions. */
static enum bomp_merge_way gather(struct bomp_member *self, const struct bomp_merge *how) {
    struct bomp_merge_team *merge = self->team->merge;
    struct bomp_merge_part part = {.data = how->data, .parts = 1};
    while (part.parts < self->team->size) {
        struct bomp_merge_part *other = NULL;
        bz_tsan_before(merge);
        if (bz_cas_acq_rel(&merge->waiting, &other, &part)) { /* MG5: pairs with MG6 */
            leave_to_others(self, &part);
            return BOMP_MERGE_NOTHING;
        }
        if (bz_cas_acq_rel(&merge->waiting, &other, NULL)) /* MG6: pairs with MG5 */
            take(merge, &part, other, how->combine);
    }
    return BOMP_MERGE_ALONE;
}

/* ---- the way ---- */

/* Initial threads of a league that run at the same time merge under its lock; NULL: there are no others. */
static uint32_t *league_lock(struct bomp_team *team) {
    struct bomp_team *league = team->thread_team ? NULL : team->initial->league;
    return league ? &league->merge->lock : NULL;
}

static enum bomp_merge_way choose_alone(struct bomp_team *team) {
    uint32_t *lock = league_lock(team);
    if (bz_unlikely(lock && !bomp_owned_is_mine(lock))) /* mine: in a combiner with a reduction of its own */
        bomp_owned_lock(lock);
    return BOMP_MERGE_ALONE;
}

static void end_in_league(struct bomp_team *team) {
    uint32_t *lock = league_lock(team);
    if (bz_unlikely(lock && bomp_owned_is_mine(lock)))
        bomp_owned_unlock(lock);
}

enum bomp_merge_way bomp_merge_choose(const struct bomp_merge *how) {
    struct bomp_member *self = bomp_self();
    struct bomp_team *team = self->team;
    if (team->size == 1)
        return choose_alone(team);
    if (how->combine && !bomp_merge_is_ordered() && !bomp_global()->cancellation)
        return gather(self, how);
    bomp_merge_start();
    bomp_owned_lock(&team->merge->lock);
    return BOMP_MERGE_ALONE;
}

void bomp_merge_end_alone(void) {
    struct bomp_member *self = bomp_self();
    struct bomp_team *team = self->team;
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->work->merged(self, BOMP_SITE);
    if (!bomp_owned_is_mine(&team->merge->lock)) {
        end_in_league(team);
        return;
    }
    bomp_owned_unlock(&team->merge->lock);
    bomp_merge_end();
}

void bomp_merge_forget(struct bomp_team *team) {
    bz_store_relaxed(&team->merge->waiting, NULL); /* relaxed: one thread alone knows the team */
}

void bomp_merge_close(struct bomp_team *team) {
    bz_store_relaxed(&team->merge->turn, 0); /* relaxed: the members are through */
}
