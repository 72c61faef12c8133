/* Loops that are divided among the teams of a league first, and then, for some, among the threads of each:
 * __kmpc_dist_for_static_init_*, __kmpc_team_static_init_*. Those whose threads take chunks are in dispatch.c. */
#include "static.h"

/* The team's share, whose end goes to *upper_of_team, and the thread's part of it. */
static void take_both(const char *entry, struct kmpc_type type, int32_t schedule, int64_t chunk,
                      uint64_t last, struct kmpc_static *loop, uint64_t *upper_of_team) {
    bool any = kmpc_take_team_share(type, loop, last), has_last = loop->has_last;
    *upper_of_team = loop->range.upper;
    if (!any || !kmpc_trips(type, &loop->range, &last))
        return;
    kmpc_take_thread_part(entry, type, schedule, chunk, last, loop);
    loop->has_last = loop->has_last && has_last;
}

#define DIST_FOR_STATIC_INIT(width, bound, step_type, least, most)                                           \
    BOMP_EXPORT void __kmpc_dist_for_static_init_##width(                                                    \
        const struct kmpc_ident *where, int32_t id, int32_t schedule, int32_t *has_last, bound *lower,       \
        bound *upper, bound *upper_of_team, step_type *stride, step_type step, step_type chunk) {            \
        KMPC_STATIC_BEGIN(least, most);                                                                      \
        uint64_t team = loop.range.upper;                                                                    \
        if (kmpc_trips(type, &loop.range, &last))                                                            \
            take_both(__func__, type, schedule, chunk, last, &loop, &team);                                  \
        *upper_of_team = (bound)team;                                                                        \
        KMPC_STATIC_END(schedule, bound, step_type);                                                         \
    }
KMPC_WIDTHS(DIST_FOR_STATIC_INIT)

#define TEAM_STATIC_INIT(width, bound, step_type, least, most)                                               \
    BOMP_EXPORT void __kmpc_team_static_init_##width(const struct kmpc_ident *where, int32_t id,             \
                                                     int32_t *has_last, bound *lower, bound *upper,          \
                                                     step_type *stride, step_type step, step_type chunk) {   \
        KMPC_STATIC_BEGIN(least, most);                                                                      \
        if (kmpc_trips(type, &loop.range, &last))                                                            \
            kmpc_take_thread_part(__func__, type, KMPC_DISTRIBUTE_STATIC_CHUNKED, chunk, last, &loop);       \
        KMPC_STATIC_END(KMPC_DISTRIBUTE_STATIC, bound, step_type);                                           \
    }
KMPC_WIDTHS(TEAM_STATIC_INIT)
