// threads: 2
// env: OMP_STACKSIZE=1M
// env: GOMP_STACKSIZE=2048
// A worker has a stack of the requested size. One that needs more faults at the guard page below it.
#define _GNU_SOURCE
#include "../check.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../sanitized.h"

static uintptr_t low, high; /* of the worker's stack */

static void at_the_end(int signal, siginfo_t *info, void *context) {
    uintptr_t at = (uintptr_t)info->si_addr, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    (void)signal;
    (void)context;
    _exit(at + page >= low && at < low + page ? 0 : 1); /* the C library may count the guard page */
}

static __attribute__((noinline)) long deeper(long depth) {
    volatile char used[200];
    used[0] = (char)depth;
    return depth < 0 ? 0 : deeper(depth + 1) + used[0];
}

static void find_stack(void) {
    pthread_attr_t attr;
    void *start;
    size_t size;
    pthread_getattr_np(pthread_self(), &attr);
    pthread_attr_getstack(&attr, &start, &size);
    pthread_attr_destroy(&attr);
    low = (uintptr_t)start;
    high = low + size;
}

static void overflow(void) {
    static char other[64 << 10];
    stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    struct sigaction action = {.sa_sigaction = at_the_end, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    find_stack();
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    deeper(0);
}

int main(void) {
    size_t wanted = getenv("OMP_STACKSIZE") ? 1 << 20 : 2 << 20;
    int status = -1;
    pid_t child = SANITIZED ? 0 : fork();
    if (child == 0) {
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1) {
            if (SANITIZED)
                find_stack();
            else
                overflow();
        }
        if (!SANITIZED)
            _exit(2);
    } else {
        CHECK_EQ(waitpid(child, &status, 0), child);
        CHECK_EQ(status, 0);
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 1)
            find_stack();
    }
    CHECK(high - low >= wanted &&
          (SANITIZED || high - low < wanted + (256 << 10))); /* their locals are on the stack as well */
    return check_done("stack_guard");
}
