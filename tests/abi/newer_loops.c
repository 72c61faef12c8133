/* newer_loops.c: worksharing as gcc 17 compiles it: each static loop reads the team's size and the thread's number in
 * one call, barriers pass their purpose, reductions have a lock of their own, and masked and single constructs have an
 * end. In teams of each size, nested, in leagues of teams, and cancelled. */
#include "newer.h"

#include <unistd.h>

typedef unsigned long long ull;

_Complex int GOMP_loop_static_worksharing(ull), GOMP_loop_static_worksharing_start(ull);
_Complex int GOMP_distribute_static_worksharing(ull), GOMP_distribute_static_worksharing_start(ull);
void GOMP_loop_static_worksharing_dispatch(ull, ull), GOMP_loop_static_worksharing_end(void);
void GOMP_distribute_static_worksharing_dispatch(ull, ull), GOMP_distribute_static_worksharing_end(void);
void GOMP_barrier_ext(int), GOMP_reduction_start(void), GOMP_reduction_end(void);
bool GOMP_barrier_cancel_ext(int), GOMP_cancel(int, bool), GOMP_single_start_with_end(void);
bool GOMP_has_masked_thread_num(int), GOMP_has_masked_thread_num_with_end(int);
void GOMP_masked_end(void), GOMP_single_end(void);
void GOMP_scope_start_with_end(uintptr_t *), GOMP_scope_end(void);
void GOMP_teams_reg(void (*)(void *), void *, unsigned, unsigned, unsigned);
int omp_get_team_num(void), omp_get_num_teams(void), omp_get_cancellation(void);

enum { AT_END, OF_WORKSHARE, EXPLICIT }; /* kinds of barriers */
enum { COUNT = 1003 };

struct loop {
    int from, to;    /* of the whole */
    int hits[COUNT]; /* how often each iteration ran */
    long sum, product;
    int masked, singles, threads;
};

/* The caller's part of [from, to). */
static void part(_Complex int who, int from, int to, int *begin, int *end) {
    int size = __real__ who, number = __imag__ who, count = to - from;
    int share = count / size, more = count % size;
    *begin = from + number * share + (number < more ? number : more);
    *end = *begin + share + (number < more);
}

/* for schedule(static) reduction(+, *), then schedule(static, 3) with the calls for tools, nowait. */
static void workshare(void *arg) {
    struct loop *loop = arg;
    int begin, end;
    part(GOMP_loop_static_worksharing((ull)(loop->to - loop->from)), loop->from, loop->to, &begin, &end);
    long sum = 0, product = 1;
    for (int i = begin; i < end; i++) {
        loop->hits[i]++;
        sum += i;
        product = product * (i + 1) % 1000003;
    }
    GOMP_reduction_start();
    loop->sum += sum;
    loop->product = loop->product * product % 1000003;
    GOMP_reduction_end();
    GOMP_barrier_ext(OF_WORKSHARE);
    for (int i = loop->from; i < loop->to; i++)
        CHECK(loop->hits[i] == 1);
    GOMP_barrier_ext(EXPLICIT);

    _Complex int who = GOMP_loop_static_worksharing_start((ull)(loop->to - loop->from));
    CHECK(__real__ who == omp_get_num_threads() && __imag__ who == omp_get_thread_num());
    for (int chunk = loop->from + 3 * __imag__ who; chunk < loop->to; chunk += 3 * __real__ who) {
        GOMP_loop_static_worksharing_dispatch((ull)(chunk - loop->from), 3);
        for (int i = chunk; i < chunk + 3 && i < loop->to; i++)
            loop->hits[i]++;
    }
    GOMP_loop_static_worksharing_end();

    int last = __real__ who - 1;
    if (GOMP_has_masked_thread_num_with_end(last)) {
        loop->masked++;
        CHECK(omp_get_thread_num() == last);
        GOMP_masked_end();
    }
    CHECK(GOMP_has_masked_thread_num(last) == (omp_get_thread_num() == last));
    CHECK(!GOMP_has_masked_thread_num(-1) && !GOMP_has_masked_thread_num_with_end(last + 1));
    GOMP_scope_start_with_end(NULL);
    GOMP_scope_end();
    if (GOMP_single_start_with_end()) {
        loop->singles++;
        loop->threads = __real__ who;
        GOMP_single_end();
    }
    GOMP_barrier_ext(AT_END);
}

