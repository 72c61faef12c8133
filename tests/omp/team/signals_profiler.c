// threads: 2 8
// A profiler's timer reaches the threads of the runtime: the main thread blocks its signal, so one of them takes it.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static int by_main, by_others;

static void sample(int number) {
    (void)number;
    count_up((pid_t)syscall(SYS_gettid) == getpid() ? &by_main : &by_others);
}

int main(void) {
    static const struct itimerval often = {{0, 1000}, {0, 1000}};
    static const struct itimerval never;
    struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
    sigset_t profiler;
    int threads = 0;

#pragma omp parallel reduction(+ : threads)
    threads++;
    sigemptyset(&profiler);
    sigaddset(&profiler, SIGPROF);
    pthread_sigmask(SIG_BLOCK, &profiler, NULL);
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
#pragma omp parallel
    while (count_read(&by_others) < 5)
        busy_work(1, 1000);
    setitimer(ITIMER_PROF, &never, NULL);
    CHECK_EQ(by_main, 0);
    printf("%d threads are sampled\n", threads);
    return check_done("signals_profiler");
}
