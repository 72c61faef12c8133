/* signals.c: see signals.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/atomic.h"
#include "os/os.h"

#define SIGNALS 64

/* Signals that are blocked in the calling thread because it is ours, as bits; until the very end of the thread, whose last
 * destructors may start programs, too. Written by the thread; read by those that send it one. */
static _Thread_local struct bz_a64 own_blocked __attribute__((tls_model("initial-exec")));

/* The opened ones. Bits are set by those that send one, and stay; read by threads of ours and their creators. */
static struct bz_a64 opened;

static uint64_t bit_of(int number) {
    return number >= 1 && number <= SIGNALS ? UINT64_C(1) << (number - 1) : 0;
}

static uint64_t bits_of(const sigset_t *set) {
    uint64_t bits = 0;
    for (int number = 1; number <= SIGNALS; number++)
        if (sigismember(set, number) == 1)
            bits |= bit_of(number);
    return bits;
}

static uint64_t blocked_now(void) {
    sigset_t now;
    return pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 ? bits_of(&now) : 0;
}

static void change_mask(int how, uint64_t bits) {
    int saved = errno; /* sigaddset may not like the C library's own signals */
    sigset_t set;
    (void)sigemptyset(&set);
    for (int number = 1; number <= SIGNALS; number++)
        if (bits & bit_of(number))
            (void)sigaddset(&set, number);
    (void)pthread_sigmask(how, &set, NULL);
    errno = saved;
}

/* What a thread of ours must not take. */
static uint64_t kept_out(void) {
    static const int kept[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTRAP,
                               SIGSYS,  SIGPIPE, SIGXFSZ, SIGPROF, SIGKILL, SIGSTOP};
    sigset_t set;
    (void)sigfillset(&set);
    (void)sigdelset(&set, BZ_OS_SIGNAL_OPENS);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        (void)sigdelset(&set, kept[i]);
    return bits_of(&set);
}

/* Of these, which are blocked in the calling thread because it is ours, it takes what is opened; returned. After they were
 * blocked: whoever opens one later finds them so, and the handler does it. */
static uint64_t take_opened(uint64_t ours) {
    uint64_t taken = ours & bz_load_relaxed(&opened); /* relaxed: no more than the bits counts */
    if (taken != 0)
        change_mask(SIG_UNBLOCK, taken);
    return taken;
}

uint64_t bz_os_signals_lift(void) {
    uint64_t ours = bz_load_relaxed(&own_blocked);
    uint64_t lifted = ours != 0 ? ours & blocked_now() : 0;
    if (lifted != 0)
        change_mask(SIG_UNBLOCK, lifted);
    return lifted;
}

void bz_os_signals_restore(uint64_t lifted) {
    if (lifted == 0)
        return;
    change_mask(SIG_BLOCK, lifted);
    (void)take_opened(lifted);
}

uint64_t bz_os_signals_blocked(void) {
    return blocked_now() & ~bz_load_relaxed(&own_blocked);
}

void bz_os_signals_begin(uint64_t ours) {
    bz_store_relaxed(&own_blocked, ours);
    bz_store_relaxed(&own_blocked, ours & ~take_opened(ours));
}

void bz_os_signals_renew(uint64_t blocked) {
    uint64_t ours = kept_out();
    bz_store_relaxed(&own_blocked, ours & ~blocked);
    change_mask(SIG_SETMASK, ours | blocked);
    bz_os_signals_begin(ours & ~blocked);
}

uint64_t bz_os_signals_before_start(sigset_t *before) {
    uint64_t ours = kept_out();
    (void)pthread_sigmask(SIG_BLOCK, NULL, before);
    change_mask(SIG_BLOCK, ours);
    return bz_load_relaxed(&own_blocked) | (ours & ~bits_of(before));
}

/* ---- opening one ---- */

/* The mask that the thread goes on with is what changes: what waits comes when this returns. That may be the mask of a
 * handler, or the program may put back one that it read before; so what is found blocked here counts as ours once more, and
 * what is found open no longer. */
