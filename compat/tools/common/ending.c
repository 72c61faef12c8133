/* ending.c: see ending.h. A signal handler writes the file as the end of the program does: what that calls takes no lock and
 * no memory of malloc's, and asks the loader nothing. Other threads may go on meanwhile; what they note is not in the file.
 *
 * Pairing table
 *   TE1 the file is written     TE2 another thread that gets a signal ends the process     the file */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "tools/trace/ending.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "runtime.h"
#include "tools/trace/file.h"
#include "tools/trace/settings.h"

/* Those that end a process, where a handler may run. */
static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ, SIGPIPE,
                              SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGSYS,  SIGTRAP};

/* The system's number of the thread that writes the file; 0: nobody has begun. */
static struct bz_a32 writer;
#define WRITTEN UINT32_MAX

/* Writes it if nobody has begun. Returns what went wrong, if anything. A signal waits for the end of it: it would end the
 * process in the middle. */
static const char *write_once(bool in_handler) {
    sigset_t ours, before;
    uint32_t none = 0;
    (void)sigemptyset(&ours);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        (void)sigaddset(&ours, signals[i]);
    (void)pthread_sigmask(SIG_BLOCK, &ours, &before);
    const char *failed = NULL;
    if (bz_cas_relaxed(&writer, &none, bz_os_thread_id())) { /* nothing but the word itself hangs on it */
        failed = bomp_trace_file_write(bomp_trace_settings.file, in_handler);
        bz_store_release(&writer, WRITTEN); /* TE1: pairs with TE2 */
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

static void write_and_say(bool in_handler) {
    const char *failed = write_once(in_handler);
    if (failed)
        bz_warn("BLITZ_TRACE: cannot write '%s': %s", bomp_trace_settings.file, failed);
}

void bomp_trace_ending_write(void) {
    write_and_say(false);
}

/* While another thread writes the file this one must not end the process. */
static void wait_for_writer(void) {
    static const struct timespec moment = {0, 10000000};
    uint32_t self = bz_os_thread_id();
    uint32_t by;
    while ((by = bz_load_acquire(&writer)) != WRITTEN && by != self) /* TE2: pairs with TE1 */
        (void)nanosleep(&moment, NULL);
}

/* The signal's own effect comes when this returns; until then all signals are blocked. Doing again what raised it would not
 * do: a key of the terminal, a breakpoint and a limit of time do not come again. */
static void handle(int signal, siginfo_t *info, void *context) {
    (void)info, (void)context;
    int saved = errno;
    write_and_say(true);
    wait_for_writer();
    struct sigaction normal = {0};
    normal.sa_handler = SIG_DFL;
    (void)sigaction(signal, &normal, NULL);
    (void)raise(signal);
    errno = saved;
}

static void handle_signals(void) {
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction before;
        if (sigaction(signals[i], NULL, &before) != 0 || (before.sa_flags & SA_SIGINFO) ||
            before.sa_handler != SIG_DFL)
            continue;
        struct sigaction ours = {0};
        ours.sa_sigaction = handle;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
        (void)sigfillset(&ours.sa_mask);
        (void)sigaction(signals[i], &ours, NULL);
    }
}

static void child_of_fork(void) {
    bz_store_relaxed(&writer, 0); /* this thread alone */
    bomp_trace_settings_fork();
    bomp_trace_client_forget();
}

void bomp_trace_ending_begin(void) {
    bomp_trace_file_begin();
    if (bz_os_at_fork(NULL, NULL, child_of_fork) != 0)
        bz_warn("BLITZ_TRACE: no memory to see forks; children of this process write no trace of their own");
    handle_signals();
}
