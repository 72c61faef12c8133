// Every schedule with several chunk sizes, upwards and downwards: each iteration runs exactly once.
#include "../check.h"

#include <string.h>

enum { SPAN = 700 };

static int hits[SPAN];

/* The loop variable runs over lo, lo+step, ... below hi, or above it for a negative step. */
#define PRAGMA(text) _Pragma(#text)
#define LOOP(name, ...)                                                                                      \
    static void name(long lo, long hi, long step, int chunk) {                                               \
        (void)chunk;                                                                                         \
        if (step > 0) {                                                                                      \
            PRAGMA(omp parallel for __VA_ARGS__)                                                             \
            for (long i = lo; i < hi; i += step)                                                             \
                count_up(&hits[i - lo]);                                                                     \
        } else {                                                                                             \
            PRAGMA(omp parallel for __VA_ARGS__)                                                             \
            for (long i = lo; i > hi; i += step)                                                             \
                count_up(&hits[lo - i]);                                                                     \
        }                                                                                                    \
    }

LOOP(static_block, schedule(static))
LOOP(static_chunk, schedule(static, chunk))
LOOP(dynamic_one, schedule(dynamic))
LOOP(dynamic_chunk, schedule(dynamic, chunk))
LOOP(guided_one, schedule(guided))
LOOP(guided_chunk, schedule(guided, chunk))
LOOP(automatic, schedule(auto))
LOOP(at_runtime, schedule(runtime))
LOOP(monotonic, schedule(monotonic : dynamic, chunk))
LOOP(nonmonotonic, schedule(nonmonotonic : guided, chunk))
LOOP(ordered_dynamic, ordered schedule(dynamic, chunk))
LOOP(ordered_static, ordered schedule(static, chunk))

typedef void loop(long lo, long hi, long step, int chunk);

static loop *const loops[] = {static_block, static_chunk, dynamic_one,     dynamic_chunk,
                              guided_one,   guided_chunk, automatic,       at_runtime,
                              monotonic,    nonmonotonic, ordered_dynamic, ordered_static};

static long try_range(loop *run, long lo, long hi, long step, int chunk) {
    long distance = step > 0 ? hi - lo : lo - hi, stride = step > 0 ? step : -step, count = 0;

    memset(hits, 0, sizeof hits);
    run(lo, hi, step, chunk);
    for (long i = 0; i < SPAN; i++) {
        CHECK_EQ(hits[i], i < distance && i % stride == 0);
        count += hits[i];
    }
    return count;
}

int main(void) {
    static const struct {
        long lo, hi, step;
    } ranges[] = {{0, 500, 1},  {-250, 449, 7},  {13, 14, 1},
                  {500, 0, -1}, {300, -301, -9}, {1000000007L, 1000000016L, 2}};
    static const int chunks[] = {1, 3, 64, 1000};
    long total = 0;

    for (unsigned l = 0; l < sizeof loops / sizeof *loops; l++)
        for (unsigned r = 0; r < sizeof ranges / sizeof *ranges; r++)
            for (unsigned c = 0; c < sizeof chunks / sizeof *chunks; c++)
                total += try_range(loops[l], ranges[r].lo, ranges[r].hi, ranges[r].step, chunks[c]);
    CHECK_EQ(total, 12 * 4 * (500 + 100 + 1 + 500 + 67 + 5));
    printf("iterations %ld\n", total);
    return check_done("loop_schedules");
}
