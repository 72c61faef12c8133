/* threads.h: what the system says of the threads of the process, whoever made them. Part of the contract of os.h, whose
 * conventions hold here. */
#ifndef BZ_OS_THREADS_H
#define BZ_OS_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* CPU time that a thread has used, by its number (bz_os_thread_id); of the process with 0, also for threads that have ended.
 * 0: there is no such thread. Cost: one system call. */
uint64_t bz_os_cpu_ns(uint32_t thread);

/* How long a thread of the process could have run, but others had the CPUs. UINT64_MAX: there is no such thread, or the
 * system does not count that. Cost: some system calls. */
uint64_t bz_os_delay_ns(uint32_t thread);

/* What a thread is at. */
enum bz_os_doing {
    BZ_OS_UNKNOWN, /* the system does not say */
    BZ_OS_RUNS,    /* or is about to */
    BZ_OS_SLEEPS, /* in a system call that ends by itself after some time; or a debugger or a missing page stops it */
    BZ_OS_BLOCKED /* in one that has no end of its own: a read, a lock */
};

struct bz_os_look {
    enum bz_os_doing doing;
    uint64_t print;   /* differs if the thread has made another call meanwhile; nearly always */
    const char *call; /* of one that is blocked: the name; "": of no known one */
};

/* Cost: some system calls. */
struct bz_os_look bz_os_look_at(uint32_t thread);

/* The name of the thread, cut to size - 1 bytes; "" if it is not known. Cost: some system calls. */
void bz_os_thread_name(uint32_t thread, char *name, unsigned size);

/* Calls fn with the number of each thread of the process, until it returns false. Whether it saw all of them. Cost: some
 * system calls. */
bool bz_os_each_thread(bool (*fn)(uint32_t thread, void *arg), void *arg);

#endif
