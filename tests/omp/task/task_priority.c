// beyond libomp: it aborts by an assertion for untied undeferred tasks
// repeat: 3
// env: OMP_MAX_TASK_PRIORITY=5
// env: OMP_MAX_TASK_PRIORITY=0
// Tasks with priorities all run, alone or with other clauses. The priority is only a hint for their order.
#include "../check.h"

static int ran;

static void tree(int depth) {
    count_up(&ran);
    for (int i = 0; depth > 0 && i < 3; i++) {
#pragma omp task priority(i * 2) firstprivate(depth)
        tree(depth - 1);
    }
}

static int chain(int links) {
    int value = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < links; i++) {
#pragma omp task priority(i % 7) depend(inout : value) shared(value) firstprivate(i)
        value = value * 2 % 1000003 + i;
    }
    return value;
}

static int producer(int tasks) {
    int done = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < tasks; i++) {
#pragma omp task priority(1 + i % 5) shared(done)
        count_up(&done);
#pragma omp task priority(i) if (i % 3) untied shared(done)
        {
#pragma omp taskyield
            count_up(&done);
        }
#pragma omp task priority(3) final(i % 2) shared(done)
        {
#pragma omp task priority(4) shared(done)
            count_up(&done);
        }
    }
    return done;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
#pragma omp single
        tree(6);
        CHECK_EQ(producer(1500), 4500);
        CHECK_EQ(chain(500), chain(500));
    }
    CHECK_EQ(ran, rounds * 1093);
#pragma omp task priority(3)
    count_up(&ran);
#pragma omp taskwait
    printf("ran %d chain %d\n", ran - rounds * 1093, chain(500));
    return check_done("task_priority");
}
