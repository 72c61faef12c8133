/* Teams regions. On the host each team is an initial thread (initial.h), one after the other: the teams of a league must
 * not wait for each other, and every one may use all processors. */

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/state/team.h"
#include "omp/team/caller.h"
#include "omp/team/initial.h"
#include "omp/tool/region.h"

/* The thread-limit-var for a thread_limit clause. */
static uint32_t limit_of(unsigned clause) {
    return clause > INT_MAX ? UINT_MAX : clause;
}

void bomp_teams(void (*fn)(void *), void *data, const struct bomp_league *league) {
    struct bomp_global *global = bomp_global();
    struct bomp_member *self = bomp_self();
    unsigned num_teams = league->teams, thread_limit = league->thread_limit;
    if (num_teams == 0)
        num_teams = bz_load_relaxed(&global->num_teams); /* relaxed, both: the number alone counts */
    if (thread_limit == 0)
        thread_limit = bz_load_relaxed(&global->teams_thread_limit);
    struct bomp_initial_spec spec = {
        .icv = self->current->icv,
        .allocator = self->allocator,
        .thread_limit = limit_of(thread_limit),
        .num_teams = num_teams ? num_teams : league->usual,
        .is_league = true,
        .has_region = league->region,
        .code = league->code,
        .bind = league->places ? (enum bomp_bind)global->teams_bind : BOMP_BIND_FALSE,
    };
    for (; spec.team_num < spec.num_teams; spec.team_num++)
        bomp_run_initial(fn, data, &spec);
}

void bomp_next_teams(unsigned teams, unsigned thread_limit) {
    struct bomp_member *self = bomp_self();
    self->next_teams = teams;
    self->next_teams_limit = thread_limit;
}

void bomp_next_teams_take(struct bomp_league *league) {
    struct bomp_member *self = bomp_self();
    league->teams = self->next_teams;
    league->thread_limit = self->next_teams_limit;
    self->next_teams = self->next_teams_limit = 0;
}

void bomp_set_thread_limit(unsigned thread_limit) {
    if (thread_limit)
        bomp_icv_own()->thread_limit = limit_of(thread_limit);
}

/* Where a tool is told: a team is over, and another one begins, or none. */
BZ_COLD static void tell_next(struct bomp_member *self, bool first, bool last) {
    const struct bomp_initial *initial = self->team->initial;
    if (first)
        bomp_tell_target_league_begin(self, initial->num_teams);
    else if (!self->told.inner) /* the tool came later */
        return;
    else
        bomp_tell_target_team_end(self, initial->team_num - !last);
    if (last)
        bomp_tell_target_league_end(self);
    else
        bomp_tell_target_team_begin(self, initial->num_teams, initial->team_num);
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
    if (bz_unlikely(bomp_tool_is_told(self)))
        tell_next(self, first, last);
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
