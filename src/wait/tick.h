/* The time of the system's last tick: a cheap clock. */
#ifndef BZ_TICK_H
#define BZ_TICK_H

#include <stdint.h>
#include <time.h>

#include "base/atomic.h"

/* Written by any thread, always with what suits; until it is known, what finds out. */
extern struct bz_tick_reader { int (*v)(clockid_t clock, struct timespec *time); } bz_tick_reader;

/* bz_os_now_ns as it was up to 10 ms ago. Cost: 4 ns. */
static inline uint64_t bz_tick_ns(void) {
    struct timespec now;
    (void)bz_load_relaxed (&bz_tick_reader)(CLOCK_MONOTONIC_COARSE,
                                            &now); /* relaxed: a constant of the process's */
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
