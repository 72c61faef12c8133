/* threads.h: the system's data on threads of the process, also on the program's own. os.h's conventions hold. */
#ifndef BOMP_TOOLS_THREADS_H
#define BOMP_TOOLS_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* CPU time of a thread by its number (bz_os_thread_id); 0: of the process, ended threads included. Returns 0 if there is no
 * such thread. */
uint64_t bomp_cpu_ns(uint32_t thread);

/* How long a thread of the process was runnable but had no CPU. UINT64_MAX: no such thread, or the system does not count.
 * Cost: some system calls. */
uint64_t bomp_delay_ns(uint32_t thread);

enum bomp_doing {
    BOMP_UNKNOWN,
    BOMP_RUNS,   /* or is runnable */
    BOMP_SLEEPS, /* in a system call with a time limit; or a debugger or a page fault stops it */
    BOMP_BLOCKED /* in a system call without one, such as a read */
};

struct bomp_activity {
    enum bomp_doing doing;
    uint64_t print;   /* nearly always differs after another call */
    const char *call; /* the name of the system call that blocks it; "": unknown */
};

/* Cost: some system calls. */
struct bomp_activity bomp_activity_of(uint32_t thread);

/* The name of the thread, cut to size - 1 bytes; "": unknown. Cost: some system calls. */
void bomp_thread_name(uint32_t thread, char *name, unsigned size);

/* Calls fn with the number of each thread of the process until it returns false. True: it saw all. Cost: some system
 * calls. */
bool bomp_each_thread(bool (*fn)(uint32_t thread, void *arg), void *arg);

#endif
