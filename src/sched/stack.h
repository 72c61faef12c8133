/* More stack: where a thread's stack is nearly used up, its next call runs on another one. */
#ifndef BZ_STACK_H
#define BZ_STACK_H

#include "sched/worker.h"

/* Stack bytes for new threads and fibers; 0: the system's default. Any thread. */
void bz_stack_set_size(size_t bytes);
size_t bz_stack_size(void);

/* For a worker's stack.limit, on the calling thread's first stack. Cost: as bz_os_stack_limit. */
uintptr_t bz_stack_bound(void);

/* Where the stack ends now, without making each caller set up a frame. */
static inline uintptr_t bz_stack_now(void) {
    uintptr_t now;
#if defined(__x86_64__) && defined(__LP64__)
    __asm__("mov %%rsp, %0" : "=r"(now));
#elif defined(__aarch64__) && defined(__LP64__)
    __asm__("mov %0, sp" : "=r"(now));
#else
    now = (uintptr_t)__builtin_frame_address(0);
#endif
    return now;
}

/* Whether the calling worker's thread has stack left. */
static inline bool bz_stack_is_left(const struct bz_worker *self) {
    return bz_stack_now() > self->stack.limit;
}

/* Runs fn(arg) on another stack. False: no memory. Cost: 20 ns; for a new stack some system calls. */
bool bz_stack_try_more(struct bz_worker *self, void (*fn)(void *), void *arg);

/* The same, on this stack if there is no memory. */
void bz_stack_more(struct bz_worker *self, void (*fn)(void *), void *arg);

/* Of a worker that ends. NULL: does nothing. Any thread. */
void bz_stack_destroy(struct bz_stack *stack);

#endif
