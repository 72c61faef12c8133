/* A sandbox for tests: system calls that are refused from now on, to this thread and those that it starts. */
#ifndef TEST_SECCOMP_H
#define TEST_SECCOMP_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SECCOMP_CALLS_MAX = 16 };

/* From now on the system answers the calls with `action`, with all_threads for every thread of the process. False if it has
 * no filters or does not allow this one. For good, and for programs that the process turns into. */
static inline bool seccomp_answer(const long *calls, unsigned count, unsigned action, bool all_threads) {
    struct sock_filter filter[SECCOMP_CALLS_MAX + 3];
    unsigned n = 0;
    if (count > SECCOMP_CALLS_MAX)
        return false;
    filter[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < count; i++) /* a hit jumps to the last statement */
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i],
                                                   (unsigned char)(count - i), 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, all_threads ? SECCOMP_FILTER_FLAG_TSYNC : 0,
                   &program) == 0;
}

/* The calls fail with `error`. */
static inline bool seccomp_refuse(const long *calls, unsigned count, int error, bool all_threads) {
    return seccomp_answer(calls, count, SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA),
                          all_threads);
}

#endif
