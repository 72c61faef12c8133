// flags: -pthread
// threads: 2 8
// Signals to one thread of a team reach that thread: from other threads and from timers, while it computes, waits, is
// in a system call of the program or between two regions; and signals that it waits for itself.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../../sanitized.h"
#include "../check.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { VALUE = 42 };

static pthread_t threads[CHECK_MAX_THREADS];
static pid_t ids[CHECK_MAX_THREADS];
static int came[CHECK_MAX_THREADS], strayed;
static _Thread_local int number;

static void take(int signal) {
    (void)signal;
    count_up(pthread_equal(threads[number], pthread_self()) ? &came[number] : &strayed);
}

static void take_value(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (info->si_value.sival_int == VALUE)
        take(signal);
}

static void note(void) {
    number = omp_get_thread_num();
    threads[number] = pthread_self();
    ids[number] = (pid_t)syscall(SYS_gettid);
    came[number] = 0;
}

static void handle(int signal, int flags) {
    struct sigaction action = {.sa_handler = take, .sa_flags = flags};

    if (flags & SA_SIGINFO)
        action.sa_sigaction = take_value;
    CHECK_EQ(sigaction(signal, &action, NULL), 0);
}

static void by_kill(int to) {
    CHECK_EQ(pthread_kill(threads[to], SIGUSR1), 0);
}

static void by_queue(int to) {
    union sigval value = {.sival_int = VALUE};

    CHECK_EQ(pthread_sigqueue(threads[to], SIGRTMIN, value), 0);
}

static void by_id(int to) {
    CHECK_EQ(tgkill(getpid(), ids[to], SIGURG), 0);
}

static void by_timer(int to) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};
    struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
    timer_t timer;

    event._sigev_un._tid = ids[to];
    CHECK_EQ(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
    CHECK_EQ(timer_settime(timer, 0, &soon, NULL), 0);
    wait_for_count(&came[to], 1);
    timer_delete(timer);
}

/* Each thread waits for its own signal: half of them computing, the others asleep. */
static void send_all(void (*send)(int)) {
#pragma omp parallel
    {
        note();
#pragma omp barrier
#pragma omp master
        for (int to = omp_get_num_threads() - 1; to > 0; to--)
            send(to);
        while (number > 0 && count_read(&came[number]) == 0)
            if (number % 2)
                busy_work(1, 1000);
            else
                usleep(1000);
    }
}

/* The threads are at the barrier, or have left the region. */
static void send_to_waiting(int size) {
#pragma omp parallel
    {
        note();
#pragma omp barrier
#pragma omp master
        {
            by_kill(size - 1);
            wait_for_count(&came[size - 1], 1);
        }
    }
    for (int to = 1; to < size; to++) {
        int had = count_read(&came[to]);

        by_kill(to);
        wait_for_count(&came[to], had + 1);
    }
}

/* A signal arrives while the thread is in the handler of another one, which ends with the thread's earlier mask. */
static int first_came;

static void hold(int signal) {
    take(signal);
    wait_for_count(&first_came, 1);
}

static void take_first(int signal) {
    take(signal);
    count_up(&first_came);
}

static void send_into_handler(void) {
    struct sigaction action = {.sa_handler = hold};

    CHECK_EQ(sigaction(SIGUSR1, &action, NULL), 0);
    action.sa_handler = take_first;
    CHECK_EQ(sigaction(SIGVTALRM, &action, NULL), 0);
#pragma omp parallel num_threads(2)
    {
        note();
#pragma omp barrier
        if (number == 0) {
            by_kill(1);
            wait_for_count(&came[1], 1);
            for (int round = 1; round <= 3; round++) {
                CHECK_EQ(pthread_kill(threads[1], SIGVTALRM), 0);
                wait_for_count(&first_came, round);
            }
        }
    }
}

/* A sleeping system call of the program ends or restarts, as the handler's flags require. */
static void send_into_calls(void) {
    int ends[2], broken = 0, quiet = 0;

    CHECK_EQ(pipe(ends), 0);
    handle(SIGUSR2, 0);
    handle(SIGQUIT, SA_RESTART);
#pragma omp parallel num_threads(2)
    {
        char byte;

        note();
#pragma omp barrier
        if (number == 1) {
            CHECK(read(ends[0], &byte, 1) == -1 && errno == EINTR);
            signal_count(&broken);
            wait_for_count(&quiet, 1); /* another one may have been on its way */
            sched_yield();             /* it has come */
            CHECK_EQ(read(ends[0], &byte, 1), 1);
        } else {
            while (count_read(&broken) == 0) { /* it may not have been inside yet */
                pthread_kill(threads[1], SIGUSR2);
                usleep(1000);
            }
            signal_count(&quiet);
            int had = count_read(&came[1]);
            pthread_kill(threads[1], SIGQUIT);
            wait_for_count(&came[1], had + 1);
            CHECK_EQ(write(ends[1], "x", 1), 1);
        }
    }
    close(ends[0]);
    close(ends[1]);
}

/* Without a handler. */
static void wait_for_one(void) {
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGIO);
#pragma omp parallel num_threads(2)
    for (int round = 0; round < 3; round++) {
        int got = 0;

        note();
        if (number == 1)
            pthread_sigmask(SIG_BLOCK, &set, NULL);
#pragma omp barrier
        if (number == 0)
            CHECK_EQ(pthread_kill(threads[1], SIGIO), 0);
        else
            CHECK(sigwait(&set, &got) == 0 && got == SIGIO);
#pragma omp barrier
    }
}

int main(void) {
    sigset_t none;
    int size = 0;

    sigemptyset(&none); /* signals may be blocked where the tests were started */
    pthread_sigmask(SIG_SETMASK, &none, NULL);
#pragma omp parallel reduction(+ : size)
    size = 1;
    if (!UNDER_TSAN) { /* TSan's handlers cannot change their thread's mask */
        handle(SIGUSR1, SA_RESTART);
        handle(SIGRTMIN, SA_SIGINFO);
        handle(SIGURG, 0);
        handle(SIGALRM, SA_RESTART);
        send_all(by_kill);
        send_all(by_queue);
        send_all(by_id);
        send_all(by_timer);
        send_to_waiting(size);
        send_into_handler();
        send_into_calls();
    }
    wait_for_one();
    CHECK_EQ(strayed, 0);
    return check_done("signals_directed");
}
