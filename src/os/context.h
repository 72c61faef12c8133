/* The switch from one fiber to another. A context is a suspended fiber: the address of its saved registers, on its
 * own stack. os.h's conventions hold. */
#ifndef BZ_OS_CONTEXT_H
#define BZ_OS_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

/* A context that begins with main(arg), which must not return, below `top` in an unused stack. Backtraces end there. */
void *bz_os_context_new(void *top, void (*main)(void *), void *arg);

/* Suspends the calling fiber as *from and resumes `to` on this thread. Returns when *from is resumed. The settings of
 * floating point (rounding, traps) are the fiber's, the flags of its exceptions the thread's. */
void bz_os_context_switch(void **from, void *to);

/* The settings of floating point as the processor stores them. Callers read them early and use them when the store has
 * ended. */
struct bz_control {
#if defined(__x86_64__)
    uint32_t mxcsr;
    uint16_t fpucw;
#else
    uint64_t fpcr;
#endif
};

static inline void bz_control_read(struct bz_control *control) {
#if defined(__x86_64__)
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control->mxcsr), "=m"(control->fpucw));
#else
    __asm__ volatile("mrs %0, fpcr" : "=r"(control->fpcr));
#endif
}

/* The same as a number, without the flags of exceptions. */
static inline uint64_t bz_control_word(const struct bz_control *control) {
#if defined(__x86_64__)
    return (control->mxcsr & ~63u) | (uint64_t)control->fpucw << 32;
#else
    return control->fpcr;
#endif
}

/* The calling fiber's settings, for another one. */
static inline uint64_t bz_os_control(void) {
    struct bz_control control;
    bz_control_read(&control);
    return bz_control_word(&control);
}
void bz_os_set_control(uint64_t control);

/* The same, and clears the thread's flags of exceptions. */
void bz_os_renew_control(uint64_t control);

#endif
