/* Regions and the places where their threads meet: the start, the end, barriers, single, critical, locks,
 * reductions. */
#include <omp.h>

#include "cases.h"

#define N 64

static void start(void) {
    int x = 1, meeting = 0, sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        meet(&meeting, omp_get_num_threads());
        if (racy && omp_get_thread_num() == 0)
            x = 2;
        sum += x;
    }
    EXPECT(sum == omp_get_max_threads());
}

static void end(void) {
    int x[N] = {0}, meeting = 0;
#pragma omp parallel
    {
        meet(&meeting, omp_get_num_threads());
        x[racy ? 0 : omp_get_thread_num()] = 1;
    }
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i];
    EXPECT(sum == omp_get_max_threads());
}

static void again(void) {
    int x = 0, meeting = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                x++;
            if (i == 5) {
                meet(&meeting, omp_get_num_threads());
                if (racy)
                    x++;
            }
        }
    }
    EXPECT(x == 10);
}

static void nested(void) {
    int x[2] = {0}, meeting = 0;
#pragma omp parallel num_threads(2)
    {
        int *mine = &x[racy ? 0 : omp_get_thread_num()];
#pragma omp parallel num_threads(2)
        {
            meet(&meeting, 4);
#pragma omp master
            *mine = *mine + 1;
        }
        if (!racy)
            *mine = *mine + 1;
    }
    EXPECT(x[0] == 2 && x[1] == 2);
}

static void barrier(void) {
    int x[N] = {0}, meeting = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), next = (me + 1) % omp_get_num_threads();
        for (int i = 0; i < 5; i++) {
            x[me]++;
#pragma omp barrier
            EXPECT(x[next] == i + 1);
            if (!racy || i < 4) {
#pragma omp barrier
            }
        }
        meet(&meeting, omp_get_num_threads());
        if (racy)
            x[me]++;
    }
}

/* A thread on its way to the next barrier does not count as one at this barrier. */
static void barrier_ahead(void) {
    int x = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp barrier
        if (omp_get_thread_num() == 1) {
            if (racy)
                x = 1;
            meet(&meeting, 2);
        }
        if (omp_get_thread_num() == 0) {
            meet(&meeting, 2);
            x = x + 1;
        }
#pragma omp barrier
        EXPECT(x == 1);
    }
}

/* Threads that arrive at a single construct at the same time read a word that one of them writes just then, an order
 * that ThreadSanitizer does not see: so they meet in between. */
static void single(void) {
    int x = 0, y = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp single
        x = 1;
        EXPECT(x == 1);
#pragma omp barrier
        if (racy) {
#pragma omp single nowait
            y = 1;
            meet(&meeting, omp_get_num_threads());
            EXPECT(y == 1);
        }
    }
}

static void copyprivate(void) {
    int x = 0;
#pragma omp parallel
    {
        int *to;
        int mine = 0;
#pragma omp single copyprivate(to)
        {
            to = racy ? &x : &mine;
            *to = 1;
        }
        if (omp_get_thread_num() == 0 || racy)
            *to = *to + 1;
#pragma omp barrier
    }
    EXPECT(x == 0);
}

static void critical(void) {
    int x = 0, y = 0, meeting = 0;
#pragma omp parallel
    {
        meet(&meeting, omp_get_num_threads());
        for (int i = 0; i < 10; i++) {
#pragma omp critical
            x++;
#pragma omp critical(name)
            y++;
        }
        if (racy)
            x++;
    }
    EXPECT(x == 10 * omp_get_max_threads() && y == x);
}

/* One name does not order another. */
static void critical_names(void) {
    int x = 0, meeting = 0;
#pragma omp parallel num_threads(2)
    {
        meet(&meeting, omp_get_num_threads());
        if (omp_get_thread_num() == 0) {
#pragma omp critical(one)
            x++;
        } else if (racy) {
#pragma omp critical(another)
            x++;
        }
    }
    EXPECT(x == 1);
}

static void atomic(void) {
#ifdef __clang__ /* its ThreadSanitizer does not check long double */
    double x = 0;
#else
    long double x = 0;
#endif
    int meeting = 0;
#pragma omp parallel
    {
        meet(&meeting, omp_get_num_threads());
#pragma omp atomic
        x += 1;
        if (racy)
            x += 1;
    }
    EXPECT(x == omp_get_max_threads());
}

