/* monitor.c: the thread that looks now and then whether the program hangs, five times while it lasts as long as a hang does.
 * Time by its own looks, not by the clock: a process that was stopped meanwhile has not hung. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <stdlib.h>
#include <unistd.h>

#include "tools/watchdog/judge.h"
#include "tools/watchdog/record.h"
#include "tools/watchdog/watchdog.h"

#define LOOKS 5
#define THREAD_NAME "blitz-watchdog"

static struct {
    struct bomp_watchdog_settings settings;
    struct bz_os_thread thread;
    struct bz_a32 ends; /* a futex: 1: the thread shall end. Written by whoever stops it */
    bool is_started;    /* written by whoever starts and stops it */
} monitor;

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

/* Whether it shall go on. */
static bool sleep_on(uint64_t period_ns) {
    uint64_t deadline = bz_os_now_ns() + period_ns;
    while (bz_load_relaxed(&monitor.ends) == 0 && bz_os_now_ns() < deadline)
        (void)bz_os_futex_wait_until(&monitor.ends.v, 0, deadline);
    return bz_load_relaxed(&monitor.ends) == 0; /* nothing but the end hangs on it */
}

static void watch(void *arg) {
    uint64_t period_ns = monitor.settings.limit_ns / LOOKS;
    struct bomp_hang_judge judge = {.monitor = bz_os_thread_id()};
    unsigned still = 0; /* looks, one after the other, that have seen nothing move */
    enum bomp_hang_verdict told = BOMP_HANG_GOES_ON;
    (void)arg;
    while (sleep_on(period_ns)) {
        enum bomp_hang_verdict verdict = bomp_hang_look(&judge, period_ns);
        still = verdict == BOMP_HANG_GOES_ON ? 0 : still + 1;
        if (still == 0)
            told = BOMP_HANG_GOES_ON;
        if (still < LOOKS || verdict <= told)
            continue;
        report(verdict, &judge);
        told = verdict; /* once for each hang */
    }
}

void bomp_watchdog_monitor_start(const struct bomp_watchdog_settings *settings) {
    static const struct bz_os_thread_attr attr = {.stack_size = 256 * 1024, .name = THREAD_NAME};
    monitor.settings = *settings;
    bz_store_relaxed(&monitor.ends, 0); /* the thread is not there yet */
    int rc = bz_os_thread_start(&monitor.thread, &attr, watch, NULL);
    monitor.is_started = rc == 0;
    if (rc != 0)
        bz_warn("BLITZ_WATCHDOG: no thread for the watchdog (error %d); there is none", rc);
}

void bomp_watchdog_monitor_stop(void) {
    if (!monitor.is_started)
        return;
    monitor.is_started = false;
    bz_store_relaxed(&monitor.ends, 1);
    bz_os_futex_wake(&monitor.ends.v, 1);
    (void)bz_os_thread_join(&monitor.thread);
}
