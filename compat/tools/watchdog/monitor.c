/* monitor.c: the thread that checks whether the program hangs, five times in the time that makes a hang. It counts its
 * checks and not the clock, because a process that was stopped meanwhile has not hung. It ends with the last thread that
 * OpenMP knows, so that it does not keep the process alive. */
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "ompt/blitz-tools.h"
#include "tools/watchdog/judge.h"
#include "tools/watchdog/record.h"
#include "tools/watchdog/watchdog.h"

#define CHECKS 5
#define THREAD_NAME "blitz-watchdog"

static struct {
    struct bomp_watchdog_settings settings;
    blitz_leave_places_t leave_places; /* NULL: the runtime has no such thing */
    pthread_mutex_t mutex;             /* held while the thread is started or stopped */
    bool runs, is_over;                /* under the mutex: the thread exists; none may start again */
    /* A futex: a new number ends the thread of the old one. Written under the mutex, read by the thread. */
    struct bz_a32 round;
} monitor = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static _Noreturn void end_process(void) {
    if (monitor.settings.then == BOMP_WATCHDOG_ABORT)
        abort();
    _exit(monitor.settings.code); /* exit() would wait for what hangs */
}

static void report(enum bomp_hang_verdict verdict, const struct bomp_hang_judge *judge) {
    bool certain = verdict == BOMP_HANG_HANGS;
    if (bomp_watchdog_report(&monitor.settings, judge->moves, certain) && certain &&
        monitor.settings.then != BOMP_WATCHDOG_GO_ON)
        end_process();
}

/* Whether the thread of that round continues. */
static bool sleep_on(uint32_t round, uint64_t period_ns) {
    uint64_t deadline = bz_os_now_ns() + period_ns;
    while (bz_load_relaxed(&monitor.round) == round && bz_os_now_ns() < deadline)
        (void)bz_os_futex_wait_until(&monitor.round.v, round, deadline, 0);
    return bz_load_relaxed(&monitor.round) == round;
}

static void watch(void *arg) {
    bz_os_thread_rename(THREAD_NAME);
    uint64_t period_ns = monitor.settings.limit_ns / CHECKS;
    struct bomp_hang_judge judge = {.monitor = bz_os_thread_id()};
    unsigned still = 0; /* checks in sequence that saw nothing move */
    enum bomp_hang_verdict reported = BOMP_HANG_GOES_ON;
    if (monitor.leave_places)
        monitor.leave_places();
    while (sleep_on((uint32_t)(uintptr_t)arg, period_ns)) {
        enum bomp_hang_verdict verdict = bomp_hang_check(&judge, period_ns);
        still = verdict == BOMP_HANG_GOES_ON ? 0 : still + 1;
        if (still == 0)
            reported = BOMP_HANG_GOES_ON;
        if (still < CHECKS || verdict <= reported)
            continue;
        report(verdict, &judge);
        reported = verdict; /* once for each hang */
    }
}

static void start(void) {
    static const struct bz_os_thread_attr attr = {.stack_size = 256 * 1024};
    uintptr_t round = bz_load_relaxed(&monitor.round);
    sigset_t all, before; /* the program's handlers do not run on the watchdog */
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = bz_os_thread_start(&attr, watch, (void *)round);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    monitor.runs = rc == 0;
    if (rc != 0)
        bz_warn("BLITZ_WATCHDOG: cannot start its thread (error %d); no watchdog runs", rc);
}

static void stop(void) {
    monitor.runs = false;
    bz_store_relaxed(&monitor.round, bz_load_relaxed(&monitor.round) + 1);
    bz_os_futex_wake(&monitor.round.v, INT_MAX);
}

void bomp_watchdog_monitor_begin(const struct bomp_watchdog_settings *settings,
                                 ompt_function_lookup_t lookup) {
    monitor.settings = *settings;
    monitor.leave_places = (blitz_leave_places_t)lookup("blitz_leave_places");
    bomp_watchdog_monitor_match();
}

void bomp_watchdog_monitor_match(void) {
    (void)pthread_mutex_lock(&monitor.mutex);
    bool is_wanted = bomp_hang_alive() > 0 && !monitor.is_over;
    if (is_wanted && !monitor.runs)
        start();
    else if (!is_wanted && monitor.runs)
        stop();
    (void)pthread_mutex_unlock(&monitor.mutex);
}

void bomp_watchdog_monitor_fork(void) {
    monitor.mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* its holder does not exist here */
    monitor.runs = false;                                       /* until the first event */
}

void bomp_watchdog_monitor_end(void) {
    (void)pthread_mutex_lock(&monitor.mutex);
    monitor.is_over = true;
    (void)pthread_mutex_unlock(&monitor.mutex);
    bomp_watchdog_monitor_match();
}
