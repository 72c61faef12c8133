// More tasks than a queue holds. Each holds a lock of the program across a taskyield: none of the others may begin on
// its thread meanwhile, or it would wait for the lock forever.
#include "../check.h"

#include <sched.h>

enum { TASKS = 3000 };

static char lock;
static int inside, ended;

static void body(void) {
    while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE))
        sched_yield();
    CHECK_EQ(inside++, 0);
#pragma omp taskyield
    CHECK_EQ(--inside, 0);
    ended++;
    __atomic_clear(&lock, __ATOMIC_RELEASE);
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < TASKS; i++) {
#pragma omp task
        body();
    }
    CHECK_EQ(ended, TASKS);
    return check_done("yield_own_lock");
}
