// beyond libomp: 23 crashes where a team of a league has one thread, also a program of flang 23
// distribute, in leagues: a team's share of a static loop, and a thread's share of that. Each iteration runs once, and one
// thread is marked as having the last.
#include "static.h"

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
    LOOP_WIDTHS(CHECK_LEAGUES)
    return check_done("static_leagues");
}
