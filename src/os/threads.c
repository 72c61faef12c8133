/* threads.c: threads.h on Linux, by /proc/self/task and the clocks of threads. */
#include "os/threads.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "os/files.h"
#include "os/os.h"

#define CPU_CLOCK(thread) ((clockid_t)(~(thread) << 3 | 6)) /* as the kernel numbers clocks of threads */

uint64_t bz_os_cpu_ns(uint32_t thread) {
    struct timespec time;
    clockid_t clock = thread != 0 ? CPU_CLOCK(thread) : CLOCK_PROCESS_CPUTIME_ID;
    BZ_KEEP_ERRNO;
    return clock_gettime(clock, &time) == 0 ? (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec : 0;
}

/* The file: the time that it ran, that it waited for CPUs, and how often it got one, 0 if the kernel does not count. */
uint64_t bz_os_delay_ns(uint32_t thread) {
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

static const struct call {
    long number;
    const char *name;
    enum limit limit;
    unsigned argument; /* its timeout, from 0 */
} calls[] = {
    {SYS_nanosleep, "nanosleep", ALWAYS, 0},
    {SYS_clock_nanosleep, "clock_nanosleep", ALWAYS, 0},
    {SYS_restart_syscall, "restart_syscall", ALWAYS, 0},
    {SYS_futex, "futex", IF_SET, 3},
    {SYS_ppoll, "ppoll", IF_SET, 2},
    {SYS_pselect6, "pselect6", IF_SET, 4},
    {SYS_epoll_pwait, "epoll_pwait", IF_NOT_NEGATIVE, 3},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait", IF_SET, 2},
    {SYS_semtimedop, "semtimedop", IF_SET, 3},
    {SYS_io_getevents, "io_getevents", IF_SET, 4},
    {SYS_recvmmsg, "recvmmsg", IF_SET, 4},
    {SYS_mq_timedsend, "mq_timedsend", IF_SET, 4},
    {SYS_mq_timedreceive, "mq_timedreceive", IF_SET, 4},
#ifdef SYS_epoll_pwait2
    {SYS_epoll_pwait2, "epoll_pwait2", IF_SET, 3},
#endif
#ifdef SYS_futex_waitv
    {SYS_futex_waitv, "futex_waitv", IF_SET, 3},
#endif
#ifdef SYS_poll
    {SYS_poll, "poll", IF_NOT_NEGATIVE, 2},
    {SYS_select, "select", IF_SET, 4},
    {SYS_epoll_wait, "epoll_wait", IF_NOT_NEGATIVE, 3},
    {SYS_pause, "pause", NEVER, 0},
#endif
    {SYS_read, "read", NEVER, 0},
    {SYS_readv, "readv", NEVER, 0},
    {SYS_pread64, "pread64", NEVER, 0},
    {SYS_write, "write", NEVER, 0},
    {SYS_writev, "writev", NEVER, 0},
    {SYS_recvfrom, "recvfrom", NEVER, 0},
    {SYS_recvmsg, "recvmsg", NEVER, 0},
    {SYS_sendto, "sendto", NEVER, 0},
    {SYS_sendmsg, "sendmsg", NEVER, 0},
    {SYS_accept, "accept", NEVER, 0},
    {SYS_accept4, "accept4", NEVER, 0},
    {SYS_connect, "connect", NEVER, 0},
    {SYS_wait4, "wait4", NEVER, 0},
    {SYS_waitid, "waitid", NEVER, 0},
    {SYS_flock, "flock", NEVER, 0},
    {SYS_fcntl, "fcntl", NEVER, 0},
    {SYS_fsync, "fsync", NEVER, 0},
    {SYS_ioctl, "ioctl", NEVER, 0},
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
static void read_call(const char *text, struct bz_os_activity *activity) {
    char *arguments;
    long number = strtol(text, &arguments, 10);
    if (arguments == text) {
        activity->doing = BZ_OS_RUNS;
        return;
    }
    activity->doing = number < 0 ? BZ_OS_SLEEPS : BZ_OS_BLOCKED; /* negative: stopped by the system */
    activity->print = hash(text);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].number != number)
            continue;
        activity->call = calls[i].name;
        activity->doing = has_limit(&calls[i], arguments) ? BZ_OS_SLEEPS : BZ_OS_BLOCKED;
    }
}

struct bz_os_activity bz_os_activity_of(uint32_t thread) {
    struct bz_os_activity activity = {.doing = BZ_OS_UNKNOWN, .call = ""};
    BZ_FREED char *text = bz_os_read("/proc/self/task/%u/syscall", thread);
    if (text && text[0] != '\0')
        read_call(text, &activity);
    return activity;
}

void bz_os_thread_name(uint32_t thread, char *name, unsigned size) {
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

bool bz_os_each_thread(bool (*fn)(uint32_t thread, void *arg), void *arg) {
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
