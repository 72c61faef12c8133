// repeat: 100
// Thousands of tasks that take next to no time, then ones that take long or wait for later ones: whoever makes tasks must
// not be the one who waits.
#include <unistd.h>

#include "check.h"

static int cells[3];
static int flag;

static void fine(int *cell) {
    *cell += 1;
}

/* The first few times it only takes long. */
static void coarse(int i) {
    if (i < 4) {
        usleep(500);
        return;
    }
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

/* Task i of the coarse ones, two fine ones behind it, and what sets it free. */
static void rendezvous(int i) {
#pragma omp task depend(inout : cells[0])
    coarse(i);
#pragma omp task depend(inout : cells[0]) depend(inout : cells[1])
    fine(&cells[1]);
#pragma omp task depend(inout : cells[1])
    fine(&cells[1]);
#pragma omp task shared(flag)
    {
        if (i >= 4)
            __atomic_store_n(&flag, i, __ATOMIC_RELEASE);
    }
}

static void round_of(int count) {
    cells[0] = cells[1] = cells[2] = flag = 0;
#pragma omp parallel
#pragma omp single
    {
        plain_tasks(count);
        dependent_tasks(count);
        for (int i = 0; i < 4; i++)
            rendezvous(i);
#pragma omp taskwait
        /* One at a time: a thread waits in each. */
        for (int i = 4; i < 40 && omp_get_num_threads() > 1; i++) {
            plain_tasks(count / 40);
            dependent_tasks(count / 40);
            rendezvous(i);
#pragma omp taskwait
        }
    }
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 4000);
    int alone = omp_get_max_threads() == 1;
    int rounds = alone ? 0 : 36;

    for (int i = 0; i < 3; i++) {
        round_of(count);
        CHECK_EQ(cells[0], alone ? 0 : 36 * 43 / 2);
        CHECK_EQ(cells[1], count + 8 + rounds * (count / 40 + 2));
        CHECK_EQ(cells[2], count + rounds * (count / 40));
    }
    return check_done("task_fine");
}
