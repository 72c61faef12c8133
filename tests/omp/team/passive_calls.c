// beyond libomp: it asks the system for more
// flags: -D_GNU_SOURCE
// threads: 2 4
// env: OMP_WAIT_POLICY=passive OMP_DYNAMIC=false
// Threads that sleep at once ask the system for sleeps and wakes alone: whatever else the runtime might ask for its waits
// ends the process. Tasks that a worker keeps for itself may be fetched from it by a membarrier.
#include "../check.h"

#include <unistd.h>

#include "../../sanitized.h"
#include "../../seccomp.h"

enum { ROUNDS = 300 };

/* The last two come later: what fetches tasks, and what sets a filter. */
static const long calls[] = {
    SYS_sched_setaffinity, SYS_sched_getaffinity, SYS_gettid,     SYS_getpid, SYS_getcpu,
    SYS_clock_nanosleep,   SYS_getrusage,         SYS_membarrier, SYS_prctl};
enum { CALLS = sizeof calls / sizeof calls[0] };

static void work(void) {
    for (volatile int i = 0; i < 2000; i++)
        ;
}

static void regions(void) {
    long sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 16; i++) {
            work();
            sum += i;
        }
    }
    CHECK_EQ(sum, 120L * ROUNDS);
}

static void meetings(void) {
    long sum = 0;
#pragma omp parallel
    for (int r = 0; r < ROUNDS; r++) {
        work();
#pragma omp barrier
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < 16; i++) {
            work();
            sum += i;
        }
    }
    CHECK_EQ(sum, 120L * ROUNDS);
}

static void tasks(void) {
    int count = 0;
#pragma omp parallel
#pragma omp single
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < 16; i++) {
#pragma omp task shared(count)
            {
                work();
#pragma omp atomic
                count++;
            }
        }
#pragma omp taskwait
    }
    CHECK_EQ(count, 16 * ROUNDS);
}

/* The first ones make the threads. */
int main(void) {
    regions();
    tasks();
    if (!UNDER_ASAN && !UNDER_TSAN)
        (void)seccomp_answer(calls, CALLS - 2, SECCOMP_RET_KILL_PROCESS, true);
    tasks();
    if (!UNDER_ASAN && !UNDER_TSAN)
        (void)seccomp_answer(calls + CALLS - 2, 2, SECCOMP_RET_KILL_PROCESS, true);
    regions();
    meetings();
    return check_done("passive_calls");
}