/* With BLITZ_DETERMINISTIC=1 in the order of the threads. */
static void merges_in_order(void *arg) {
    int *merged = arg;
    for (int round = 0; round < 50; round++) {
        if (omp_get_thread_num() == round % omp_get_num_threads())
            usleep(100);
        GOMP_reduction_start();
        CHECK(merged[0] % omp_get_num_threads() == omp_get_thread_num());
        merged[0]++;
        GOMP_reduction_end();
    }
}

static void check_loop(void (*run)(void *), unsigned threads, int from, int to) {
    struct loop loop = {.from = from, .to = to, .product = 1};
    long sum = 0, product = 1;
    GOMP_parallel(run, &loop, threads, 0);
    for (int i = 0; i < COUNT; i++)
        CHECK(loop.hits[i] == (i >= from && i < to ? 2 : 0));
    for (int i = from; i < to; i++) {
        sum += i;
        product = product * (i + 1) % 1000003;
    }
    CHECK(loop.sum == sum && loop.product == product && loop.masked == 1 && loop.singles == 1);
    CHECK(threads == 0 || loop.threads == (int)threads);
}

/* Regions within a region, one after the other and concurrent. */
static void nested(void *arg) {
    (void)arg;
    for (int i = 0; i < 3; i++) {
        check_loop(workshare, 0, 10, 900);
        GOMP_barrier_ext(EXPLICIT);
    }
}

/* teams distribute parallel for */
struct league {
    int hits[COUNT];
    int teams;
};

struct league_part {
    struct league *league;
    int begin, end;
};

static void in_team(void *arg) {
    struct league_part *mine = arg;
    int begin, end;
    part(GOMP_loop_static_worksharing((ull)(mine->end - mine->begin)), mine->begin, mine->end, &begin, &end);
    for (int i = begin; i < end; i++)
        mine->league->hits[i]++;
}

static void team(void *arg) {
    struct league *league = arg;
    struct league_part mine = {.league = league};
    _Complex int who = GOMP_distribute_static_worksharing_start(COUNT);
    CHECK(__real__ who == omp_get_num_teams() && __imag__ who == omp_get_team_num());
    CHECK(GOMP_distribute_static_worksharing(COUNT) == who);
    part(who, 0, COUNT, &mine.begin, &mine.end);
    GOMP_distribute_static_worksharing_dispatch((ull)mine.begin, (ull)(mine.end - mine.begin));
    GOMP_parallel(in_team, &mine, 0, 0);
    GOMP_distribute_static_worksharing_end();
    __atomic_add_fetch(&league->teams, 1, __ATOMIC_RELAXED);
}

static void check_league(unsigned teams) {
    struct league league = {.teams = 0};
    GOMP_teams_reg(team, &league, teams, 0, 0);
    CHECK(league.teams == (int)teams);
    for (int i = 0; i < COUNT; i++)
        CHECK(league.hits[i] == 1);
}

/* A thread that arrives at the barrier of a cancelled region is notified, and goes to the region's end. */
static void cancelled(void *arg) {
    int *past = arg;
    CHECK(!GOMP_barrier_cancel_ext(OF_WORKSHARE));
    if (omp_get_thread_num() == 0 && GOMP_cancel(1, true))
        return;
    if (GOMP_barrier_cancel_ext(EXPLICIT))
        return;
    __atomic_add_fetch(past, 1, __ATOMIC_RELAXED);
}

int main(void) {
    static const unsigned sizes[] = {0, 1, 2, 3, 8};
    int past = 0;
    _Complex int alone = GOMP_loop_static_worksharing(5);
    CHECK(__real__ alone == 1 && __imag__ alone == 0);
    alone = GOMP_distribute_static_worksharing(5);
    CHECK(__real__ alone == 1 && __imag__ alone == 0);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int round = 0; round < 20; round++)
            check_loop(workshare, sizes[i], round, COUNT - round);
        check_loop(workshare, sizes[i], 5, 5);
        check_loop(workshare, sizes[i], 5, 7);
        GOMP_parallel(nested, NULL, sizes[i], 0);
    }
    for (unsigned i = 0; getenv("BLITZ_DETERMINISTIC") && i < sizeof sizes / sizeof *sizes; i++) {
        int merged = 0;
        GOMP_parallel(merges_in_order, &merged, sizes[i], 0);
        CHECK(merged > 0 && merged % 50 == 0);
    }
    for (unsigned teams = 1; teams < 5; teams++)
        check_league(teams);
    GOMP_parallel(cancelled, &past, 4, 0);
    CHECK(past == (omp_get_cancellation() ? 0 : 4));
    return 0;
}
