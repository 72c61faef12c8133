// threads: 1 2 3 8
// repeat: 4
// Taskloops of every type and direction; nogroup, collapse, lastprivate, final, large arguments; tasks and loops inside.
#include <limits.h>

#include "../check.h"

static long long sum;

static void add(long long value) {
    __atomic_fetch_add(&sum, value, __ATOMIC_RELAXED);
}

static void take(const char *what, int quiet) {
    if (!quiet)
        printf("%s: %lld\n", what, sum);
    sum = 0;
}

static void types(int quiet) {
#pragma omp taskloop
    for (int i = 10; i > -10; i -= 3)
        add(i);
    take("int down", quiet);
#pragma omp taskloop grainsize(3)
    for (long i = LONG_MAX - 30; i < LONG_MAX - 3; i += 4)
        add(LONG_MAX - i);
    take("long at the limit", quiet);
#pragma omp taskloop num_tasks(5)
    for (unsigned long long i = ULLONG_MAX - 20; i < ULLONG_MAX; i++)
        add((long long)(ULLONG_MAX - i));
    take("unsigned long long up", quiet);
#pragma omp taskloop grainsize(2)
    for (unsigned long long i = ULLONG_MAX - 5; i > ULLONG_MAX / 2; i -= ULLONG_MAX / 16)
        add((long long)(i >> 32));
    take("unsigned long long down", quiet);
#pragma omp taskloop
    for (short i = -100; i <= 100; i += 7)
        add(i);
    take("short", quiet);
#pragma omp taskloop
    for (unsigned char i = 0; i < 250; i += 9)
        add(i);
    take("unsigned char", quiet);
    static char text[100];
#pragma omp taskloop num_tasks(4)
    for (char *p = text; p < text + 100; p += 3)
        add(p - text);
    take("pointer", quiet);
#pragma omp taskloop collapse(3) grainsize(5)
    for (int i = 0; i < 4; i++)
        for (long j = 10; j > 0; j -= 3)
            for (unsigned k = 0; k < 5; k++)
                add(i * 1000 + j * 100 + (long)k);
    take("collapse", quiet);
}

static void data(int quiet) {
    struct {
        int values[700];
    } large;
    int last = -1, first = 5;
    long variable = 0;

    for (int i = 0; i < 700; i++)
        large.values[i] = i;
#pragma omp taskloop firstprivate(large) num_tasks(20)
    for (int i = 0; i < 700; i++) {
        add(large.values[i]);
        large.values[i] = -1; /* its own */
    }
    take("large arguments", quiet);
#pragma omp taskloop lastprivate(last, variable) firstprivate(first) grainsize(7)
    for (int i = 0; i < 1000; i++) {
        last = i * 2;
        variable = i + first;
        first = 5;
    }
    CHECK_EQ(last, 1998);
    CHECK_EQ(variable, 1004);
    int i;
#pragma omp taskloop lastprivate(i) grainsize(4)
    for (i = 0; i < 101; i += 3)
        add(i);
    CHECK_EQ(i, 102);
    take("last iteration", quiet);
}

static void fib_sum(int n) {
    if (n < 2) {
        add(n);
        return;
    }
#pragma omp taskloop grainsize(1) nogroup
    for (int k = 1; k <= 2; k++)
        fib_sum(n - k);
#pragma omp taskwait
}

static void nested(int quiet) {
    int done = 0;

    fib_sum(12);
    take("recursion", quiet);
    /* With nogroup they are children of the encountering task: taskwait waits for them, not for their children. */
#pragma omp taskloop nogroup grainsize(3) shared(done)
    for (int k = 0; k < 100; k++) {
#pragma omp task
        add(1);
        count_up(&done);
    }
#pragma omp taskwait
    CHECK_EQ(done, 100);
    /* The taskgroup also waits for their children. */
    done = 0;
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup num_tasks(10) shared(done)
        for (int k = 0; k < 50; k++) {
#pragma omp task shared(done)
            count_up(&done);
        }
    }
    CHECK_EQ(done, 50);
    done = 0;
#pragma omp taskloop num_tasks(10) shared(done)
    for (int k = 0; k < 50; k++) {
#pragma omp task shared(done)
        count_up(&done);
#pragma omp taskloop num_tasks(3) shared(done)
        for (int j = 0; j < 7; j++)
            count_up(&done);
    }
    CHECK_EQ(done, 400);
#pragma omp taskloop final(1) grainsize(5)
    for (int k = 0; k < 20; k++) {
        CHECK(omp_in_final());
#pragma omp taskloop
        for (int j = 0; j < 4; j++)
            add(omp_in_final());
    }
#pragma omp taskloop if (0) untied
    for (int k = 0; k < 20; k++)
        add(omp_get_thread_num() >= 0);
}

/* The tasks have the settings of their creator at the loop, even if its settings differ when it runs them. */
static void settings(void) {
    int before = omp_get_max_threads();

    omp_set_num_threads(5);
#pragma omp taskloop nogroup num_tasks(8)
    for (int k = 0; k < 8; k++) {
        CHECK_EQ(omp_get_max_threads(), 5);
#pragma omp task
        CHECK_EQ(omp_get_max_threads(), 5);
    }
    omp_set_num_threads(7);
#pragma omp taskwait
    CHECK_EQ(omp_get_max_threads(), 7);
    omp_set_num_threads(before);
}

static void everybody(int quiet) {
    sum = 0;
#pragma omp parallel
    {
#pragma omp taskloop grainsize(2)
        for (int i = 0; i < 60; i++)
            add(i);
#pragma omp taskloop nogroup num_tasks(30)
        for (int i = 0; i < 60; i++)
            add(1);
#pragma omp master
        {
#pragma omp taskloop
            for (int i = 0; i < 10; i++)
                add(1);
        }
    }
    CHECK_EQ(sum, (60 * 59 / 2 + 60) * (long long)omp_get_max_threads() + 10);
    sum = 0;
#pragma omp parallel master taskloop num_tasks(3)
    for (int i = 0; i < 10; i++)
        add(i);
    take("combined", quiet);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);

    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp master
        {
            types(i > 0);
            data(i > 0);
        }
#pragma omp parallel
#pragma omp single nowait
        {
            nested(i > 0);
            settings();
        }
        take("in all", i > 0);
        everybody(i > 0);
    }
    types(1);
    data(1);
    return check_done("taskloop_clauses");
}
