/* Static loops: the part of a thread, or of a team of a league. */
#ifndef KMPC_STATIC_H
#define KMPC_STATIC_H

#include "loops.h"

/* The caller's part. */
struct kmpc_static {
    struct kmpc_range range; /* its first chunk; at first, all of the loop */
    /* Of values, from each of its chunks to the next one; without chunks, the loop's iterations. */
    uint64_t stride;
    bool has_last; /* the loop's last iteration is its own */
};

/* The stride of a thread with one chunk only: the program adds it and compares. A sum that does not fit the type would lead
 * back into the loop. */
static inline uint64_t kmpc_last_stride(struct kmpc_type type, const struct kmpc_range *range,
                                        uint64_t stride) {
    bool up = range->step > 0;
    uint64_t each = up ? (uint64_t)range->step : -(uint64_t)range->step, distance;
    uint64_t room = up ? type.most - range->lower : range->lower - type.least;
    if (__builtin_mul_overflow(stride, each, &distance) || distance > room)
        distance = room;
    return up ? distance : -distance;
}

static inline void kmpc_take_share(struct kmpc_type type, struct kmpc_static *loop,
                                   const struct bomp_turns *turns) {
    loop->stride = turns->stride;
    loop->has_last = turns->ends;
    if (turns->any)
        kmpc_cut(&loop->range, turns->first, turns->last);
    else
        kmpc_empty(type, &loop->range);
}

static inline void kmpc_take_chunks(struct kmpc_type type, struct kmpc_static *loop,
                                    const struct bomp_turns *turns) {
    kmpc_take_share(type, loop, turns);
    loop->stride = turns->more ? turns->stride * (uint64_t)loop->range.step
                               : kmpc_last_stride(type, &loop->range, turns->stride);
}

/* The share of the calling thread's team in its league. False: it has none, and the loop is empty now. */
static inline bool kmpc_take_team_share(struct kmpc_type type, struct kmpc_static *loop, uint64_t last) {
    struct bomp_turns turns;
    bomp_static_turns(last, 0, (unsigned)bomp_team_num(), (unsigned)bomp_num_teams(), &turns);
    kmpc_take_share(type, loop, &turns);
    return turns.any;
}

/* The calling thread's part of a loop that goes to number `last`, by a schedule of the kinds that are static. */
void kmpc_take_thread_part(const char *entry, struct kmpc_type type, int32_t schedule, int64_t chunk,
                           uint64_t last, struct kmpc_static *loop);

/* Notifies tools that a loop begins, with the caller's part. */
void kmpc_static_notify(const struct kmpc_ident *where, struct kmpc_type type, int32_t schedule,
                        struct kmpc_range loop, struct kmpc_range *own);

/* In an entry point whose parameters have these names: `loop` is the program's loop, and `type` its type. */
#define KMPC_STATIC_BEGIN(least, most)                                                                       \
    const struct kmpc_type type = KMPC_TYPE(least, most);                                                    \
    struct kmpc_static loop = {{(uint64_t)*lower, (uint64_t)*upper, step}, (uint64_t)step, false};           \
    uint64_t last

/* `loop` is the caller's part now. */
#define KMPC_STATIC_END(schedule, bound, step_type)                                                          \
    do {                                                                                                     \
        BOMP_NOTIFY_HERE(kmpc_static_notify(where, type, schedule,                                           \
                                            (struct kmpc_range){*lower, *upper, step}, &loop.range));        \
        *lower = (bound)loop.range.lower;                                                                    \
        *upper = (bound)loop.range.upper;                                                                    \
        *stride = (step_type)loop.stride;                                                                    \
        if (has_last)                                                                                        \
            *has_last = loop.has_last;                                                                       \
    } while (0)

#endif
