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

/* How floating point works in the calling fiber, as the processor says it: read at one moment, and looked at later, when
 * the processor has had the time to store it. */
struct bz_control {
#if defined(__x86_64__)
    uint32_t mxcsr;
    uint16_t fpucw;
#elif defined(__aarch64__)
    uint64_t fpcr;
#else
    char unknown;
#endif
};

static inline void bz_control_read(struct bz_control *control) {
#if defined(__x86_64__)
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control->mxcsr), "=m"(control->fpucw));
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(control->fpcr));
#else
    control->unknown = 0;
#endif
}

/* The same as a number, without the flags of exceptions. 0 where it is not known. */
static inline uint64_t bz_control_word(const struct bz_control *control) {
#if defined(__x86_64__)
    return (control->mxcsr & ~63u) | (uint64_t)control->fpucw << 32;
#elif defined(__aarch64__)
    return control->fpcr;
#else
    return 0 & control->unknown;
#endif
}

/* Whether the two would be different numbers. */
static inline bool bz_control_differs(const struct bz_control *one, const struct bz_control *other) {
#if defined(__x86_64__)
    return (((one->mxcsr ^ other->mxcsr) & ~63u) | (uint32_t)(one->fpucw ^ other->fpucw)) != 0;
#else
    return bz_control_word(one) != bz_control_word(other);
#endif
}

/* How floating point works in the calling fiber, to have it so in another one: 0 where that is not known. */
static inline uint64_t bz_os_control(void) {
    struct bz_control control;
    bz_control_read(&control);
    return bz_control_word(&control);
}
void bz_os_set_control(uint64_t control);

/* The same, and no exception of floating point has come about on this thread. */
void bz_os_renew_control(uint64_t control);

#endif
