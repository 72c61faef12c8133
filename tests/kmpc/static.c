// Static loops of all kinds and widths: each iteration belongs to one thread, one thread is marked as having the last,
// and the shares follow the schedule. The shares are printed where the schedule leaves no choice.
#include "calls.h"

enum { MOST = 16, ITERATIONS = 3000 };

struct part {
    int64_t low, up, stride;
    int32_t last;
};
static struct part parts[MOST];

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

static void take_part(int32_t *gtid, int32_t *btid, const struct width *width, const struct loop *loop) {
    (void)gtid;
    parts[*btid] = width->init(*loop);
}

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

/* ---- distribute: a team's share, and a thread's share of that ---- */

struct league {
    int threads;
    struct loop loop;
    int team_runs[ITERATIONS], runs[ITERATIONS], last, team_last;
};

/* Marks the iterations from low to the nearer of up and end. */
static void mark(const struct width *width, const struct loop *loop, int *runs, int64_t low, int64_t up,
                 int64_t end) {
    int64_t count = trips_between(width, low, width->is_past(up, end, loop->step) ? end : up, loop->step);
    int64_t first = count ? index_of(loop, low) : 0;
    for (int64_t i = first; i < first + count; i++)
        if (i >= 0 && i < trips(loop))
            count_up(&runs[i]);
        else
            CHECK_EQ(i, 0);
}

#define DEFINE_DISTRIBUTE(T, ST, n)                                                                          \
    static void distribute_part_##n(int32_t *gtid, int32_t *btid, const struct width *width,                 \
                                    struct league *league) {                                                 \
        (void)btid;                                                                                          \
        struct loop *loop = &league->loop;                                                                   \
        int32_t last = 0;                                                                                    \
        T low = (T)loop->low, up = (T)loop->up, team_up = up;                                                \
        ST stride = 1;                                                                                       \
        __kmpc_dist_for_static_init_##n(&here, *gtid, loop->kind, &last, &low, &up, &team_up, &stride,       \
                                        (ST)loop->step, (ST)loop->chunk);                                    \
        do { /* one chunk, or all of the thread's chunks within the team's share */                          \
            mark(width, loop, league->runs, (int64_t)low, (int64_t)up, (int64_t)team_up);                    \
            low = (T)(low + stride);                                                                         \
            up = (T)(up + stride);                                                                           \
        } while (loop->kind == STATIC_CHUNK && !is_past_##n((int64_t)low, (int64_t)team_up, loop->step));    \
        if (last)                                                                                            \
            count_up(&league->last);                                                                         \
        __kmpc_for_static_fini(&here, *gtid);                                                                \
    }                                                                                                        \
    static void distribute_team_##n(int32_t *gtid, int32_t *btid, const struct width *width,                 \
                                    struct league *league) {                                                 \
        (void)btid;                                                                                          \
        __kmpc_push_num_threads(&here, *gtid, league->threads);                                              \
        __kmpc_fork_call(&here, 2, (microtask *)distribute_part_##n, width, league);                         \
    }                                                                                                        \
    static void distribute_only_##n(int32_t *gtid, int32_t *btid, const struct width *width,                 \
                                    struct league *league) {                                                 \
        (void)btid;                                                                                          \
        struct loop *loop = &league->loop;                                                                   \
        int32_t last = 0;                                                                                    \
        T low = (T)loop->low, up = (T)loop->up;                                                              \
        ST stride = 1;                                                                                       \
        __kmpc_for_static_init_##n(&here, *gtid, loop->kind, &last, &low, &up, &stride, (ST)loop->step,      \
                                   (ST)loop->chunk);                                                         \
        do {                                                                                                 \
            mark(width, loop, league->team_runs, (int64_t)low, (int64_t)up, loop->up);                       \
            low = (T)(low + stride);                                                                         \
            up = (T)(up + stride);                                                                           \
        } while (loop->kind == DISTRIBUTE_CHUNK && !is_past_##n((int64_t)low, loop->up, loop->step));        \
        if (last)                                                                                            \
            count_up(&league->team_last);                                                                    \
        __kmpc_for_static_fini(&here, *gtid);                                                                \
    }
LOOP_WIDTHS(DEFINE_DISTRIBUTE)

static struct league league;

static void check_league(microtask *body, int teams, int threads, struct loop loop,
                         const struct width *width) {
    memset(&league, 0, sizeof league);
    league.threads = threads;
    league.loop = loop;
    __kmpc_push_num_teams(&here, ME, teams, threads);
    __kmpc_fork_teams(&here, 2, body, width, &league);
    int *runs = loop.kind >= DISTRIBUTE_CHUNK ? league.team_runs : league.runs;
    for (int64_t i = 0; i < trips(&loop); i++)
        CHECK_EQ(runs[i], 1);
    CHECK_EQ(loop.kind >= DISTRIBUTE_CHUNK ? league.team_last : league.last, 1);
}

static void check_leagues(const struct width *width, microtask *only, microtask *with_team) {
    for (int teams = 1; teams <= 3; teams++)
        for (int threads = 1; threads <= 3; threads += 2) {
            check_league(only, teams, threads, (struct loop){DISTRIBUTE, 0, 100, 1, 1}, width);
            check_league(only, teams, threads, (struct loop){DISTRIBUTE_CHUNK, 0, 100, 1, 7}, width);
            check_league(only, teams, threads, (struct loop){DISTRIBUTE, 100, 1, -3, 1}, width);
            check_league(with_team, teams, threads, (struct loop){STATIC, 0, 100, 1, 0}, width);
            check_league(with_team, teams, threads, (struct loop){STATIC, 3, 200, 3, 0}, width);
            check_league(with_team, teams, threads, (struct loop){STATIC, 100, 1, -1, 0}, width);
            check_league(with_team, teams, threads, (struct loop){STATIC_CHUNK, 0, 100, 1, 3}, width);
            check_league(with_team, teams, threads, (struct loop){STATIC, 0, 0, 1, 0}, width);
        }
}

#define CHECK_LEAGUES(T, ST, n)                                                                              \
    check_leagues(width++, (microtask *)distribute_only_##n, (microtask *)distribute_team_##n);

int main(void) {
    const struct width *width = widths;
    omp_set_dynamic(0);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (int threads = 1; threads <= 8; threads = threads * 2 + (threads == 2))
            all_of(&widths[w], threads);
    LOOP_WIDTHS(CHECK_LEAGUES)
    return check_done("static");
}
