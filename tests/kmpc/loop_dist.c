// beyond libomp: it reports a last iteration for empty loops
// Loops divided among the teams of a league, and then among the threads of each: each iteration runs once, and one
// thread has the last one.
#include "calls.h"

enum { MOST = 200 };

#define DECLARE_DIST(T, ST, n)                                                                               \
    void __kmpc_team_static_init_##n(ident_t *, int32_t, int32_t *last, T *low, T *up, ST *stride, ST step,  \
                                     ST chunk);                                                              \
    void __kmpc_dist_dispatch_init_##n(ident_t *, int32_t, int32_t kind, int32_t *last, T low, T up,         \
                                       ST step, ST chunk);
LOOP_WIDTHS(DECLARE_DIST)

static int hits[MOST], lasts;

struct loop {
    int64_t low, up, step, chunk;
};

static int trips(const struct loop *loop) {
    int64_t distance = loop->up - loop->low;
    return (distance > 0) == (loop->step > 0) || distance == 0 ? (int)(distance / loop->step) + 1 : 0;
}

static int is_past(int64_t value, int64_t end, int64_t step) {
    return step > 0 ? value > end : value < end;
}

/* The values from low to up, no further than `end`. */
static int64_t run(const struct loop *loop, int64_t low, int64_t up, int64_t end) {
    int64_t ran = -1;
    up = is_past(up, end, loop->step) ? end : up;
    for (int64_t value = low; !is_past(value, up, loop->step); value += loop->step) {
        int64_t i = (value - loop->low) / loop->step;
        CHECK(i >= 0 && i < trips(loop) && loop->low + i * loop->step == value);
        __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
        ran = i;
    }
    return ran;
}

static void note(const struct loop *loop, int32_t last, int64_t latest) {
    if (last)
        CHECK_EQ(latest, trips(loop) - 1);
    __atomic_fetch_add(&lasts, last, __ATOMIC_RELAXED);
}

static void check(const struct loop *loop) {
    CHECK_EQ(lasts, trips(loop) > 0);
    for (int i = 0; i < MOST; i++) {
        CHECK_EQ(hits[i], i < trips(loop));
        hits[i] = 0;
    }
    lasts = 0;
}

#define DEFINE_LOOPS(T, ST, n)                                                                               \
    /* A thread's share in its team. */                                                                      \
    static void both_##n(const struct loop *loop, int kind) {                                                \
        int32_t last = 0;                                                                                    \
        T low = (T)loop->low, up = (T)loop->up, end = 0;                                                     \
        ST stride = 1;                                                                                       \
        __kmpc_dist_for_static_init_##n(&here, ME, kind, &last, &low, &up, &end, &stride, (ST)loop->step,    \
                                        (ST)loop->chunk);                                                    \
        int64_t latest = -1, ran;                                                                            \
        if (trips(loop) > 0)                                                                                 \
            do {                                                                                             \
                ran = run(loop, low, up, end);                                                               \
                latest = ran >= 0 ? ran : latest;                                                            \
            } while (kind == STATIC_CHUNK &&                                                                 \
                     (low += (T)stride, up += (T)stride, !is_past(low, end, loop->step)));                   \
        __kmpc_for_static_fini(&here, ME);                                                                   \
        note(loop, last, latest);                                                                            \
    }                                                                                                        \
    /* A team's share. */                                                                                    \
    static void teams_##n(const struct loop *loop, int kind) {                                               \
        int32_t last = 0;                                                                                    \
        T low = (T)loop->low, up = (T)loop->up;                                                              \
        ST stride = 1;                                                                                       \
        if (kind == 0)                                                                                       \
            __kmpc_team_static_init_##n(&here, ME, &last, &low, &up, &stride, (ST)loop->step,                \
                                        (ST)loop->chunk);                                                    \
        else                                                                                                 \
            __kmpc_for_static_init_##n(&here, ME, kind, &last, &low, &up, &stride, (ST)loop->step,           \
                                       (ST)loop->chunk);                                                     \
        int64_t latest = -1, ran;                                                                            \
        if (trips(loop) > 0)                                                                                 \
            do {                                                                                             \
                ran = run(loop, low, up, loop->up);                                                          \
                latest = ran >= 0 ? ran : latest;                                                            \
            } while (kind != DISTRIBUTE &&                                                                   \
                     (low += (T)stride, up += (T)stride, !is_past(low, loop->up, loop->step)));              \
        note(loop, last, latest);                                                                            \
    }                                                                                                        \
    /* Chunks of a team's share, each with a flag for the last iteration. */                                 \
    static void chunks_##n(const struct loop *loop, int kind) {                                              \
        int32_t team_last = 0, last = 0;                                                                     \
        T low, up;                                                                                           \
        ST step;                                                                                             \
        int64_t latest = -1;                                                                                 \
        __kmpc_dist_dispatch_init_##n(&here, ME, kind, &team_last, (T)loop->low, (T)loop->up,                \
                                      (ST)loop->step, (ST)loop->chunk);                                      \
        while (__kmpc_dispatch_next_##n(&here, ME, &last, &low, &up, &step))                                 \
            latest = run(loop, low, up, loop->up);                                                           \
        note(loop, team_last &&last, latest);                                                                \
    }

LOOP_WIDTHS(DEFINE_LOOPS)

struct body {
    void (*fn)(const struct loop *, int kind);
    int kind, inner; /* in a region of each team */
};
static const struct body *body;
static struct loop now;

static void in_team(int32_t *gtid, int32_t *btid) {
    (void)gtid, (void)btid;
    body->fn(&now, body->kind);
}

static void team(int32_t *gtid, int32_t *btid) {
    (void)btid;
    if (!body->inner) {
        body->fn(&now, body->kind);
        return;
    }
    __kmpc_push_num_threads(&here, *gtid, 3);
    __kmpc_fork_call(&here, 0, (microtask *)in_team);
}

#define BODIES(T, ST, n)                                                                                     \
    {both_##n, STATIC, 1}, {both_##n, STATIC_CHUNK, 1}, {both_##n, STATIC, 0}, {teams_##n, 0, 0},            \
        {teams_##n, DISTRIBUTE, 0}, {teams_##n, DISTRIBUTE_CHUNK, 0},                                        \
        {chunks_##n, DYNAMIC | NONMONOTONIC, 1}, {chunks_##n, GUIDED, 1}, {chunks_##n, STATIC_CHUNK, 1},     \
        {chunks_##n, AUTO, 0},
static const struct body bodies[] = {LOOP_WIDTHS(BODIES)};

int main(void) {
    static const struct loop loops[] = {{0, 99, 1, 4},     {7, 7, 1, 1},        {1020, 1003, -3, 2},
                                        {10, 100, 7, 100}, {1150, 1020, -1, 3}, {100, 5, 1, 2},
                                        {5, 6, 1, 1},      {1000, 1004, 2, 1}};
    omp_set_dynamic(0);
    for (int teams = 1; teams <= 5; teams += 2)
        for (size_t b = 0; b < sizeof bodies / sizeof *bodies; b++)
            for (size_t l = 0; l < sizeof loops / sizeof *loops; l++) {
                body = &bodies[b];
                now = loops[l];
                __kmpc_push_num_teams(&here, ME, teams, 3);
                __kmpc_fork_teams(&here, 0, (microtask *)team);
                check(&now);
            }
    return check_done("loop_dist");
}
