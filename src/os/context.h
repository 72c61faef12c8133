/* context.h: fibers, and the switch from one to another. Part of the contract of os.h, whose
 * conventions hold here.
 *
 * A context is a suspended fiber: the address of what its registers were saved as, on its own stack. Only
 * what a called function has to keep is saved: the switch is a call to whoever makes it. */
#ifndef BZ_OS_CONTEXT_H
#define BZ_OS_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether there is a switch for this kind of processor. Where not, nothing else here may be called. */
bool bz_os_can_switch(void);

/* A context that begins with main(arg) below `top`, an address in a stack of which nothing below is in use. main must
 * not return. Backtraces end there. */
void *bz_os_context_new(void *top, void (*main)(void *), void *arg);

/* Suspends the calling fiber as *from and continues the context `to`, on the calling thread. Returns when somebody
 * continues *from. How floating point works (rounding, what traps) is a fiber's own; what exceptions of it have come
 * about is the thread's. Cost: some 25 instructions. */
void bz_os_context_switch(void **from, void *to);

/* How floating point works in the calling fiber, to have it so in another one: 0 where that is not known. */
uint64_t bz_os_control(void);
void bz_os_set_control(uint64_t control);

/* The same, and no exception of floating point has come about on this thread. */
void bz_os_renew_control(uint64_t control);

#endif
