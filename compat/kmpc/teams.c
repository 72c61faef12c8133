/* __kmpc_fork_teams, and clauses that come before it. */
#include "call.h"

/* Without a num_teams clause, as in libomp. */
#define DEFAULT_TEAMS 1

static unsigned positive(int32_t number) {
    return number > 0 ? (unsigned)number : 0;
}

BOMP_EXPORT void __kmpc_fork_teams(kmpc_loc at, int32_t count, kmpc_region_fn *fn, uint64_t a, uint64_t b,
                                   uint64_t c, ...) {
    struct kmpc_call call;
    BOMP_ENTERED_FOR(fn);
    KMPC_CALL_FILL(call, "__kmpc_fork_teams");
    struct bomp_league league = {.usual = DEFAULT_TEAMS,
                                 .code = kmpc_call_code(&call),
                                 .places = true,
                                 .region = true,
                                 .at_once = true};
    bomp_next_teams_take(&league);
    bomp_teams(kmpc_call_run, &call, &league);
}

BOMP_EXPORT void __kmpc_push_num_teams(kmpc_loc at, int32_t id, int32_t teams, int32_t thread_limit) {
    bomp_next_teams(positive(teams), positive(thread_limit));
}

/* Takes as few teams as are allowed: there may be too few threads for more. low 0: there is only an upper bound. */
BOMP_EXPORT void __kmpc_push_num_teams_51(kmpc_loc at, int32_t id, int32_t low, int32_t high,
                                          int32_t thread_limit) {
    __kmpc_push_num_teams(at, id, low > 0 ? low : high, thread_limit);
}

BOMP_EXPORT void __kmpc_set_thread_limit(kmpc_loc at, int32_t id, int32_t thread_limit) {
    bomp_set_thread_limit(positive(thread_limit));
}
