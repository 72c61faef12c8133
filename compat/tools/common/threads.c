/* threads.c: threads.h on Linux, by /proc/self/task and the clocks of threads. */
#include "tools/common/threads.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tools/common/base.h"

#define CPU_CLOCK(thread) ((clockid_t)(~(thread) << 3 | 6)) /* as the kernel numbers clocks of threads */

uint64_t bomp_cpu_ns(uint32_t thread) {
    struct timespec time;
    clockid_t clock = thread != 0 ? CPU_CLOCK(thread) : CLOCK_PROCESS_CPUTIME_ID;
    BZ_KEEP_ERRNO;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec : 0;
}

/* The file: the time that it ran, that it waited for CPUs, and how often it got one, 0 if the kernel does not count. */
uint64_t bomp_delay_ns(uint32_t thread) {
    BZ_FREED char *text = bz_os_read("/proc/self/task/%u/schedstat", thread);
    uint64_t delay = UINT64_MAX, times;
    char *end = text;
    if (text) {
        (void)strtoull(text, &end, 10);
        uint64_t waited = strtoull(end, &end, 10);
        times = strtoull(end, NULL, 10);
        if (times > 0)
            delay = waited;
    }
    return delay;
}

/* ---- system calls ---- */

/* When one ends by itself. */
enum limit { ALWAYS, NEVER, IF_SET, IF_NOT_NEGATIVE };

#define CALL(name) LIMITED(name, NEVER, 0)
#define LIMITED(name, limit, argument)                                                                       \
    { SYS_##name, #name, limit, argument }

static const struct call {
    long number;
    const char *name;
    enum limit limit;
    unsigned argument; /* its timeout, from 0 */
} calls[] = {
    LIMITED(nanosleep, ALWAYS, 0),
    LIMITED(clock_nanosleep, ALWAYS, 0),
    LIMITED(restart_syscall, ALWAYS, 0),
    LIMITED(futex, IF_SET, 3),
    LIMITED(ppoll, IF_SET, 2),
    LIMITED(pselect6, IF_SET, 4),
    LIMITED(epoll_pwait, IF_NOT_NEGATIVE, 3),
    LIMITED(rt_sigtimedwait, IF_SET, 2),
    LIMITED(semtimedop, IF_SET, 3),
    LIMITED(io_getevents, IF_SET, 4),
    LIMITED(recvmmsg, IF_SET, 4),
    LIMITED(mq_timedsend, IF_SET, 4),
    LIMITED(mq_timedreceive, IF_SET, 4),
#ifdef SYS_epoll_pwait2
    LIMITED(epoll_pwait2, IF_SET, 3),
#endif
#ifdef SYS_futex_waitv
    LIMITED(futex_waitv, IF_SET, 3),
#endif
#ifdef SYS_poll
    LIMITED(poll, IF_NOT_NEGATIVE, 2),
    LIMITED(select, IF_SET, 4),
    LIMITED(epoll_wait, IF_NOT_NEGATIVE, 3),
    CALL(pause),
#endif
    CALL(read),
    CALL(readv),
    CALL(pread64),
    CALL(write),
    CALL(writev),
    CALL(recvfrom),
    CALL(recvmsg),
    CALL(sendto),
    CALL(sendmsg),
    CALL(accept),
    CALL(accept4),
    CALL(connect),
    CALL(wait4),
    CALL(waitid),
    CALL(flock),
    CALL(fcntl),
    CALL(fsync),
    CALL(ioctl),
};

static bool has_limit(const struct call *call, const char *arguments) {
    unsigned long value = 0;
    if (call->limit == ALWAYS || call->limit == NEVER)
        return call->limit == ALWAYS;
    for (unsigned i = 0; i <= call->argument; i++) {
        char *end;
        value = strtoul(arguments, &end, 16);
        arguments = end;
    }
    return call->limit == IF_SET ? value != 0 : (int)value >= 0;
}

static uint64_t hash(const char *text) {
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text != '\0'; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

/* "NUMBER ARGUMENTS... STACK PLACE", "-1 STACK PLACE" or "running". */
static void read_call(const char *text, struct bomp_activity *activity) {
    char *arguments;
    long number = strtol(text, &arguments, 10);
    if (arguments == text) {
        activity->doing = BOMP_RUNS;
        return;
    }
    activity->doing = number < 0 ? BOMP_SLEEPS : BOMP_BLOCKED; /* negative: stopped by the system */
    activity->print = hash(text);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].number != number)
            continue;
        activity->call = calls[i].name;
        activity->doing = has_limit(&calls[i], arguments) ? BOMP_SLEEPS : BOMP_BLOCKED;
    }
}

struct bomp_activity bomp_activity_of(uint32_t thread) {
    struct bomp_activity activity = {.doing = BOMP_UNKNOWN, .call = ""};
    BZ_FREED char *text = bz_os_read("/proc/self/task/%u/syscall", thread);
    if (text && text[0] != '\0')
        read_call(text, &activity);
    return activity;
}

void bomp_thread_name(uint32_t thread, char *name, unsigned size) {
    BZ_FREED char *text = bz_os_read("/proc/self/task/%u/comm", thread);
    if (text)
        (void)bz_os_cut_line(text);
    (void)snprintf(name, size, "%s", text ? text : "");
}

/* ---- all threads ---- */

/* The kernel's entry of a folder. */
struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* False: fn returned false. */
static bool pass_on(const char *entries, size_t bytes, bool (*fn)(uint32_t, void *), void *arg) {
    for (size_t at = 0; at + offsetof(struct entry, name) < bytes;) {
        const struct entry *entry = (const void *)(entries + at);
        char *end;
        unsigned long thread = strtoul(entry->name, &end, 10);
        if (end != entry->name && *end == '\0' && !fn((uint32_t)thread, arg))
            return false;
        at += entry->size > 0 ? entry->size : bytes;
    }
    return true;
}

bool bomp_each_thread(bool (*fn)(uint32_t thread, void *arg), void *arg) {
    _Alignas(struct entry) char entries[4096];
    BZ_KEEP_ERRNO;
    int held = bz_os_cancel_hold();
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long bytes = folder >= 0 ? 1 : -1;
    bool goes_on = true;
    while (goes_on && bytes > 0 && (bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        goes_on = pass_on(entries, (size_t)bytes, fn, arg);
    if (folder >= 0)
        (void)close(folder);
    bz_os_cancel_allow(held);
    return goes_on && bytes == 0;
}
