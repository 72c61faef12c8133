// repeat: 100
// Thousands of very short tasks, then long ones or ones that wait for later ones: the creating thread must not wait.
#include "../check.h"

enum { ROUNDS = 40 };

static int cells[3];
static int flag;
static unsigned long_work;

static void fine(int *cell) {
    *cell += 1;
}

/* Even when it has nothing left to wait for. */
static void coarse(int i) {
    long_work = busy_work(long_work, 3000);
    wait_for_count(&flag, i);
    cells[0] += i;
}

static void plain_tasks(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp task
        {
#pragma omp atomic
            cells[2]++;
        }
    }
}

static void dependent_tasks(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp task depend(inout : cells[1])
        fine(&cells[1]);
    }
}

/* Coarse task i, two fine ones behind it, and the task that releases it. */
static void rendezvous(int i) {
#pragma omp task depend(inout : cells[0])
    coarse(i);
#pragma omp task depend(inout : cells[0]) depend(inout : cells[1])
    fine(&cells[1]);
#pragma omp task depend(inout : cells[1])
    fine(&cells[1]);
#pragma omp task shared(flag)
    __atomic_store_n(&flag, i, __ATOMIC_RELEASE);
}

static void round_of(int count) {
    cells[0] = cells[1] = cells[2] = flag = 0;
#pragma omp parallel
#pragma omp single
    {
        plain_tasks(count);
        dependent_tasks(count);
#pragma omp taskwait
        /* One at a time: a thread waits in each. */
        for (int i = 1; i <= ROUNDS && omp_get_num_threads() > 1; i++) {
            plain_tasks(count / ROUNDS);
            dependent_tasks(count / ROUNDS);
#pragma omp taskwait
            rendezvous(i); /* libgomp would run its tasks at once, and hang, if many others were queued */
#pragma omp taskwait
        }
    }
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 4000);
    int alone = omp_get_max_threads() == 1;
    int rounds = alone ? 0 : ROUNDS;

    for (int i = 0; i < 3; i++) {
        round_of(count);
        CHECK_EQ(cells[0], rounds * (rounds + 1) / 2);
        CHECK_EQ(cells[1], count + rounds * (count / ROUNDS + 2));
        CHECK_EQ(cells[2], count + rounds * (count / ROUNDS));
    }
    return check_done("task_fine");
}
