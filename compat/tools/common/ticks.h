/* ticks.h: a cheap clock for events: the CPU's counter if it is invariant and the same on all CPUs, else the system's
 * clock. */
#ifndef BOMP_TICKS_H
#define BOMP_TICKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/common/base.h"

/* Whether bomp_ticks reads the CPU's counter. Written by bomp_ticks_begin, before others have anything to time. */
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

/* Chooses the clock. Before the first reading; again does nothing. */
void bomp_ticks_begin(void);

/* How long a tick is, measured from bomp_ticks_begin to now: the later, the better. Any thread. */
double bomp_ns_per_tick(void);

/* The reading at bomp_ticks_begin. */
uint64_t bomp_ticks_origin(void);

/* About how many ticks these are, to 10 %; from bomp_ticks_begin on. */
uint64_t bomp_ticks_in(uint64_t ns);

#endif
