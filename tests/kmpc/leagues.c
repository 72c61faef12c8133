// env: KMP_TEAMS_THREAD_LIMIT=8
// threads: 1 4
// flags: -lm
// Teams of a league run at the same time, each on its own thread: they meet, merge, lock, have threadprivate data and
// create tasks; regions in each; and leagues within regions.
#include "calls.h"

#include <fenv.h>

enum { TEAMS = 4, LIMIT = 8, MANY = 20, COUNT = 1000, ROUNDS = 50 };

static int mine;
#pragma omp threadprivate(mine)

static int entered, ids[MANY];

/* In functions: the compiler rejects these in teams regions. */
static void meet(void) {
    int team = omp_get_team_num();
    ids[team] = ME;
    mine = team + 1;
    count_up(&entered);
    wait_for_count(&entered, TEAMS);
    CHECK_EQ(mine, team + 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(fegetround(), FE_UPWARD);
}

static void at_once(void) {
    fesetround(FE_UPWARD);
#pragma omp teams num_teams(TEAMS) thread_limit(1)
    meet();
    fesetround(FE_TONEAREST);
    CHECK_EQ(ids[0], ME);
    for (int i = 0; i < TEAMS; i++)
        for (int k = 0; k < i; k++)
            CHECK(ids[i] != ids[k]);
}

/* There may be fewer teams. */
static void take_part(void) {
    int team = omp_get_team_num();
    CHECK_EQ(omp_get_num_teams() > team, 1);
    count_up(&ids[team]);
    count_up(&entered);
}

static void many(void) {
    entered = 0;
    memset(ids, 0, sizeof ids);
#pragma omp teams num_teams(MANY)
    take_part();
    CHECK(entered > 1 && entered <= MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(ids[i], i < entered);
}

static void reductions(void) {
    long sum = 0, most = -1, array[5] = {0};
    struct big {
        char text[100];
    } big = {"x"};
#pragma omp declare reduction(join                                                                           \
                              : struct big                                                                   \
                              : (void)(omp_out.text[0] ^= omp_in.text[0])) initializer(omp_priv = {""})
    for (int round = 0; round < ROUNDS; round++) {
#pragma omp teams distribute num_teams(TEAMS) reduction(+ : sum, array[ : 5]) reduction(max : most) reduction(join : big)
        for (int i = 0; i < COUNT; i++) {
            sum += i;
            array[i % 5]++;
            most = i > most ? i : most;
            big.text[0] ^= (char)(i + 1);
        }
#pragma omp teams distribute parallel for num_teams(TEAMS) thread_limit(2) reduction(+ : sum) firstprivate(round)
        for (int i = 0; i < COUNT; i++)
            sum += round;
    }
    CHECK_EQ(most, COUNT - 1);
    CHECK_EQ(sum, (long)ROUNDS * COUNT * (COUNT - 1) / 2 + COUNT * (long)ROUNDS * (ROUNDS - 1) / 2);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(array[i], ROUNDS * COUNT / 5);
    char expected = 'x';
    for (int i = 0; i < COUNT; i++)
        expected ^= (char)(i + 1);
    CHECK_EQ(big.text[0], ROUNDS % 2 ? expected : 'x');
}

static void work(long *totals, omp_lock_t *lock) {
    int team = omp_get_team_num(), x = 0, tasks = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(inout : x) shared(x)
        x++;
#pragma omp task shared(tasks)
        count_up(&tasks);
    }
#pragma omp taskwait
    CHECK_EQ(x, 20);
    CHECK_EQ(tasks, 20);
#pragma omp critical
    ++totals[0];
    omp_set_lock(lock);
    ++totals[1];
    omp_unset_lock(lock);
#pragma omp parallel num_threads(2) shared(tasks)
    {
        CHECK_EQ(omp_get_team_num(), team);
        CHECK_EQ(omp_get_level(), 1);
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 10; i++)
#pragma omp task shared(tasks)
            count_up(&tasks);
#pragma omp barrier
        CHECK_EQ(tasks, 30);
#pragma omp single
#pragma omp atomic
        ++totals[2];
    }
}

static void inside(void) {
    long totals[3] = {0};
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int round = 0; round < ROUNDS; round++)
#pragma omp teams num_teams(TEAMS)
        work(totals, &lock);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(totals[i], TEAMS * ROUNDS);
    omp_destroy_lock(&lock);
}

static void chunks(void) {
    int seen[COUNT] = {0}, last = -1;
#pragma omp teams distribute num_teams(3) dist_schedule(static, 7) lastprivate(last)
    for (int i = 0; i < COUNT; i++)
        count_up(&seen[last = i]);
#pragma omp teams distribute parallel for num_teams(3) dist_schedule(static, 70) schedule(dynamic, 3)
    for (int i = 0; i < COUNT; i++)
        count_up(&seen[i]);
    CHECK_EQ(last, COUNT - 1);
    for (int i = 0; i < COUNT; i++)
        CHECK_EQ(seen[i], 2);
}

/* Each thread has a league, while others have tasks. */
static void within(void) {
    long total = 0;
    int threads = 0;
#pragma omp parallel num_threads(2)
    {
        count_up(&threads);
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom : total)
        for (int i = 0; i < COUNT; i++)
#pragma omp atomic
            total++;
#pragma omp barrier
#pragma omp single
        for (int k = 0; k < 4; k++)
#pragma omp target teams distribute num_teams(2) map(tofrom : total) nowait
            for (int i = 0; i < COUNT; i++)
#pragma omp atomic
                total++;
    }
    CHECK_EQ(total, (threads + 4) * COUNT);
}

/* Also in the only team. */
static void limited(void) {
    int before = omp_get_max_threads(), threads = 0;
    omp_set_num_threads(MANY);
#pragma omp teams num_teams(1) shared(threads)
#pragma omp parallel shared(threads)
    count_up(&threads);
    omp_set_num_threads(before);
    CHECK(threads >= 1 && threads <= LIMIT);
}

int main(void) {
    omp_set_dynamic(0);
    at_once();
    many();
    reductions();
    inside();
    chunks();
    within();
    limited();
    return check_done("leagues");
}
