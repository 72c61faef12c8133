/* threads.c: threads.h on Linux: /proc/self/task, and clocks of threads, whose numbers the kernel makes of the thread's. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/threads.h"

#include <errno.h>
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

#define CPU_CLOCK(thread) ((clockid_t)(~(thread) << 3 | 6)) /* the kernel's, of one thread */

uint64_t bz_os_cpu_ns(uint32_t thread) {
    struct timespec time;
    clockid_t clock = thread != 0 ? CPU_CLOCK(thread) : CLOCK_PROCESS_CPUTIME_ID;
    int saved = errno;
    int rc = clock_gettime(clock, &time);
    errno = saved;
    return rc == 0 ? (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec : 0;
}

/* The file has what it ran, what it waited for CPUs, and how often it got one: 0 where the kernel does not count. */
uint64_t bz_os_delay_ns(uint32_t thread) {
    char *text = bz_os_read("/proc/self/task/%u/schedstat", thread);
    uint64_t delay = UINT64_MAX, times;
    char *end = text;
    if (text) {
        (void)strtoull(text, &end, 10);
        uint64_t waited = strtoull(end, &end, 10);
        times = strtoull(end, NULL, 10);
        if (times > 0)
            delay = waited;
    }
    bz_free(text);
    return delay;
}

/* ---- system calls ---- */

/* How one says that it ends by itself. */
enum limit { ALWAYS, NEVER, IF_SET, IF_NOT_NEGATIVE };

static const struct call {
    long number;
    const char *name;
    enum limit limit;
    unsigned argument; /* that says so, from 0 */
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

/* "NUMBER ARGUMENTS... STACK PLACE", or -1 instead of the first two, or "running". */
static void read_call(const char *text, struct bz_os_look *look) {
    char *arguments;
    long number = strtol(text, &arguments, 10);
    if (arguments == text) {
        look->doing = BZ_OS_RUNS;
        return;
    }
    look->doing = number < 0 ? BZ_OS_SLEEPS : BZ_OS_BLOCKED; /* the system has stopped it */
    look->print = hash(text);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (calls[i].number != number)
            continue;
        look->call = calls[i].name;
        look->doing = has_limit(&calls[i], arguments) ? BZ_OS_SLEEPS : BZ_OS_BLOCKED;
    }
}

struct bz_os_look bz_os_look_at(uint32_t thread) {
    struct bz_os_look look = {.doing = BZ_OS_UNKNOWN, .call = ""};
    char *text = bz_os_read("/proc/self/task/%u/syscall", thread);
    if (text && text[0] != '\0')
        read_call(text, &look);
    bz_free(text);
    return look;
}

void bz_os_thread_name(uint32_t thread, char *name, unsigned size) {
    char *text = bz_os_read("/proc/self/task/%u/comm", thread);
    name[0] = '\0';
    if (text) {
        (void)bz_os_cut_line(text);
        (void)snprintf(name, size, "%s", text);
    }
    bz_free(text);
}

/* ---- all threads ---- */

/* As the kernel writes entries of a folder. */
struct entry {
    uint64_t inode;
    int64_t next;
    unsigned short size;
    unsigned char type;
    char name[];
};

/* Whether fn wants more. */
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
    int saved = errno;
    int held = bz_os_cancel_hold();
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    long bytes = folder >= 0 ? 1 : -1;
    bool goes_on = true;
    while (goes_on && bytes > 0 && (bytes = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
        goes_on = pass_on(entries, (size_t)bytes, fn, arg);
    if (folder >= 0)
        (void)close(folder);
    bz_os_cancel_allow(held);
    errno = saved;
    return goes_on && bytes == 0;
}