static void locks(void) {
    omp_lock_t lock;
    int x = 0, meeting = 0;
    omp_init_lock(&lock);
#pragma omp parallel
    {
        meet(&meeting, omp_get_num_threads());
        for (int i = 0; i < 10; i++) {
            if (i % 2 == 0)
                omp_set_lock(&lock);
            else
                while (!omp_test_lock(&lock))
                    sched_yield();
            x++;
            omp_unset_lock(&lock);
        }
        if (racy)
            x++;
    }
    omp_destroy_lock(&lock);
    EXPECT(x == 10 * omp_get_max_threads());
}

static void nest_locks(void) {
    omp_nest_lock_t lock;
    int x = 0, meeting = 0;
    omp_init_nest_lock(&lock);
#pragma omp parallel
    {
        meet(&meeting, omp_get_num_threads());
        for (int i = 0; i < 10; i++) {
            omp_set_nest_lock(&lock);
            if (omp_test_nest_lock(&lock) != 2)
                abort();
            x++;
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
        }
        if (racy)
            x++;
    }
    omp_destroy_nest_lock(&lock);
    EXPECT(x == 10 * omp_get_max_threads());
}

static void sections(void) {
    int x = 0, y = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            {
                x = 1;
                meet(&meeting, 2);
            }
#pragma omp section
            {
                *(racy ? &x : &y) = 1;
                meet(&meeting, 2);
            }
        }
        EXPECT(x + y == 2);
    }
}

static void reduction(void) {
    int sum = 0, most = 0, all[4] = {0}, meeting = 0;
#pragma omp parallel reduction(+ : sum, all) reduction(max : most)
    {
        meet(&meeting, omp_get_num_threads());
        sum += 1;
        all[1] += 2;
        most = omp_get_thread_num();
    }
    EXPECT(sum == omp_get_max_threads() && all[1] == 2 * sum && most == sum - 1);
    int x = 0;
#pragma omp parallel
    {
        if (racy) {
            meet(&meeting, 2 * omp_get_num_threads());
            x++;
        }
#pragma omp for reduction(+ : x)
        for (int i = 0; i < N; i++)
            x++;
        EXPECT(x == N);
    }
}

static int mine;
#pragma omp threadprivate(mine)

static void copyin(void) {
    int *primary = &mine, meeting = 0;
    mine = 5;
#pragma omp parallel copyin(mine)
    {
        EXPECT(mine == 5);
        mine++;
        meet(&meeting, omp_get_num_threads());
        if (racy)
            *primary = 0;
    }
#pragma omp parallel
    EXPECT(mine == 6);
}

static void masked(void) {
    int x = 0, meeting = 0;
#pragma omp parallel
    {
#pragma omp masked
        x = 1;
        meet(&meeting, omp_get_num_threads());
        if (!racy) {
#pragma omp barrier
        }
        EXPECT(x == 1);
    }
}

static void scope(void) {
    int sum = 0, meeting = 0;
#pragma omp parallel
    {
#ifdef __clang__ /* clang 19 lacks this construct */
#    pragma omp for reduction(+ : sum)
        for (int i = 0; i < omp_get_num_threads(); i++)
            sum += 1;
#else
#    pragma omp scope reduction(+ : sum)
        sum += 1;
#endif
        EXPECT(sum == omp_get_num_threads());
        meet(&meeting, omp_get_num_threads());
        if (racy)
            sum++;
    }
}

static const struct tsan_case cases[] = {
    CASE(start),         CASE(end),    CASE(again),       CASE(nested),   CASE(barrier),
    CASE(barrier_ahead), CASE(single), CASE(copyprivate), CASE(critical), CASE(critical_names),
    CASE(atomic),        CASE(locks),  CASE(nest_locks),  CASE(sections), CASE(reduction),
    CASE(copyin),        CASE(masked), CASE(scope),
};

int main(int argc, char **argv) {
    omp_set_max_active_levels(2);
    return RUN_CASES(cases, argc, argv);
}
