/* A fiber: calls on a stack of their own, which its thread can leave in the middle and resume. It stays on one thread, so
 * that addresses of thread-local storage that compilers keep stay right. The C library's and the C++ runtime's data about
 * the calls under way (errno, exceptions that are being handled) follow the fiber, and sanitizers are notified. Nothing
 * here is shared between threads. */
#ifndef BZ_FIBER_H
#define BZ_FIBER_H

#include <stdint.h>

#include "base/config.h"
#include "os/context.h"

struct bz_fiber {
    void *context; /* where it was left */
    void *low;     /* the lowest address, if known, of its current or first stack */
    size_t size;
    struct bz_fiber *from; /* which one was left for it last */
    void (*main)(void *);
    void *arg;
    void *stack; /* its own; NULL: it is a thread's */
    size_t bytes;
    struct {
        void *caught;
        unsigned uncaught;
    } exceptions;
    bool kept;      /* `exceptions` is right: as they were left, or none where it begins */
    int error;      /* errno */
    void *tsan;     /* ThreadSanitizer's, of its own stack */
    void *tsan_now; /* that of the stack that it was left on, or begins on */
    void *asan;     /* AddressSanitizer's */
};

/* Whether there are fibers on this machine. */
bool bz_fiber_possible(void);

/* A fiber that begins with main(arg), which does not return, when it is first switched to; `bytes` of stack, 0: as threads
 * have by default. 0 or ENOMEM. Cost: system calls. */
int bz_fiber_init(struct bz_fiber *fiber, size_t bytes, void (*main)(void *), void *arg);
/* It is not running, and no thread will switch to it. Any thread. */
void bz_fiber_destroy(struct bz_fiber *fiber);

/* Something was loaded: it may be the C++ runtime, whose exceptions follow the fibers from now on. Any thread. */
void bz_fiber_look_for_exceptions(void);

/* Leaves `from`, the calling fiber, for `to`; returns when a fiber switches to `from`. A thread's own stack is a fiber
 * that is all zero before. Cost: about 10 ns. */
void bz_fiber_switch(struct bz_fiber *from, struct bz_fiber *to);

/* The address below which a fiber that has not begun has little stack left. */
static inline uintptr_t bz_fiber_stack_limit(const struct bz_fiber *fiber) {
    size_t room = fiber->size / BZ_STACK_RESERVE_SHARE;
    return (uintptr_t)fiber->low + (room < BZ_STACK_RESERVE ? room : BZ_STACK_RESERVE);
}

#endif
