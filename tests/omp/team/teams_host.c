// beyond libomp: it makes fewer teams than requested
// env: OMP_NUM_TEAMS=4 OMP_TEAMS_THREAD_LIMIT=3
// env: OMP_THREAD_LIMIT=5
// env: OMP_NUM_THREADS=3,2 OMP_THREAD_LIMIT=20
// threads: 1 4
// repeat: 3
// Teams regions on the host: numbers of teams, limits, distribute, reductions, regions and tasks inside.
#include "../check.h"

#include <string.h>

#define N 1000

#ifdef __clang__ /* it accepts no lower bound */
#    define TWO_TO_FIVE 2
#else
#    define TWO_TO_FIVE 2 : 5
#endif

/* The reports of the teams of a league, by their numbers. */
static char said[8][100];

/* In functions: the compiler rejects these calls in teams regions. */
static void note(const char *what) {
    snprintf(said[omp_get_team_num()], sizeof said[0], "%s: team %d of %d, level %d, %d threads, limit %d",
             what, omp_get_team_num(), omp_get_num_teams(), omp_get_level(), omp_get_num_threads(),
             omp_get_thread_limit());
}

static void print(void) {
    for (int i = 0; i < 8 && said[i][0]; i++)
        puts(said[i]);
    memset(said, 0, sizeof said);
}

static void check_context(void) {
    CHECK_EQ(omp_get_level(), 0);
    CHECK(!omp_in_parallel());
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_team_size(1), -1);
}

static void numbers(void) {
    note("outside");
    print();
#pragma omp teams
    note("default");
    print();
#pragma omp teams num_teams(2)
    note("two");
    print();
#pragma omp teams num_teams(3) thread_limit(2)
    note("three");
    print();
#pragma omp teams num_teams(TWO_TO_FIVE)
    note("range");
    print();
    omp_set_num_teams(6);
    omp_set_teams_thread_limit(7);
    printf("set %d %d\n", omp_get_max_teams(), omp_get_teams_thread_limit());
#pragma omp teams
    note("set");
    print();
#pragma omp teams num_teams(1) thread_limit(9)
    note("clauses win");
    print();
    omp_set_num_teams(0);
    omp_set_teams_thread_limit(0);
#pragma omp teams
    check_context();
    note("outside again");
    print();
}

static void regions_inside(int rounds) {
    int threads = 0, teams = 0, tasks = 0;

    for (int i = 0; i < rounds; i++)
#pragma omp teams num_teams(3) thread_limit(4) reduction(+ : threads, teams, tasks)
    {
        int team = omp_get_team_num();

#pragma omp parallel num_threads(8) reduction(+ : threads, tasks)
        {
            CHECK_EQ(omp_get_team_num(), team);
            CHECK_EQ(omp_get_num_teams(), 3);
            CHECK(omp_get_num_threads() <= 4);
            CHECK_EQ(omp_get_level(), 1);
            threads++;
#pragma omp single
            for (int k = 0; k < 20; k++)
#pragma omp task shared(tasks)
            {
                CHECK_EQ(omp_get_team_num(), team);
#pragma omp atomic
                tasks++;
            }
        }
#pragma omp parallel num_threads(1)
        teams++;
    }
    CHECK_EQ(threads, rounds * 3 * (omp_get_thread_limit() < 4 ? omp_get_thread_limit() : 4));
    CHECK_EQ(teams, rounds * 3);
}

static void distribute(void) {
    static int hits[N];
    long sum = 0;

#pragma omp teams distribute parallel for num_teams(3) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        count_up(&hits[i]);
        sum += i;
    }
#pragma omp teams distribute num_teams(4) dist_schedule(static, 7) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        count_up(&hits[i]);
        sum += i;
    }
#pragma omp teams distribute parallel for simd collapse(2) num_teams(2) schedule(dynamic, 3) reduction(+ : sum)
    for (int i = 0; i < N / 10; i++)
        for (int j = 0; j < 10; j++) {
            count_up(&hits[i * 10 + j]);
            sum++;
        }
#pragma omp teams loop num_teams(2) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        count_up(&hits[i]);
        sum += 2;
    }
    for (int i = 0; i < N; i++)
        CHECK_EQ(hits[i], 4);
    CHECK_EQ(sum, 2L * N * (N - 1) / 2 + 3 * N);
}

/* Tasks of a team without threads, and its critical and worksharing constructs. */
static void alone_steps(int *order, int *teams) {
    int x = 0;

#pragma omp task depend(out : x) shared(x)
    x = 5;
#pragma omp task depend(inout : x) shared(x)
    x *= 2;
#pragma omp taskwait
    CHECK_EQ(x, 10);
#pragma omp taskgroup
    {
#pragma omp task shared(x)
        x++;
    }
#pragma omp for
    for (int i = 0; i < 10; i++)
        x++;
#pragma omp single
    x++;
#pragma omp barrier
    CHECK_EQ(x, 22);
#ifndef __clang__ /* its teams run at the same time */
    *order = *order * 10 + omp_get_team_num();
#else
    (void)order;
#endif
    count_up(teams);
}

static void alone(void) {
    int order = 7, teams = 0;

#pragma omp teams num_teams(3) shared(order, teams)
    alone_steps(&order, &teams);
    CHECK(order == 7012 || order == 7);
    CHECK_EQ(teams, 3);
}

int main(int argc, char **argv) {
    numbers();
    regions_inside((int)check_arg(argc, argv, 1, 10));
    distribute();
    alone();
    return check_done("teams_host");
}
