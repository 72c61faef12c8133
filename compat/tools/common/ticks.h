/* ticks.h: a cheap clock: the CPU's counter if it is invariant and the same on all CPUs, else the system's clock. */
#ifndef BOMP_TICKS_H
#define BOMP_TICKS_H

#include <stdint.h>

#include "tools/common/base.h"

/* Whether bomp_ticks reads the CPU's counter. Written by bomp_ticks_begin; constant after that. */
extern struct bz_aflag bomp_ticks_are_cpus;

/* In units of bomp_ns_per_tick. Readings of two CPUs may be out of order by some ns. Cost: about 8 ns. */
static inline uint64_t bomp_ticks(void) {
#if defined(__x86_64__)
    if (bz_likely(bz_load_relaxed(&bomp_ticks_are_cpus))) /* relaxed: a constant by then */
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (bz_likely(bz_load_relaxed(&bomp_ticks_are_cpus))) { /* relaxed: as above */
        uint64_t now;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(now));
        return now;
    }
#endif
    return bz_os_now_ns();
}

/* Chooses the clock, before the first reading. Later calls do nothing. */
void bomp_ticks_begin(void);

/* The length of a tick, measured since bomp_ticks_begin: the later, the more exact. Any thread. */
double bomp_ns_per_tick(void);

/* The reading at bomp_ticks_begin. */
uint64_t bomp_ticks_origin(void);

/* Ticks, to 10 %; after bomp_ticks_begin. */
uint64_t bomp_ticks_in(uint64_t ns);

#endif
