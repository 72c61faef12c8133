// A taskwait ends when its last child ends on another thread, whatever grandchildren are queued: here some that run
// until the waiting task has gone on.
#include "../check.h"

#include <unistd.h>

static int begun, left, over;

static void set(int *flag) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static int is_set(int *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

static void await(int *flag) {
    while (!is_set(flag))
        sched_yield();
}

static void poll_on(void) {
    if (!is_set(&over)) {
        sched_yield();
#pragma omp task
        poll_on();
    }
}

/* Stolen, since its creator waits for its start; ends when the grandchildren are queued. */
static void end_elsewhere(void) {
    set(&begun);
    await(&left);
    usleep(1000);
}

static void wait_for_children(void) {
#pragma omp task
    end_elsewhere();
    await(&begun);
#pragma omp task
    {
        for (int i = 0; i < 2; i++) {
#pragma omp task
            poll_on();
        }
        set(&left);
    }
#pragma omp taskwait
    set(&over);
}

int main(void) {
    omp_set_dynamic(0);
    for (int round = 0; round < 20; round++) {
        begun = left = over = 0;
#pragma omp parallel num_threads(2)
        if (omp_get_num_threads() == 2) {
#pragma omp single
            wait_for_children();
        }
    }
    return check_done("task_wait_over");
}
