// Static loops of all kinds and widths: each iteration belongs to one thread, one thread is marked as having the last,
// and the shares follow the schedule. The shares are printed where the schedule leaves no choice.
#include "static.h"

enum { MOST = 16 };

static struct part parts[MOST];

static void take_part(int32_t *gtid, int32_t *btid, const struct width *width, const struct loop *loop) {
    (void)gtid;
    parts[*btid] = width->init(*loop);
}

/* Marks the iterations that the code of thread t would run. */
static void run_part(const struct width *width, const struct loop *loop, int t, unsigned char *runs,
                     int *owner) {
    struct part part = parts[t];
    int64_t count = trips(loop), low = part.low, up = part.up;
    int chunked = loop->kind == STATIC_CHUNK || loop->kind == DISTRIBUTE_CHUNK;
    for (int round = 0; round < ITERATIONS && !width->is_past(low, loop->up, loop->step); round++) {
        int64_t end = width->is_past(up, loop->up, loop->step) ? loop->up : up;
        int64_t of_chunk = trips_between(width, low, end, loop->step);
        int64_t first = of_chunk ? index_of(loop, low) : 0;
        CHECK(first >= 0 && first + of_chunk <= count);
        for (int64_t i = first; i < first + of_chunk && i >= 0 && i < count; i++) {
            runs[i]++;
            owner[i] = t;
        }
        if (!chunked)
            return;
        int64_t distance = loop->step > 0 ? loop->up - low : low - loop->up;
        int64_t stride = loop->step > 0 ? part.stride : -part.stride;
        if (distance < stride)
            return;
        low += part.stride;
        up += part.stride;
    }
}

static void check_loop(const struct width *width, struct loop loop, int threads) {
    static unsigned char runs[ITERATIONS];
    static int owner[ITERATIONS];
    int64_t count = trips(&loop);

    memset(runs, 0, sizeof runs);
    memset(parts, 0, sizeof parts);
    REGION(threads, take_part, 2, width, &loop);
    printf("%s kind %d %lld..%lld step %lld chunk %lld, %d threads:", width->name, loop.kind,
           (long long)loop.low, (long long)loop.up, (long long)loop.step, (long long)loop.chunk, threads);
    for (int t = 0; t < threads; t++)
        run_part(width, &loop, t, runs, owner);
    for (int64_t i = 0; i < count; i++)
        CHECK_EQ(runs[i], 1);
    for (int t = 0; t < threads; t++)
        CHECK_EQ(parts[t].last != 0, t == owner[count - 1]);
    for (int64_t i = 0; i < count; i++)
        if (i == 0 || owner[i] != owner[i - 1])
            printf(" %d:%lld", owner[i], (long long)i);
    if (loop.kind == STATIC_CHUNK)
        printf(" stride %lld", (long long)parts[0].stride);
    else if (loop.kind == STATIC && threads > 1)
        CHECK_EQ(parts[0].stride, count); /* whatever its step */
    printf("\n");
}

/* Without iterations all variables stay as they are. */
static void check_empty(const struct width *width, struct loop loop, int threads) {
    REGION(threads, take_part, 2, width, &loop);
    for (int t = 0; t < threads; t++) {
        CHECK_EQ(parts[t].last, 0);
        CHECK(parts[t].low == loop.low && parts[t].up == loop.up);
        CHECK(width->is_past(parts[t].low, parts[t].up, loop.step));
        CHECK(width->is_past(parts[t].low, loop.up, loop.step));
    }
}

static void all_of(const struct width *width, int threads) {
    static const struct loop loops[] = {
        {STATIC, 0, 9, 1, 0},
        {STATIC, 0, 9, 1, 1},
        {STATIC, 0, 0, 1, 0},
        {STATIC, 5, 104, 3, 0},
        {STATIC, 0, 10, 3, 1},
        {STATIC, 0, 999, 7, 0},
        {STATIC, 9, 0, -1, 0},
        {STATIC, 100, 1, -3, 0},
        {STATIC, 110, 100, -3, 0},
        {STATIC_CHUNK, 0, 9, 1, 1},
        {STATIC_CHUNK, 0, 9, 1, 2},
        {STATIC_CHUNK, 0, 9, 1, 100},
        {STATIC_CHUNK, 0, 100, 1, 7},
        {STATIC_CHUNK, 3, 100, 3, 4},
        {STATIC_CHUNK, 1000, 903, -3, 4},
        {STATIC_CHUNK, 1009, 1000, -1, 1},
        {STATIC_CHUNK, 0, 2499, 1, 10},
        {STATIC_BALANCED_CHUNK, 0, 9, 1, 4},
        {STATIC_BALANCED_CHUNK, 0, 99, 1, 8},
        {STATIC_BALANCED_CHUNK, 0, 99, 3, 8},
        {STATIC_BALANCED_CHUNK, 999, 900, -1, 8},
        {DISTRIBUTE, 0, 9, 1, 0}, /* outside of teams: the only team */
        {DISTRIBUTE_CHUNK, 0, 9, 1, 20},
    };
    int is_signed = strchr(width->name, 'u') == NULL;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        if (loops[i].kind >= DISTRIBUTE_CHUNK && threads > 1)
            continue;
        check_loop(width, loops[i], threads);
    }
    if (is_signed) {
        check_loop(width, (struct loop){STATIC, -50, 49, 1, 0}, threads);
        check_loop(width, (struct loop){STATIC_CHUNK, -50, 49, 1, 3}, threads);
        check_loop(width, (struct loop){STATIC, 49, -50, -9, 0}, threads);
        check_loop(width, (struct loop){STATIC, INT32_MIN, INT32_MAX, 100000000, 0}, threads);
    } else {
        check_loop(width, (struct loop){STATIC, 0x7ffffff0, 0x80000010u, 1, 0}, threads);
        check_loop(width, (struct loop){STATIC_CHUNK, 0x7ffffff0, 0x80000010u, 1, 5}, threads);
        check_loop(width, (struct loop){STATIC, 0xfffffff0u, 0xfffffffeu, 1, 0}, threads);
        check_loop(width, (struct loop){STATIC, 0xfffffffeu, 0xfffff000u, -3, 0}, threads);
    }
    if (strcmp(width->name, "8") == 0)
        check_loop(width, (struct loop){STATIC, INT64_MIN, INT64_MAX - 1, INT64_MAX / 4, 0}, threads);
    if (strcmp(width->name, "8u") == 0) {
        check_loop(width, (struct loop){STATIC, -100, -2, 1, 0}, threads);
        check_loop(width, (struct loop){STATIC, -2, -100, -1, 0}, threads);
    }
    check_empty(width, (struct loop){STATIC, 1, 0, 1, 0}, threads);
    check_empty(width, (struct loop){STATIC_CHUNK, 1, 0, 1, 3}, threads);
    check_empty(width, (struct loop){STATIC, 0, 5, -1, 0}, threads);
    if (is_signed)
        check_empty(width, (struct loop){STATIC, 0, -1, 1, 0}, threads);
}

int main(void) {
    omp_set_dynamic(0);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int threads = 1; threads <= 8; threads = threads * 2 + (threads == 2))
            all_of(&widths[w], threads);
    return check_done("static");
}
