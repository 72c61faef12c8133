/* More stack: where a thread's own is nearly used up, what it calls next goes on on another one, and comes back when that
 * returns. So jobs that are nested in jobs need not fit into one stack. Each additional stack has a guard page, too; the
 * last one is kept for the next time. */
#ifndef BZ_STACK_H
#define BZ_STACK_H

#include <stdint.h>

struct bz_stack;
struct bz_worker;

/* The address below which the calling thread, on its first stack, has little left: for bz_worker's stack_limit. Cost: as
 * bz_os_stack_limit. */
uintptr_t bz_stack_bound(void);

/* Runs fn(arg) on another stack; on this one if there is no memory. `self` is the calling worker. Cost: some 20 ns,
 * or without one that was kept some system calls. */
void bz_stack_more(struct bz_worker *self, void (*fn)(void *), void *arg);

/* The one that was kept, when the worker goes. NULL: nothing. Any thread. */
void bz_stack_destroy(struct bz_stack *stack);

#endif
