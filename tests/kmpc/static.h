/* static.h: static loops of all kinds and widths, for those programs that make their calls. */
#ifndef STATIC_H
#define STATIC_H

#include "calls.h"

enum { ITERATIONS = 3000 };

struct part {
    int64_t low, up, stride;
    int32_t last;
};

struct loop {
    int kind;
    int64_t low, up, step, chunk;
};

/* Calls the function of a width with a thread's variables as they were before. */
#define DEFINE_INIT(T, ST, n)                                                                                \
    static struct part init_##n(struct loop loop) {                                                          \
        int32_t last = 0;                                                                                    \
        T low = (T)loop.low, up = (T)loop.up;                                                                \
        ST stride = (ST)1;                                                                                   \
        __kmpc_for_static_init_##n(&here, ME, loop.kind, &last, &low, &up, &stride, (ST)loop.step,           \
                                   (ST)loop.chunk);                                                          \
        struct part part = {(int64_t)low, (int64_t)up, (int64_t)stride, last};                               \
        __kmpc_for_static_fini(&here, ME);                                                                   \
        return part;                                                                                         \
    }                                                                                                        \
    static int is_past_##n(int64_t value, int64_t end, int64_t step) {                                       \
        return step > 0 ? (T)value > (T)end : (T)value < (T)end;                                             \
    }
LOOP_WIDTHS(DEFINE_INIT)

struct width {
    const char *name;
    struct part (*init)(struct loop);
    int (*is_past)(int64_t, int64_t, int64_t);
};
#define WIDTH(T, ST, n) {#n, init_##n, is_past_##n},
static const struct width widths[] = {LOOP_WIDTHS(WIDTH)};

static int64_t trips(const struct loop *loop) {
    uint64_t distance =
        loop->step > 0 ? (uint64_t)loop->up - (uint64_t)loop->low : (uint64_t)loop->low - (uint64_t)loop->up;
    return (int64_t)(distance / (uint64_t)(loop->step > 0 ? loop->step : -loop->step)) + 1;
}

/* The number of iterations from low to end; 0: low is beyond end. */
static int64_t trips_between(const struct width *width, int64_t low, int64_t end, int64_t step) {
    if (width->is_past(low, end, step))
        return 0;
    uint64_t distance = step > 0 ? (uint64_t)end - (uint64_t)low : (uint64_t)low - (uint64_t)end;
    return (int64_t)(distance / (uint64_t)(step > 0 ? step : -step)) + 1;
}

static int64_t index_of(const struct loop *loop, int64_t value) {
    return loop->step > 0 ? (int64_t)(((uint64_t)value - (uint64_t)loop->low) / (uint64_t)loop->step)
                          : (int64_t)(((uint64_t)loop->low - (uint64_t)value) / (uint64_t)-loop->step);
}

#endif
