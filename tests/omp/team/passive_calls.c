// flags: -D_GNU_SOURCE
// threads: 2 4
// env: OMP_WAIT_POLICY=passive OMP_DYNAMIC=false
// beyond libomp: it yields
// With passive waits, the regions of a warm team make no system calls but sleeps and wakes: a filter ends the program
// at other calls, such as barriers on all threads and yields.
#include "../check.h"

#include <signal.h>
#include <sys/wait.h>

#include "../../sanitized.h"
#include "../../seccomp.h"

enum { WARM = 50, ROUNDS = 400 };

/* The clock is a system call on some machines. A member that shares a CPU with another one reads and sets its mask. */
static const long allowed[] = {SYS_futex,
                               SYS_exit_group,
                               SYS_write,
                               SYS_clock_gettime,
                               SYS_getcpu,
                               SYS_sched_getaffinity,
                               SYS_sched_setaffinity};

static void say_which(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    char text[] = "system call 000\n";
    for (int i = 14, call = info->si_syscall; i > 11; i--, call /= 10)
        text[i] = (char)('0' + call % 10);
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    _exit(1);
}

/* The threads wait for each other in both ways: at the region's end, and for its start. Not by a lock, as clang's reductions
 * may: before a thread first sleeps on one, it makes a barrier on all threads (src/wait/mutex.md). */
static int regions(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == i % omp_get_num_threads())
                for (volatile int k = 0; k < 20000; k++)
                    ;
#pragma omp atomic
            sum++;
        }
        for (volatile int k = 0; k < 20000; k++)
            ;
    }
    return sum;
}

int main(void) {
    struct sigaction action = {.sa_sigaction = say_which, .sa_flags = SA_SIGINFO};
    int threads = omp_get_max_threads();
    (void)sigaction(SIGSYS, &action, NULL);
    CHECK_EQ(regions(WARM), WARM * threads);
    int status = check_done("passive_calls");
    (void)fflush(stdout);
    if (SANITIZED || !seccomp_allow_only(allowed, sizeof allowed / sizeof allowed[0]))
        return status;
    CHECK_EQ(regions(ROUNDS), ROUNDS * threads);
    _exit(check_failures != 0); /* the end of the runtime may make other calls */
}