static void open_here(int number, siginfo_t *info, void *context) {
    (void)number, (void)info;
    sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;
    uint64_t ours = bz_load_relaxed(&own_blocked);
    uint64_t taken = ours & bz_load_relaxed(&opened); /* relaxed: set before this signal was sent */
    for (int other = 1; other <= SIGNALS; other++) {
        if ((taken & bit_of(other)) == 0)
            continue;
        if (sigismember(mask, other) == 1)
            (void)sigdelset(mask, other);
        else
            ours &= ~bit_of(other);
    }
    bz_store_relaxed(&own_blocked, ours);
}

/* Opens that signal, if the program handles it; what it does not handle, somebody may be waiting for by sigwait. Whether
 * our own may be sent to the thread now, which breaks off the same system calls as the program's does. */
static bool prepare(int number) {
    struct sigaction theirs, now, ours = {.sa_sigaction = open_here, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaction(number, NULL, &theirs) != 0 || theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN)
        return false;
    if (sigaction(BZ_OS_SIGNAL_OPENS, NULL, &now) != 0 ||
        (now.sa_handler != SIG_DFL && now.sa_sigaction != open_here))
        return false;
    (void)sigemptyset(&ours.sa_mask);
    ours.sa_flags |= theirs.sa_flags & SA_RESTART;
    if (sigaction(BZ_OS_SIGNAL_OPENS, &ours, NULL) != 0)
        return false;
    (void)bz_fetch_or_relaxed(&opened,
                              bit_of(number)); /* relaxed: the system orders what is sent behind it */
    return true;
}

/* Another thread's word: its static thread-local memory is as far from its descriptor as ours is. ThreadSanitizer takes the
 * making of that memory for a write that races with this. */
__attribute__((no_sanitize("thread"))) bool bz_os_signals_waits(uintptr_t thread, int number) {
    uint64_t bit = bit_of(number);
    uintptr_t theirs = thread + ((uintptr_t)&own_blocked - (uintptr_t)pthread_self());
    return bit != 0 &&
           (bz_load_relaxed((const struct bz_a64 *)theirs) & bit) != 0; /* relaxed: the bit alone counts */
}

void bz_os_signals_open(uintptr_t thread, int number) {
    int saved = errno;
    if (prepare(number))
        (void)pthread_kill((pthread_t)thread, BZ_OS_SIGNAL_OPENS);
    errno = saved;
}

/* What the thread blocks, as bits. Without memory from elsewhere or a stream: this may be in a signal handler. */
static uint64_t blocked_of_id(uint32_t thread) {
    static const char mark[] = "\nSigBlk:";
    char path[64], text[4096];
    (void)snprintf(path, sizeof path, "/proc/self/task/%u/status", (unsigned)thread);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t size = read(file, text, sizeof text - 1);
    (void)close(file);
    text[size > 0 ? size : 0] = '\0';
    const char *found = strstr(text, mark);
    return found ? strtoull(found + sizeof mark - 1, NULL, 16) : 0;
}

/* Whose it is its mask says: ours block all that must be kept out, but for what is opened. One of the program's that does,
 * too, runs our handler, in vain. */
void bz_os_signals_open_id(uint32_t thread, int number) {
    int saved = errno;
    int held = bz_os_cancel_hold();
    uint64_t blocked = blocked_of_id(thread);
    uint64_t ours =
        kept_out() & ~bz_load_relaxed(&opened); /* relaxed: one that is set meanwhile is missing, too */
    if ((blocked & bit_of(number)) != 0 && (blocked & bit_of(BZ_OS_SIGNAL_OPENS)) == 0 &&
        (ours & ~blocked) == 0 && prepare(number))
        (void)syscall(SYS_tgkill, getpid(), thread, BZ_OS_SIGNAL_OPENS);
    bz_os_cancel_allow(held);
    errno = saved;
}
