/* Stack sizes, and more stack: where a thread's own is nearly used up, its next call runs on another one, and returns to
 * it. So nested jobs need not fit into one stack. Each additional stack has a guard page as well; the last one is kept
 * for the next time. */
#ifndef BZ_STACK_H
#define BZ_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sched/worker.h"

struct bz_stack;

/* Bytes of stack for threads and fibers created from now on; 0: the system's default. Any thread. */
void bz_stack_set_size(size_t bytes);
size_t bz_stack_size(void);

/* The address below which the calling thread, on its first stack, has little left: for bz_worker's stack_limit. Cost: as
 * bz_os_stack_limit. */
uintptr_t bz_stack_bound(void);

/* Where the calling thread's stack ends now. The frame's address would do as well, but then each caller needs a frame. */
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

/* Whether the calling worker's thread has more than that little left. */
static inline bool bz_stack_is_left(const struct bz_worker *self) {
    return bz_stack_now() > self->stack_limit;
}

/* Runs fn(arg) on another stack. False: there is no memory for one, and it has not run. `self` is the calling worker. Cost:
 * some 20 ns, or without one that was kept some system calls. */
bool bz_stack_try_more(struct bz_worker *self, void (*fn)(void *), void *arg);

/* The same, but on this one if there is no memory. */
void bz_stack_more(struct bz_worker *self, void (*fn)(void *), void *arg);

/* The one that was kept, when the worker goes. NULL: nothing. Any thread. */
void bz_stack_destroy(struct bz_stack *stack);

#endif
