/* A sandbox for tests: system calls that are refused from now on. */
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

/* Permanent, for each thread of the process, or for the caller and the threads that it starts, and for programs that
 * replace the process. False if the system has no filters or does not permit this one. */
static inline bool seccomp_filter(const long *calls, unsigned count, unsigned these, unsigned others,
                                  bool all_threads) {
    struct sock_filter filter[SECCOMP_CALLS_MAX + 3];
    unsigned n = 0;
    if (count > SECCOMP_CALLS_MAX)
        return false;
    filter[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < count; i++) /* a hit jumps to the last statement */
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i],
                                                   (unsigned char)(count - i), 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, others);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, these);
    struct sock_fprog program = {.len = (unsigned short)n, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, all_threads ? SECCOMP_FILTER_FLAG_TSYNC : 0,
                   &program) == 0;
}

/* Lets the calls fail with `error`. */
static inline bool seccomp_refuse(const long *calls, unsigned count, int error, bool all_threads) {
    unsigned refusal = SECCOMP_RET_ERRNO | ((unsigned)error & SECCOMP_RET_DATA);
    return seccomp_filter(calls, count, refusal, SECCOMP_RET_ALLOW, all_threads);
}

/* Permits only these calls, in all threads; any other raises SIGSYS. */
static inline bool seccomp_allow_only(const long *calls, unsigned count) {
    return seccomp_filter(calls, count, SECCOMP_RET_ALLOW, SECCOMP_RET_TRAP, true);
}

#endif
