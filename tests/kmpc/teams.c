// beyond libomp: after a region an initial thread gets the region's number of threads
// Leagues by the calls: the arguments and state of each team's initial thread, its words, settings for the next league
// alone, and the default number of teams.
#include "calls.h"

enum { TEAMS = 5, LIMIT = 3, DEFAULT_TEAMS = 1 };

static int entered, threads_of_teams, seen[TEAMS];

static int64_t expected(int i) {
    return i * 0x0123456789abcdefLL + 1;
}

static void inside(int32_t *gtid, int32_t *btid) {
    CHECK_EQ(*gtid, ME);
    CHECK_EQ(*btid, omp_get_thread_num());
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    count_up(&threads_of_teams);
}

/* An initial thread: outside of all regions, alone, with the given limit. */
static void check_initial(const int32_t *gtid, const int32_t *btid) {
    CHECK_EQ(*gtid, ME);
    CHECK_EQ(*btid, 0);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK(omp_get_team_num() >= 0 && omp_get_team_num() < omp_get_num_teams());
}

static void team(int32_t *gtid, int32_t *btid, int64_t teams, int64_t limit) {
    check_initial(gtid, btid);
    CHECK_EQ(omp_get_num_teams(), teams);
    if (limit > 0)
        CHECK_EQ(omp_get_thread_limit(), limit);
    count_up(&seen[omp_get_team_num()]);
    count_up(&entered);
    __kmpc_push_num_threads(&here, *gtid, 8);
    __kmpc_fork_call(&here, 0, (microtask *)inside);
    check_initial(gtid, btid);
}

static void words(int32_t *gtid, int32_t *btid, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e,
                  int64_t f, int64_t g, int64_t h, int64_t i, int64_t j) {
    int64_t all[] = {a, b, c, d, e, f, g, h, i, j};
    for (int k = 0; k < 10; k++)
        CHECK_EQ(all[k], expected(k));
    check_initial(gtid, btid);
    count_up(&entered);
}

static void clear(void) {
    entered = threads_of_teams = 0;
    memset(seen, 0, sizeof seen);
}

/* Each team's number occurs once; no team exceeds the limit of threads. */
static void check_league(int teams) {
    CHECK_EQ(entered, teams);
    for (int i = 0; i < TEAMS; i++)
        CHECK_EQ(seen[i], i < teams);
    CHECK(threads_of_teams >= teams && threads_of_teams <= LIMIT * teams);
    clear();
}

int main(void) {
    omp_set_dynamic(0);
    for (int64_t teams = 1; teams <= TEAMS; teams++) {
        __kmpc_push_num_teams(&here, ME, (int32_t)teams, LIMIT);
        __kmpc_fork_teams(&here, 2, (microtask *)team, teams, (int64_t)LIMIT);
        check_league((int)teams);
        __kmpc_push_num_teams_51(&here, ME, (int32_t)teams, (int32_t)teams, LIMIT);
        __kmpc_fork_teams(&here, 2, (microtask *)team, teams, (int64_t)LIMIT);
        check_league((int)teams);
        CHECK_EQ(omp_get_num_teams(), 1);
        CHECK_EQ(omp_get_team_num(), 0);
    }
    /* the lower bound */
    __kmpc_push_num_teams_51(&here, ME, 2, 4, LIMIT);
    __kmpc_fork_teams(&here, 2, (microtask *)team, (int64_t)2, (int64_t)LIMIT);
    check_league(2);
    /* the setting is used up; the program sets no number */
    __kmpc_push_num_teams(&here, ME, 0, LIMIT);
    __kmpc_fork_teams(&here, 2, (microtask *)team, (int64_t)DEFAULT_TEAMS, (int64_t)LIMIT);
    check_league(DEFAULT_TEAMS);
    __kmpc_fork_teams(&here, 2, (microtask *)team, (int64_t)DEFAULT_TEAMS, (int64_t)0);
    CHECK_EQ(entered, DEFAULT_TEAMS);
    clear();
    omp_set_num_teams(4);
    __kmpc_push_num_teams(&here, ME, 0, 0);
    __kmpc_fork_teams(&here, 2, (microtask *)team, (int64_t)4, (int64_t)0);
    CHECK_EQ(entered, 4);
    clear();
    __kmpc_push_num_teams(&here, ME, 3, 0);
    __kmpc_fork_teams(&here, 10, (microtask *)words, expected(0), expected(1), expected(2), expected(3),
                      expected(4), expected(5), expected(6), expected(7), expected(8), expected(9));
    CHECK_EQ(entered, 3);
    return check_done("teams");
}
