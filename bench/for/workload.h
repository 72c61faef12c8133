/* workload.h of `for` and `reduce`: a range of elements that cost the same or not. Each measurement is the time per
 * element, and the elements of a measurement cost on average what its name says, on a 3 GHz machine:
 *   even   all the same
 *   ramp   from nothing at the start of the range to twice the average at its end
 *   block  the 16th part after the middle 16 times as much as any other
 * A loop writes what its elements compute, plus a number that changes with every run; a reduction adds it up.
 * Arguments: MS. */
#ifndef BENCH_RANGE_H
#define BENCH_RANGE_H

#include "harness.h"

enum range_shape { RANGE_EVEN, RANGE_RAMP, RANGE_BLOCK };

/* Some 0.7 to 3 ms for a range, and a power of two of elements, so that shapes are cheap. */
struct range {
    uint64_t *out; /* of a loop: one for each element */
    uint64_t run;  /* of a loop */
    size_t size;
    int bits; /* size == 1 << bits */
    long steps;
    enum range_shape shape;
};

static inline long range_steps(const struct range *range, size_t i) {
    switch (range->shape) {
    case RANGE_RAMP:
        return (long)((uint64_t)range->steps * 2 * i >> range->bits);
    case RANGE_BLOCK: /* 31/16 of the others' cost on average, hence the 16/31 */
        return (i >> (range->bits - 4) == 8 ? 256 : 16) * range->steps / 31;
    default:
        return range->steps;
    }
}

/* Not inlined, and aligned to a cache line: otherwise its time differs by up to 4 % between the functions that contain
 * it. */
__attribute__((noinline, aligned(64))) static uint64_t range_element(const struct range *range, size_t i) {
    return harness_finish(harness_work(i, range_steps(range, i)));
}

/* The same for loops: with the store in each loop's own code the times differed by 7 %, with arguments of the
 * compiler's choice (without `used`) by 4 %. */
__attribute__((noinline, used, aligned(64))) static void range_write(const struct range *range, size_t i) {
    range->out[i] = harness_finish(harness_work(i, range_steps(range, i))) + range->run;
}

static inline uint64_t range_sum(const struct range *range, size_t lo, size_t hi) {
    uint64_t sum = 0;
    for (size_t i = lo; i < hi; i++)
        sum += range_element(range, i);
    return sum;
}

static inline void range_fill(const struct range *range, size_t lo, size_t hi) {
    for (size_t i = lo; i < hi; i++)
        range_write(range, i);
}

static inline void range_next_run(void *arg) {
    ((struct range *)arg)->run++;
}

/* The sum of a loop's output, less the number of the run. */
static inline uint64_t range_written(void *arg) {
    const struct range *range = (const struct range *)arg;
    uint64_t sum = 0;
    for (size_t i = 0; i < range->size; i++)
        sum += range->out[i] - range->run;
    return sum;
}

/* A way to run it, such as a schedule, and its name; "" if it is the only one. */
struct range_way {
    const char *name;
    uint64_t (*work)(void *range);
};

/* Measures all shapes and grains in all ways. The check of a loop's output is outside of the time. */
static inline int range_main(int argc, char **argv, const char *workload, int is_loop,
                             const struct range_way *ways, int count) {
    static const struct {
        const char *name;
        int bits;
        long steps;
    } grains[] = {{"0.01us", 16, 7}, {"0.1us", 14, 75}, {"1us", 11, 750}, {"10us", 8, 7500}};
    static const char *const shapes[] = {"even", "ramp", "block"};
    harness_begin(argc, argv);
    harness_budget /= 4; /* a row of grains takes as long as one measurement of others */
    struct range range;
    range.out = (uint64_t *)harness_memory(sizeof(uint64_t) << grains[0].bits);
    range.run = 0;
    for (int shape = 0; shape < 3; shape++)
        for (int grain = 0; grain < 4; grain++) {
            range.bits = grains[grain].bits;
            range.size = (size_t)1 << range.bits;
            range.steps = grains[grain].steps;
            range.shape = (enum range_shape)shape;
            uint64_t expected = range_sum(&range, 0, range.size);
            for (int i = 0; i < count; i++) {
                const struct harness_kernel kernel = {is_loop ? range_next_run : NULL, ways[i].work,
                                                      is_loop ? range_written : NULL};
                char name[48];
                snprintf(name, sizeof name, "%s.%s.%s%s%s", workload, shapes[shape], grains[grain].name,
                         ways[i].name[0] ? ".by_" : "", ways[i].name);
                harness_measure_kernel(name, &kernel, &range, expected, (double)range.size);
            }
        }
    free(range.out);
    return harness_end();
}

static inline int range_main_for(int argc, char **argv, uint64_t (*work)(void *range)) {
    const struct range_way way = {"", work};
    return range_main(argc, argv, "for", 1, &way, 1);
}

static inline int range_main_reduce(int argc, char **argv, uint64_t (*work)(void *range)) {
    const struct range_way way = {"", work};
    return range_main(argc, argv, "reduce", 0, &way, 1);
}

#endif
