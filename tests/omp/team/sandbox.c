// beyond libomp: it hangs
// flags: -D_GNU_SOURCE
// threads: 1 2 8
// env: OMP_WAIT_POLICY=passive
// env: OMP_DYNAMIC=false
// Teams sleep and wake while the process enters a sandbox: a filter that refuses the runtime's system calls except
// those for threads and futexes, first in the middle of the program, and then from its start.
#include "../check.h"

#include <unistd.h>

#include "../../sanitized.h"
#include "../../seccomp.h"

/* The sanitizers need the last one for each thread. */
static const long calls[] = {SYS_membarrier, SYS_sched_setaffinity, SYS_getcpu, SYS_getrusage,
                             SYS_prctl,      SYS_sched_getaffinity};
enum { CALLS = sizeof calls / sizeof calls[0] - SANITIZED };

/* A lost wake-up is a hang: the creator waits for a task that another thread must run. */
static void hand_over(int rounds) {
    int done = 0;
#pragma omp parallel shared(done)
#pragma omp single
    for (int i = 1; i <= rounds; i++) {
        if (i % 4 == 0)
            usleep(200); /* the others go to sleep */
#pragma omp task shared(done)
        __atomic_store_n(&done, i, __ATOMIC_RELEASE);
        if (omp_get_num_threads() > 1)
            while (__atomic_load_n(&done, __ATOMIC_ACQUIRE) != i)
                sched_yield();
#pragma omp taskwait
    }
    CHECK_EQ(done, rounds);
}

static void regions(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
        if (i % 8 == 0)
            usleep(200);
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
        for (int k = 0; k < 16; k++)
            sum += k;
    }
    CHECK_EQ(sum, 120L * rounds);
}

/* The holder of the lock sometimes sleeps, so that the others do. */
static void locks(int rounds) {
    int by_lock = 0, by_critical = 0, threads = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel reduction(+ : threads)
    {
        threads++;
        for (int i = 0; i < rounds; i++) {
            omp_set_lock(&lock);
            by_lock++;
            if (i % 16 == 0)
                usleep(100);
            omp_unset_lock(&lock);
#pragma omp critical
            by_critical++;
        }
    }
    omp_destroy_lock(&lock);
    CHECK_EQ(by_lock, threads * rounds);
    CHECK_EQ(by_critical, threads * rounds);
}

int main(int argc, char **argv) {
    (void)argc;
    regions(100);
    hand_over(100);
    locks(100);
    if (getenv("IN_SANDBOX") == NULL && seccomp_refuse(calls, CALLS, EPERM, true)) {
        regions(100);
        hand_over(200);
        locks(200);
        setenv("IN_SANDBOX", "1", 1);
        execv("/proc/self/exe", argv);
    }
    CHECK(omp_get_num_procs() >= 1);
    CHECK(omp_get_max_threads() >= 1);
    return check_done("sandbox");
}
