// beyond libomp: its threads take the program's signals
// flags: -pthread
// threads: 1 4
// env: TIMER_FLAGS=0
// env: TIMER_FLAGS=1
// env: TIMER_FLAGS=2
// A timer's handler runs a thousand times a second on the main thread, with and without SA_RESTART and on its own
// stack, while that thread opens regions, waits at barriers and for tasks, and sleeps. Nothing breaks.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include "../../sanitized.h"
#include "../check.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static int ticks;
static char alternative[1 << 16];

static void tick(int number) {
    int saved = errno;

    (void)number;
    (void)getpid();
    __atomic_fetch_add(&ticks, 1, __ATOMIC_RELAXED);
    errno = saved;
}

static void start_timer(int flags) {
    static const struct itimerval every = {{0, 1000}, {0, 1000}};
    struct sigaction action = {.sa_handler = tick, .sa_flags = flags == 1 ? SA_RESTART : 0};

    if (flags == 2) {
        stack_t stack = {.ss_sp = alternative, .ss_size = sizeof alternative};
        CHECK_EQ(sigaltstack(&stack, NULL), 0);
        action.sa_flags = SA_ONSTACK;
    }
    CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
    CHECK_EQ(setitimer(ITIMER_REAL, &every, NULL), 0);
}

/* The last thread keeps the others waiting, asleep, until the timer has fired a few times. */
static void be_late(int ticks_more) {
    int until = count_read(&ticks) + ticks_more;

    if (UNDER_TSAN)
        usleep(1000 *
               (unsigned)ticks_more); /* TSan delays a handler while its thread sleeps in a system call */
    while (!UNDER_TSAN && count_read(&ticks) < until)
        usleep(200);
}

static int tree(int depth) {
    int left, right;

    if (depth == 0)
        return 1;
#pragma omp task shared(left)
    left = tree(depth - 1);
#pragma omp task shared(right)
    right = tree(depth - 1);
#pragma omp taskwait
    return left + right;
}

static int awaited;

static void regions(void) {
    for (int round = 0; round < 200; round++) {
        int sum = 0;

#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 3)
        for (int i = 0; i < 100; i++)
            sum += i;
        CHECK_EQ(sum, 4950);
    }
}

static void waits(void) {
    for (int round = 0; round < 5; round++) {
        int leaves = 0;

#pragma omp parallel
        {
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                be_late(3);
#pragma omp barrier
            for (int i = 0; i < 20; i++) {
#pragma omp barrier
            }
#pragma omp master
            leaves = tree(8);
            if (omp_get_thread_num() == omp_get_num_threads() - 1)
                be_late(3); /* at the region's end */
        }
        CHECK_EQ(leaves, 256);
    }
}

/* Slow tasks of other threads, and locks. */
static void sleeps(void) {
    omp_lock_t lock;
    int done = 0;

    omp_init_lock(&lock);
#pragma omp parallel
    {
#pragma omp single
        for (int i = 0; i < 4; i++)
#pragma omp task shared(done)
        {
            be_late(2);
            count_up(&done);
        }
        omp_set_lock(&lock);
        be_late(1);
        omp_unset_lock(&lock);
#pragma omp critical
        be_late(1);
#pragma omp master
#pragma omp taskgroup
        for (int i = 0; i < 4; i++)
#pragma omp task shared(done)
        {
            be_late(1);
            count_up(&done);
        }
    }
    CHECK_EQ(done, 8);
    omp_destroy_lock(&lock);
}

/* A detached task whose event comes late, from another host thread. */
static void events(void) {
    for (int round = 0; round < 3; round++) {
        omp_event_handle_t event;

        awaited = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
        {
#pragma omp task detach(event)
            awaited++;
#pragma omp task firstprivate(event)
            {
                be_late(2);
                omp_fulfill_event(event);
            }
#pragma omp taskwait
        }
        CHECK_EQ(awaited, 1);
    }
}

int main(void) {
    const char *flags = getenv("TIMER_FLAGS");

    start_timer(flags ? atoi(flags) : 0);
    errno = ENOTTY;
    regions();
    CHECK_EQ(errno, ENOTTY);
    waits();
    sleeps();
    events();
    return check_done("signals_timer");
}
