// beyond libomp: its threads take the program's signals
// beyond libgomp: its threads take the program's signals
// flags: -pthread
// threads: 2 8
// Which signals reach whom. The runtime's threads take those that a fault or a write raises, the profiler's and the
// runtime's own, and no others; the program's own threads keep the masks that they have, and every signal that is sent to
// the process comes to one of them.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../../sanitized.h"
#include "../check.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int is_kept(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGABRT || number == SIGTRAP || number == SIGSYS || number == SIGPIPE ||
           number == SIGXFSZ || number == SIGPROF || number == SIGRTMAX - 2;
}

/* 32 and 33 are the C library's; SIGKILL and SIGSTOP cannot be blocked. */
static int is_ours(int number) {
    return number != SIGKILL && number != SIGSTOP && number != 32 && number != 33;
}

static sigset_t mask(void) {
    sigset_t set;

    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return set;
}

static void check_worker(void) {
    sigset_t set = mask();

    for (int number = 1; number <= SIGRTMAX; number++)
        if (is_ours(number))
            CHECK_EQ(sigismember(&set, number), !is_kept(number));
}

static void check_host(const sigset_t *before) {
    sigset_t set = mask();

    for (int number = 1; number <= SIGRTMAX; number++)
        CHECK_EQ(sigismember(&set, number), sigismember(before, number));
}

/* In teams, nested teams, tasks and at barriers. */
static void look_everywhere(void) {
    sigset_t before = mask();

    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        if (omp_get_thread_num() > 0)
            check_worker();
        else
            check_host(&before);
#pragma omp barrier
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() > 0)
            check_worker();
        if (omp_get_thread_num() == 0)
            check_host(&before);
    }
    check_host(&before);
}

/* ---- signals to the process ---- */

static pid_t host_id;
static int taken, strayed;

static void take(int number) {
    (void)number;
    if ((pid_t)syscall(SYS_gettid) == host_id)
        __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
    else
        __atomic_fetch_add(&strayed, 1, __ATOMIC_RELAXED);
}

static int has_come(int round) {
    return count_read(&taken) + count_read(&strayed) > round;
}

/* Sent by a thread of the runtime, which would be the first choice, while the main thread is busy or at the barrier. TSan
 * keeps a handler back while its thread sleeps in a system call: there the signal comes after the region. */
static void send_from_workers(void) {
    enum { SIGNALS = 20 };
    struct sigaction action = {.sa_handler = take};

    host_id = getpid();
    sigaction(SIGUSR1, &action, NULL);
    for (int round = 0; round < SIGNALS; round++) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1) {
                kill(getpid(), SIGUSR1);
                while (!UNDER_TSAN && !has_come(round))
                    sched_yield();
            } else if (omp_get_thread_num() > 0 || round % 2) {
                busy_work((unsigned)round, 1000);
            }
        }
        while (!has_come(round))
            usleep(100);
    }
    CHECK_EQ(taken, SIGNALS);
    CHECK_EQ(strayed, 0);
    action.sa_handler = SIG_DFL;
    sigaction(SIGUSR1, &action, NULL);
}

/* A thread that waits for signals, all others of the program blocking them, gets them. */
static void *wait_for_signals(void *arg) {
    const sigset_t *set = arg;
    int got = 0, number;

    while (got < 10 && sigwait(set, &number) == 0)
        got++;
    CHECK_EQ(got, 10);
    return NULL;
}

static void send_to_waiter(void) {
    sigset_t set, before;
    pthread_t waiter;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    CHECK_EQ(pthread_create(&waiter, NULL, wait_for_signals, &set), 0);
    for (int round = 0; round < 10; round++) {
#pragma omp parallel
#pragma omp single
        kill(getpid(), SIGUSR2);
        sigset_t pending;
        do {
            sched_yield();
            sigpending(&pending);
        } while (sigismember(&pending, SIGUSR2));
    }
    pthread_join(waiter, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int main(void) {
    sigset_t none;

    sigemptyset(&none); /* whatever is blocked where the tests were started */
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    look_everywhere();
    send_from_workers();
    send_to_waiter();
    printf("%d threads\n", omp_get_max_threads());
    return check_done("signals_masks");
}
