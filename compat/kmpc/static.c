/* __kmpc_for_static_init_*: loops in which each thread, or each team, computes its own part. */
#include "static.h"

static uint64_t at_least_one(int64_t chunk) {
    return chunk > 0 ? (uint64_t)chunk : 1;
}

/* Even shares, rounded up to a multiple of the chunk: as many chunks of that size as there are threads, or less. */
static uint64_t rounded_share(uint64_t last, uint64_t chunk) {
    uint64_t share = last / (unsigned)bomp_num_threads() + 1, over = share % chunk;
    return over == 0 || share > UINT64_MAX - chunk ? share : share - over + chunk;
}

/* One chunk, whatever they are to be. */
static void take_all(struct kmpc_static *loop) {
    loop->stride = loop->range.upper - loop->range.lower + (loop->range.step > 0 ? 1 : UINT64_MAX);
    loop->has_last = true;
}

static void take_chunks(struct kmpc_type type, uint64_t chunk, uint64_t last, struct kmpc_static *loop) {
    struct bomp_turns turns;
    if (bomp_num_threads() == 1) {
        take_all(loop);
        return;
    }
    bomp_static_start(last, chunk, &turns);
    kmpc_take_chunks(type, loop, &turns);
}

void kmpc_take_thread_part(const char *entry, struct kmpc_type type, int32_t schedule, int64_t chunk,
                           uint64_t last, struct kmpc_static *loop) {
    struct bomp_turns turns;
    uint64_t length = at_least_one(chunk);
    switch (kmpc_kind(schedule)) {
    case KMPC_STATIC:
    case KMPC_STATIC_GREEDY:
    case KMPC_STATIC_BALANCED:
        bomp_static_start(last, 0, &turns);
        kmpc_take_share(type, loop, &turns);
        return;
    case KMPC_STATIC_CHUNKED:
        take_chunks(type, length, last, loop);
        return;
    case KMPC_STATIC_BALANCED_CHUNKED:
        bomp_static_start(last, rounded_share(last, length), &turns);
        kmpc_take_share(type, loop, &turns);
        return;
    case KMPC_DISTRIBUTE_STATIC:
        (void)kmpc_take_team_share(type, loop, last);
        return;
    case KMPC_DISTRIBUTE_STATIC_CHUNKED:
        bomp_static_turns(last, length, (unsigned)bomp_team_num(), (unsigned)bomp_num_teams(), &turns);
        kmpc_take_chunks(type, loop, &turns);
        return;
    default:
        bomp_unknown_bits(entry, "schedule", (uint32_t)schedule);
    }
}

static bool is_distributed(const struct kmpc_ident *where, int32_t schedule) {
    int32_t kind = kmpc_kind(schedule);
    return kind == KMPC_DISTRIBUTE_STATIC || kind == KMPC_DISTRIBUTE_STATIC_CHUNKED ||
           (where && where->flags & KMPC_IDENT_DISTRIBUTE);
}

void kmpc_static_notify(const struct kmpc_ident *where, struct kmpc_type type, int32_t schedule,
                        struct kmpc_range loop, struct kmpc_range *own) {
    enum bomp_static_kind kind = is_distributed(where, schedule)               ? BOMP_STATIC_DISTRIBUTE
                                 : where && where->flags & KMPC_IDENT_SECTIONS ? BOMP_STATIC_SECTIONS
                                                                               : BOMP_STATIC_LOOP;
    struct kmpc_range all = loop, part = *own;
    uint64_t last, last_own;
    uint64_t count = kmpc_trips(type, &all, &last) ? last + 1 : 0;
    uint64_t iterations = count > 0 && kmpc_trips(type, &part, &last_own) ? last_own + 1 : 0;
    bomp_tool_static(kind, count, part.lower, iterations);
}

/* Inlined where everything but the bounds is a constant: most loops are of this kind. */
static inline void take(const char *entry, struct kmpc_type type, int32_t schedule, int64_t chunk,
                        uint64_t last, struct kmpc_static *loop) {
    struct bomp_turns turns;
    if (__builtin_expect((schedule & ~KMPC_SCHEDULE_FLAGS) != KMPC_STATIC, 0)) {
        kmpc_take_thread_part(entry, type, schedule, chunk, last, loop);
        return;
    }
    bomp_static_start(last, 0, &turns);
    kmpc_take_share(type, loop, &turns);
}

/* A loop without iterations leaves the bounds as they are: they are in the wrong order. */
#define STATIC_INIT(width, bound, step_type, least, most)                                                    \
    BOMP_EXPORT void __kmpc_for_static_init_##width(                                                         \
        const struct kmpc_ident *where, int32_t id, int32_t schedule, int32_t *has_last, bound *lower,       \
        bound *upper, step_type *stride, step_type step, step_type chunk) {                                  \
        KMPC_STATIC_BEGIN(least, most);                                                                      \
        if (kmpc_trips(type, &loop.range, &last))                                                            \
            take(__func__, type, schedule, chunk, last, &loop);                                              \
        KMPC_STATIC_END(schedule, bound, step_type);                                                         \
    }
KMPC_WIDTHS(STATIC_INIT)

BOMP_EXPORT void __kmpc_for_static_fini(const struct kmpc_ident *where, int32_t id) {
    BOMP_NOTIFY_HERE(bomp_tool_loop_end());
}
