// Every construct outside a parallel region: a team of one.
#include "../check.h"

static void loops(void) {
    long sum = 0;
    int order = 0;

#pragma omp for schedule(static, 3)
    for (int i = 0; i < 10; i++)
        sum += i;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 10; i++)
        sum += i;
#pragma omp for schedule(guided, 2)
    for (long i = 20; i > 0; i -= 2)
        sum += i;
#pragma omp for schedule(runtime)
    for (unsigned long long i = 0; i < 5; i++)
        sum += (long)i;
#pragma omp for ordered schedule(dynamic, 2)
    for (int i = 0; i < 10; i++) {
#pragma omp ordered
        CHECK_EQ(order++, i);
    }
    CHECK_EQ(sum, 45 + 45 + 110 + 10);
    CHECK_EQ(order, 10);
}

static void blocks(void) {
    int once = 0, parts = 0, value = 0;

#pragma omp single
    once++;
#pragma omp single nowait
    once++;
#pragma omp single copyprivate(value)
    value = 42;
#pragma omp master
    once++;
#pragma omp critical
    once++;
#pragma omp critical(named)
    once++;
#pragma omp barrier
#pragma omp sections
    {
        parts += 1;
#pragma omp section
        parts += 2;
    }
    CHECK_EQ(once, 5);
    CHECK_EQ(parts, 3);
    CHECK_EQ(value, 42);
}

static int tasks(int n) {
    int a = 0, b = 0;

    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = tasks(n - 1);
#pragma omp task shared(b) untied
    b = tasks(n - 2);
#pragma omp taskwait
#pragma omp taskyield
    return a + b;
}

static void task_group(void) {
    int done = 0;

#pragma omp taskgroup
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
            {
#pragma omp task shared(done)
                done++;
                done++;
            }
        }
    }
    CHECK_EQ(done, 20);
}

int main(void) {
    for (int round = 0; round < 3; round++) {
        loops();
        blocks();
        CHECK_EQ(tasks(12), 144);
        task_group();
#pragma omp parallel num_threads(3)
        {
#pragma omp barrier
        }
    }
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    printf("level %d\n", omp_get_level());
    return check_done("orphans");
}
