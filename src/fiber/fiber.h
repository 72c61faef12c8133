/* A fiber: calls on a stack of their own, which a thread can leave in the middle and resume. It stays on one thread:
 * compilers keep addresses of thread-local storage. errno, exceptions and sanitizers follow it. */
#ifndef BZ_FIBER_H
#define BZ_FIBER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/config.h"
#include "os/context.h"

struct bz_fiber {
    void *context; /* where it was left */
    void *low;     /* the lowest address, if known, of its current or first stack */
    size_t size;
    struct bz_fiber *from; /* the fiber that switched to it */
    void (*main)(void *);
    void *arg;
    void *stack; /* its own; NULL: the thread's */
    size_t bytes;
    struct {
        void *caught;
        unsigned uncaught;
    } exceptions;
    bool kept; /* `exceptions` is valid; none of a new fiber */
    int error; /* errno */
    void *tsan;
    /* ThreadSanitizer's handle of its own stack */
    void *tsan_now; /* and of the stack that it left, or begins on */
    void *asan;     /* AddressSanitizer's */
};

/* The first switch to it calls main(arg), which does not return. `bytes` of stack; 0: threads' default. 0 or ENOMEM. */
int bz_fiber_init(struct bz_fiber *fiber, size_t bytes, void (*main)(void *), void *arg);
/* Any thread, of a fiber that is not running. */
void bz_fiber_destroy(struct bz_fiber *fiber);

/* After a library was loaded: it may be the C++ runtime. Any thread. */
void bz_fiber_find_exceptions(void);

/* Leaves `from`, the calling fiber, until a fiber switches to it. For a thread's own stack, `from` is all zero at first.
 * Cost: 10 ns. */
void bz_fiber_switch(struct bz_fiber *from, struct bz_fiber *to);

/* Below this address a fiber that has not begun has little stack left. */
static inline uintptr_t bz_fiber_stack_limit(const struct bz_fiber *fiber) {
    size_t room = fiber->size / BZ_STACK_RESERVE_SHARE;
    return (uintptr_t)fiber->low + (room < BZ_STACK_RESERVE ? room : BZ_STACK_RESERVE);
}

#endif
