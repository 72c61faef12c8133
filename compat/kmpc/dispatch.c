/* __kmpc_dispatch_*: loops whose threads take one chunk after the other. A `next` that returns 0 has ended the loop; code of
 * old compilers makes no call where it leaves a loop before that. */
#include "static.h"

/* The schedule in the terms of bomp.h. */
static uint32_t schedule_of(const char *entry, int32_t schedule) {
    int32_t kind = kmpc_kind(schedule);
    bool is_ordered = kind >= KMPC_ORDERED_STATIC_CHUNKED && kind <= KMPC_ORDERED_TRAPEZOIDAL;
    uint32_t ordered = is_ordered ? BOMP_LOOP_ORDERED : 0;
    switch (is_ordered ? kind - KMPC_ORDERED_STATIC_CHUNKED + KMPC_STATIC_CHUNKED : kind) {
    case KMPC_STATIC_CHUNKED:
    case KMPC_STATIC:
    case KMPC_STATIC_GREEDY:
    case KMPC_STATIC_BALANCED:
    case KMPC_STATIC_BALANCED_CHUNKED:
        return BOMP_LOOP_STATIC | ordered;
    case KMPC_DYNAMIC:
    case KMPC_STATIC_STEAL:
        return BOMP_LOOP_DYNAMIC | ordered;
    case KMPC_GUIDED:
    case KMPC_TRAPEZOIDAL:
    case KMPC_GUIDED_ITERATIVE:
    case KMPC_GUIDED_ANALYTICAL:
    case KMPC_GUIDED_SIMD:
        return BOMP_LOOP_GUIDED | ordered;
    case KMPC_RUNTIME:
    case KMPC_RUNTIME_SIMD:
        return BOMP_LOOP_RUNTIME | BOMP_LOOP_STATIC_UNSAID | BOMP_LOOP_BALANCED | ordered;
    case KMPC_AUTO:
        return BOMP_LOOP_AUTO | BOMP_LOOP_BALANCED | ordered;
    default:
        kmpc_unknown_schedule(entry, schedule);
    }
}

/* Without a modifier, threads get their iterations in order, as before OpenMP 5. */
static uint32_t order_of(int32_t schedule) {
    bool any = (schedule & KMPC_SCHEDULE_FLAGS) == KMPC_SCHEDULE_NONMONOTONIC ||
               kmpc_kind(schedule) == KMPC_STATIC_STEAL;
    return any ? 0 : BOMP_LOOP_MONOTONIC;
}

/* 0: shares, where the loop is static. */
static uint64_t chunk_of(int32_t schedule, int64_t chunk) {
    switch (kmpc_kind(schedule)) {
    case KMPC_STATIC:
    case KMPC_STATIC_GREEDY:
    case KMPC_STATIC_BALANCED:
    case KMPC_STATIC_BALANCED_CHUNKED:
    case KMPC_ORDERED_STATIC:
        return 0;
    case KMPC_GUIDED_SIMD:
        return 1;
    default:
        return chunk > 0 ? (uint64_t)chunk : 1;
    }
}

/* Loops of vectors: as many iterations as one has stay together, and a chunk that the program sets counts vectors. */
static uint64_t block_of(int32_t schedule, int64_t chunk) {
    int32_t kind = kmpc_kind(schedule);
    bool vectors =
        kind == KMPC_STATIC_BALANCED_CHUNKED || kind == KMPC_GUIDED_SIMD || kind == KMPC_RUNTIME_SIMD;
    return vectors && chunk > 1 ? (uint64_t)chunk : 1;
}

/* The end that the last chunk comes with is a step behind its last value, whether that fits or not. */
static void begin(const char *entry, struct kmpc_type type, int32_t schedule, struct kmpc_range range,
                  int64_t chunk) {
    uint64_t last, block = block_of(schedule, chunk);
    struct bomp_loop loop = {.base = range.lower,
                             .step = (uint64_t)range.step * block,
                             .end = range.lower,
                             .chunk = chunk_of(schedule, chunk),
                             .schedule = schedule_of(entry, schedule) | order_of(schedule) |
                                         (block > 1 ? BOMP_LOOP_MULTIPLES : 0)};
    if (kmpc_trips(type, &range, &last)) {
        if (last == UINT64_MAX)
            bomp_too_many_iterations(entry);
        loop.count = block == 1 ? last + 1 : last / block + 1;
        loop.end = kmpc_value(&range, last + 1);
    }
    bomp_loop_begin(&loop, (uint64_t)range.step);
}

/* The team's share of the loop. */
static void begin_in_team(const char *entry, struct kmpc_type type, int32_t schedule, int32_t *has_last,
                          struct kmpc_range range, int64_t chunk) {
    struct kmpc_static loop = {range, 0, false};
    uint64_t last;
    if (kmpc_trips(type, &range, &last))
        (void)kmpc_take_team_share(type, &loop, last);
    if (has_last)
        *has_last = loop.has_last;
    begin(entry, type, schedule, loop.range, chunk);
}

#define DISPATCH_INIT(width, bound, step_type, least, most)                                                  \
    BOMP_EXPORT void __kmpc_dispatch_init_##width(const struct kmpc_ident *where, int32_t id,                \
                                                  int32_t schedule, bound lower, bound upper,                \
                                                  step_type step, step_type chunk) {                         \
        (void)where, (void)id;                                                                               \
        BOMP_ENTERED();                                                                                      \
        begin(__func__, KMPC_TYPE(least, most), schedule,                                                    \
              (struct kmpc_range){(uint64_t)lower, (uint64_t)upper, step}, chunk);                           \
    }
KMPC_WIDTHS(DISPATCH_INIT)

#define DIST_DISPATCH_INIT(width, bound, step_type, least, most)                                             \
    BOMP_EXPORT void __kmpc_dist_dispatch_init_##width(const struct kmpc_ident *where, int32_t id,           \
                                                       int32_t schedule, int32_t *has_last, bound lower,     \
                                                       bound upper, step_type step, step_type chunk) {       \
        (void)where, (void)id;                                                                               \
        BOMP_ENTERED();                                                                                      \
        begin_in_team(__func__, KMPC_TYPE(least, most), schedule, has_last,                                  \
                      (struct kmpc_range){(uint64_t)lower, (uint64_t)upper, step}, chunk);                   \
    }
KMPC_WIDTHS(DIST_DISPATCH_INIT)

/* When there are no more, all is left as the last chunk's: the program reads *has_last behind the loop. */
#define DISPATCH_NEXT(width, bound, step_type, least, most)                                                  \
    BOMP_EXPORT int32_t __kmpc_dispatch_next_##width(const struct kmpc_ident *where, int32_t id,             \
                                                     int32_t *has_last, bound *lower, bound *upper,          \
                                                     step_type *stride) {                                    \
        struct bomp_chunk chunk;                                                                             \
        (void)where, (void)id;                                                                               \
        if (!bomp_loop_chunk(&chunk)) {                                                                      \
            BOMP_NOTIFY_HERE(bomp_tool_loop_end());                                                          \
            return 0;                                                                                        \
        }                                                                                                    \
        *lower = (bound)chunk.first;                                                                         \
        *upper = (bound)chunk.last;                                                                          \
        if (stride)                                                                                          \
            *stride = (step_type)chunk.step;                                                                 \
        if (has_last)                                                                                        \
            *has_last = chunk.ends;                                                                          \
        return 1;                                                                                            \
    }
KMPC_WIDTHS(DISPATCH_NEXT)
