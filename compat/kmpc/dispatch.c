/* __kmpc_dispatch_*: loops whose threads take one chunk after the other. A `next` that returns 0 has ended the loop; code of
 * old compilers makes no call where it leaves a loop before that. */
#include "static.h"

/* A schedule in the terms of bomp.h. */
struct kind {
    uint32_t schedule;
    bool shares;  /* static, without chunks */
    bool vectors; /* as many iterations as a vector has stay together, and a chunk counts vectors */
};

static const struct kind kinds[] = {
    [KMPC_STATIC_CHUNKED] = {.schedule = BOMP_LOOP_STATIC},
    [KMPC_STATIC] = {.schedule = BOMP_LOOP_STATIC, .shares = true},
    [KMPC_DYNAMIC] = {.schedule = BOMP_LOOP_DYNAMIC},
    [KMPC_GUIDED] = {.schedule = BOMP_LOOP_GUIDED},
    [KMPC_RUNTIME] = {.schedule = BOMP_LOOP_RUNTIME | BOMP_LOOP_STATIC_UNSAID | BOMP_LOOP_BALANCED},
    [KMPC_AUTO] = {.schedule = BOMP_LOOP_AUTO | BOMP_LOOP_BALANCED},
    [KMPC_TRAPEZOIDAL] = {.schedule = BOMP_LOOP_GUIDED},
    [KMPC_STATIC_GREEDY] = {.schedule = BOMP_LOOP_STATIC, .shares = true},
    [KMPC_STATIC_BALANCED] = {.schedule = BOMP_LOOP_STATIC, .shares = true},
    [KMPC_GUIDED_ITERATIVE] = {.schedule = BOMP_LOOP_GUIDED},
    [KMPC_GUIDED_ANALYTICAL] = {.schedule = BOMP_LOOP_GUIDED},
    [KMPC_STATIC_STEAL] = {.schedule = BOMP_LOOP_DYNAMIC},
    [KMPC_STATIC_BALANCED_CHUNKED] = {.schedule = BOMP_LOOP_STATIC, .shares = true, .vectors = true},
    [KMPC_GUIDED_SIMD] = {.schedule = BOMP_LOOP_GUIDED, .vectors = true},
    [KMPC_RUNTIME_SIMD] = {.schedule = BOMP_LOOP_RUNTIME | BOMP_LOOP_STATIC_UNSAID | BOMP_LOOP_BALANCED,
                           .vectors = true},
};

/* Without a modifier, threads get their iterations in order, as before OpenMP 5. */
static struct kind kind_of(const char *entry, int32_t schedule) {
    int32_t number = kmpc_kind(schedule);
    bool ordered = number >= KMPC_ORDERED_STATIC_CHUNKED && number <= KMPC_ORDERED_TRAPEZOIDAL;
    bool any_order =
        (schedule & KMPC_SCHEDULE_FLAGS) == KMPC_SCHEDULE_NONMONOTONIC || number == KMPC_STATIC_STEAL;
    if (ordered)
        number -= KMPC_ORDERED_STATIC_CHUNKED - KMPC_STATIC_CHUNKED;
    if (number < KMPC_STATIC_CHUNKED || number > KMPC_RUNTIME_SIMD)
        bomp_unknown_bits(entry, "schedule", (uint32_t)schedule);
    struct kind kind = kinds[number];
    kind.schedule |= (ordered ? BOMP_LOOP_ORDERED : 0) | (any_order ? 0 : BOMP_LOOP_MONOTONIC);
    return kind;
}

/* The end that the last chunk comes with is a step behind its last value, whether that fits or not. */
static void begin(const char *entry, struct kmpc_type type, int32_t schedule, struct kmpc_range range,
                  int64_t chunk) {
    const struct kind kind = kind_of(entry, schedule);
    uint64_t last, given = chunk > 0 ? (uint64_t)chunk : 1, block = kind.vectors ? given : 1;
    struct bomp_loop loop = {.base = range.lower,
                             .step = (uint64_t)range.step * block,
                             .end = range.lower,
                             .chunk = kind.shares    ? 0
                                      : kind.vectors ? 1
                                                     : given,
                             .schedule = kind.schedule | (block > 1 ? BOMP_LOOP_MULTIPLES : 0)};
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
        BOMP_ENTERED();                                                                                      \
        begin(__func__, KMPC_TYPE(least, most), schedule,                                                    \
              (struct kmpc_range){(uint64_t)lower, (uint64_t)upper, step}, chunk);                           \
    }
KMPC_WIDTHS(DISPATCH_INIT)

#define DIST_DISPATCH_INIT(width, bound, step_type, least, most)                                             \
    BOMP_EXPORT void __kmpc_dist_dispatch_init_##width(const struct kmpc_ident *where, int32_t id,           \
                                                       int32_t schedule, int32_t *has_last, bound lower,     \
                                                       bound upper, step_type step, step_type chunk) {       \
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
