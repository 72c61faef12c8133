/* ending.c: see ending.h. A signal handler writes reports as the end of the program does, without locks, malloc or the
 * loader. Other threads may go on meanwhile; their last events may be missing.
 *
 * Pairing table
 *   TE1 the reports are written     TE2 another thread that gets a signal ends the process     the files */
#include "tools/common/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "tools/common/base.h"

#define REPORTS_MOST 2

/* Written while tools begin. */
static bomp_ending_fn *reports[REPORTS_MOST];
static unsigned report_count;

/* The objects loaded when the first tool began; at an end outside signal handlers, those loaded then. Written by the thread
 * that writes the reports. */
static struct bomp_sources *sources;

/* Signals that do not end a process without a handler. All others do. */
static const int spared[] = {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};

/* The system's number of the thread that writes the reports; 0: none has begun. Written by that thread, read by threads
 * that get a signal. */
static struct bz_a32 writer;
#define WRITTEN UINT32_MAX

/* A report could not be written. Written while tools begin, and by the thread that writes the reports, which is the one
 * that exits. */
static bool failed;
#define STATUS_FAILED 125 /* as blitz-run's own */

static void write_all(bool in_handler) {
    struct bomp_sources *now = in_handler ? NULL : bomp_sources_open();
    if (now) { /* with the objects loaded meanwhile */
        bomp_sources_close(sources);
        sources = now;
    }
    for (unsigned i = report_count; i-- > 0;)
        reports[i]();
}

/* Does nothing if a thread has begun. Signals are blocked meanwhile: they would end the process in the middle. */
static void write_once(bool in_handler) {
    sigset_t ours, before;
    uint32_t none = 0;
    (void)sigfillset(&ours);
    (void)pthread_sigmask(SIG_BLOCK, &ours, &before);
    if (bz_cas_relaxed(&writer, &none, bz_os_thread_id())) { /* relaxed: it orders nothing else */
        write_all(in_handler);
        bz_store_release(&writer, WRITTEN); /* TE1: pairs with TE2 */
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void bomp_ending_write(void) {
    write_once(false);
}

/* After the reports, since it is registered before what writes them. exit goes on with the functions that are left. */
static void exit_with_failure(int status, void *arg) {
    (void)arg;
    if (status == 0 && failed)
        exit(STATUS_FAILED);
}

void bomp_ending_failed(void) {
    failed = true;
}

void bomp_ending_refused(void) {
    failed = true;
    (void)on_exit(exit_with_failure, NULL);
}

struct bomp_sources *bomp_ending_sources(void) {
    if (!sources)
        sources = bomp_sources_open();
    return sources;
}

/* This thread must not end the process while another one writes the reports. */
static void wait_for_writer(void) {
    static const struct timespec moment = {0, 10000000};
    uint32_t self = bz_os_thread_id();
    uint32_t by;
    while ((by = bz_load_acquire(&writer)) != WRITTEN && by != self) /* TE2: pairs with TE1 */
        (void)nanosleep(&moment, NULL);
}

/* The signal takes effect when this returns; until then all signals are blocked. It is raised again, because a
 * terminal's key, a breakpoint or a time limit does not come again. */
static void handle(int signal, siginfo_t *info, void *context) {
    (void)info, (void)context;
    int saved = errno;
    write_once(true);
    wait_for_writer();
    struct sigaction normal = {0};
    normal.sa_handler = SIG_DFL;
    (void)sigaction(signal, &normal, NULL);
    (void)raise(signal);
    errno = saved;
}

static bool is_spared(int signal) {
    bool is = false;
    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        is |= spared[i] == signal;
    return is;
}

static void handle_signals(void) {
    for (int signal = 1; signal <= SIGRTMAX; signal++) {
        struct sigaction before;
        if (is_spared(signal) || sigaction(signal, NULL, &before) != 0 || (before.sa_flags & SA_SIGINFO) ||
            before.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours = {0};
        ours.sa_sigaction = handle;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        (void)sigfillset(&ours.sa_mask);
        (void)sigaction(signal, &ours, NULL); /* fails for SIGKILL */
    }
}

/* The child has reports of its own, unless the process was at its end. relaxed: it has one thread. */
static void child_of_fork(void) {
    if (bz_load_relaxed(&writer) != WRITTEN)
        bz_store_relaxed(&writer, 0);
}

void bomp_ending_begin(bomp_ending_fn *write) {
    if (report_count == 0) {
        (void)bomp_ending_sources();
        if (bz_os_at_fork(NULL, NULL, child_of_fork) != 0)
            bz_warn("out of memory for a fork handler; children of this process write no reports");
        handle_signals();
        (void)on_exit(exit_with_failure, NULL); /* out of memory: the status stays the program's */
    }
    reports[report_count++] = write;
}
