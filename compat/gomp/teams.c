/* GOMP_teams*: teams regions of the host, also inside target regions. */
#include "omp/bomp.h"

/* Without a num_teams clause, as in libgomp. */
#define DEFAULT_TEAMS 3

/* num_teams: a range's upper end. There are no flags yet. */
BOMP_EXPORT void GOMP_teams_reg(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit,
                                unsigned flags) {
    BOMP_ENTERED();
    if (flags != 0)
        bomp_unknown_bits("GOMP_teams_reg", "flags", flags);
    struct bomp_league league = {.teams = num_teams, .usual = DEFAULT_TEAMS, .thread_limit = thread_limit};
    bomp_teams(fn, data, &league);
}

/* Generated code runs the body of a team each time that this is true. As few teams as are allowed: they take turns. */
BOMP_EXPORT bool GOMP_teams4(unsigned num_teams_low, unsigned num_teams_high, unsigned thread_limit,
                             bool first) {
    BOMP_ENTERED();
    return bomp_teams_next(num_teams_low, thread_limit, first);
}

/* Of compilers before gcc 12, whose code runs the body once, whatever the number. */
BOMP_EXPORT void GOMP_teams(unsigned num_teams, unsigned thread_limit) {
    bomp_teams_next(1, thread_limit, true);
}
