/* signals.h: which signals a thread of bz_os_thread_start takes. Part of the contract of os.h, whose conventions hold here.
 *
 * No signal of the process reaches it: all are blocked in it but those of faults and writes (SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGPIPE, SIGXFSZ) and the profiler's SIGPROF, which stay as they are in the creator.
 * The system blocks by number: what is sent to one thread would wait, too. So a number that the program sends to a thread
 * of ours, and handles, is *opened*: from then on our threads take it. Only a thread changes its own mask; the first two
 * signals of a number are followed by another one, BZ_OS_SIGNAL_OPENS, whose handler does that, and sees that it lasted. */
#ifndef BZ_OS_SIGNALS_H
#define BZ_OS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Not blocked; handled by us from the first use on. Where the program handles it, nothing is opened. */
#define BZ_OS_SIGNAL_OPENS (SIGRTMAX - 2)

/* On a thread of bz_os_thread_start: takes those signals again that it blocks only because it is one, as a program that it
 * starts shall do, the child of a fork, or itself to raise one. Returns them as bits, signal 1 the lowest; 0 on other
 * threads. Also in the child of vfork. Keeps errno. Cost: two system calls; a few ns on other threads. */
uint64_t bz_os_signals_lift(void);

/* Blocks them again. */
void bz_os_signals_restore(uint64_t lifted);

/* The signals that the calling thread blocks, as bits, but for those that it blocks only because it is such a thread. */
uint64_t bz_os_signals_blocked(void);

/* On a thread of bz_os_thread_start: blocks what one does whose creator blocked these. */
void bz_os_signals_renew(uint64_t blocked);

/* Whether that signal is to be opened when it has been sent to that thread (bz_os_thread_handle), whosever it is, which has
 * not been joined: the thread is ours and blocks it. Asked before it is sent, as a thread may end by it. Also in signal
 * handlers. Cost: some ns. */
bool bz_os_signals_waits(uintptr_t thread, int number);

/* It has been sent: opens it. Also in signal handlers. Keeps errno. Cost: four system calls. */
void bz_os_signals_open(uintptr_t thread, int number);

/* The same by the thread's number (bz_os_thread_id). Cost: some system calls. */
void bz_os_signals_open_id(uint32_t thread, int number);

/* For bz_os_thread_start, before a thread is created: blocks what it is to block, so that there is no moment when it could
 * take a signal that it must not take. Returns what is blocked in it because it is ours. */
uint64_t bz_os_signals_before_start(sigset_t *before);

/* By the new thread, first of all. */
void bz_os_signals_begin(uint64_t ours);

#endif
