/* Teams regions. Each team is an initial thread (initial.h). In GCC's code they run one after the other, as under libgomp:
 * teams of a league do not wait for each other, and each may use all CPUs. In LLVM's they run at the same time, on the
 * members of a team that only the runtime knows. Each member runs the team of its own number, then teams that are left. The
 * regions of all share the CPUs. */

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/loop/merge.h"
#include "omp/team/affinity.h"
#include "omp/team/caller.h"
#include "omp/team/initial.h"
#include "omp/team/team.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

/* The thread-limit-var for a thread_limit clause. */
static uint32_t limit_of(unsigned clause) {
    return clause > INT_MAX ? UINT_MAX : clause;
}

/* ---- at the same time ---- */

struct at_once {
    void (*fn)(void *);
    void *data;
    const struct bomp_initial_spec *spec;
    unsigned threads;   /* of the regions of all its teams */
    struct bz_a32 more; /* teams taken besides those of the threads' own numbers; raised by each thread */
};

/* A thread's part of it. */
struct share {
    struct bomp_initial_spec spec;
    struct at_once *at_once;
    unsigned size; /* threads; also in the child of a fork, where the others are not */
    unsigned next; /* its next team */
};

static bool take_next(const struct bomp_initial_spec *spec) {
    struct share *share = bz_container_of((struct bomp_initial_spec *)(uintptr_t)spec, struct share, spec);
    uint32_t before = bz_fetch_add_relaxed(&share->at_once->more, 1); /* relaxed: the number alone counts */
    share->next = share->size + before;
    return share->next >= spec->num_teams;
}

static void run_teams(struct bomp_member *self, struct at_once *at_once) {
    struct share share = {*at_once->spec, at_once, self->team->size, self->num};
    struct bomp_initial_spec *spec = &share.spec;
    spec->league = self->team;
    spec->is_last = take_next;
    if (share.size > 1)
        spec->threads = at_once->threads > share.size ? at_once->threads / share.size : 1;
    self->assignment = self->team->outer->assignment;
    do {
        spec->team_num = share.next;
        bomp_run_initial(at_once->fn, at_once->data, spec);
        if (!spec->region) /* else it has been called */
            take_next(spec);
    } while (share.next < spec->num_teams);
}

void bomp_league_run(void *league) {
    struct at_once *at_once = league;
    struct bomp_member *self = bomp_self();
    bool observed = at_once->spec->region && self->num != 0;
    if (bz_unlikely(observed))
        bomp_hooks->region->league_thread(true);
    run_teams(self, at_once);
    if (bz_unlikely(observed))
        bomp_hooks->region->league_thread(false);
}

/* Threads for the teams, and for all their regions: as under libomp, more than CPUs if each team has a limit. With a fixed
 * order of merges one thread runs all teams. */
static unsigned threads_for(struct bomp_member *self, const struct bomp_initial_spec *spec, unsigned *all) {
    const struct bomp_icv *icv = self->current->icv;
    unsigned procs = bomp_procs_for_region();
    unsigned most = spec->threads;
    if (bomp_merge_is_ordered())
        return 1;
    most = most ? most : procs;
    *all = most < procs || spec->thread_limit ? most : procs;
    unsigned threads = spec->num_teams < most ? spec->num_teams : most;
    return bomp_icv_team_size(icv, threads, self->team->active_level);
}

/* False: there is one thread for them. */
BZ_COLD static bool run_at_once(void (*fn)(void *), void *data, const struct bomp_initial_spec *spec) {
    struct bomp_member *self = bomp_self();
    struct at_once at_once = {.fn = fn, .data = data, .spec = spec};
    unsigned threads = threads_for(self, spec, &at_once.threads);
    if (threads == 1)
        return false;
    bomp_affinity_first_question();
    bomp_team_run_league(self, threads, &at_once, spec->code);
    if (spec->bind != BOMP_BIND_FALSE && self->assignment.count > 0)
        bomp_affinity_return(self->assignment); /* the others stay where they are */
    return true;
}

/* ---- leagues ---- */

static inline void run(void (*fn)(void *), void *data, bool at_once, struct bomp_initial_spec *spec) {
    if (at_once && spec->num_teams > 1 && run_at_once(fn, data, spec))
        return;
    for (; spec->team_num < spec->num_teams; spec->team_num++)
        bomp_run_initial(fn, data, spec);
}

void bomp_teams(void (*fn)(void *), void *data, const struct bomp_league *league) {
    struct bomp_global *global = bomp_global();
    struct bomp_member *self = bomp_self();
    unsigned num_teams = league->teams, thread_limit = league->thread_limit;
    if (num_teams == 0)
        num_teams = bz_load_relaxed(&global->num_teams.now); /* relaxed, both: the number alone counts */
    if (thread_limit == 0)
        thread_limit = bz_load_relaxed(&global->teams_thread_limit.now);
    struct bomp_initial_spec spec = {
        .icv = self->current->icv,
        .allocator = self->allocator,
        .thread_limit = limit_of(thread_limit),
        .threads = league->at_once ? global->most_in_leagues : 0,
        .num_teams = num_teams ? num_teams : league->usual,
        .is_league = true,
        .has_region = league->region,
        .code = league->code,
        .bind = league->places ? (enum bomp_bind)global->teams_bind : BOMP_BIND_FALSE,
    };
    struct bomp_tool_region region;
    if (bz_unlikely(bomp_is_observed(self))) {
        bomp_hooks->region->league_begin(&region, self, spec.num_teams, fn);
        spec.region = &region;
    }
    run(fn, data, league->at_once, &spec);
    if (bz_unlikely(spec.region))
        bomp_hooks->region->league_end(&region, bomp_self());
}

void bomp_next_teams(unsigned teams, unsigned thread_limit) {
    struct bomp_member *self = bomp_self();
    self->next.teams = teams;
    self->next.teams_limit = thread_limit;
}

void bomp_next_teams_take(struct bomp_league *league) {
    struct bomp_member *self = bomp_self();
    league->teams = self->next.teams;
    league->thread_limit = self->next.teams_limit;
    self->next.teams = self->next.teams_limit = 0;
}

void bomp_set_thread_limit(unsigned thread_limit) {
    if (thread_limit)
        bomp_icv_own()->thread_limit = limit_of(thread_limit);
}

bool bomp_teams_next(unsigned num_teams, unsigned thread_limit, bool first) {
    struct bomp_member *self = bomp_self();
    struct bomp_initial *initial = self->team->initial;
    bool last = !first && initial->team_num + 1 >= initial->num_teams;
    if (first) {
        bomp_set_thread_limit(thread_limit);
        initial->team_num = 0;
        initial->num_teams = num_teams ? num_teams : 1;
    } else if (!last) {
        initial->team_num++;
    }
    if (bz_unlikely(bomp_is_observed(self)))
        bomp_hooks->region->target_team(self, first, last);
    return !last;
}

int bomp_team_num(void) {
    struct bomp_member *self = bomp_self_if_any();
    return self ? (int)self->team->initial->team_num : 0;
}

int bomp_num_teams(void) {
    struct bomp_member *self = bomp_self_if_any();
    return self ? (int)self->team->initial->num_teams : 1;
}
