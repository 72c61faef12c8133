/*
 * clock.c: the clocks of os.h on Linux.
 */
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "atomic.h"
#include "compiler.h"
#include "os/objects.h"
#include "os/os.h"

#define NS_PER_S UINT64_C(1000000000)

static inline uint64_t in_ns(const struct timespec *time) {
    return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

uint64_t bz_os_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return in_ns(&now);
}

#if defined(__aarch64__)
#    define KERNELS_CLOCK "__kernel_clock_gettime"
#else
#    define KERNELS_CLOCK "__vdso_clock_gettime"
#endif

typedef int clock_reader(clockid_t clock, struct timespec *time);

/* For who cannot have the coarse clock cheaply. */
static int read_fine_clock(clockid_t clock, struct timespec *time) {
    (void)clock;
    return clock_gettime(CLOCK_MONOTONIC, time);
}

/* What some readings of a clock take: the least of a few tries, since an interruption only makes it longer. */
static uint64_t time_of(clock_reader *read, clockid_t clock) {
    struct timespec unused;
    uint64_t least = UINT64_MAX;
    for (int try = 0; try < 4; try++) {
        uint64_t began = bz_os_now_ns();
        for (int i = 0; i < 8; i++) {
            (void)read(clock, &unused);
        }
        uint64_t ns = bz_os_now_ns() - began;
        least = ns < least ? ns : least;
    }
    return least;
}

static clock_reader read_first_tick;

/* What bz_os_tick_ns calls: the kernel's own function, without the C library's around it, where there is one. */
static struct { clock_reader *v; } read_tick = {read_first_tick}; /* written by any, with what suits */

static BZ_COLD int read_first_tick(clockid_t clock, struct timespec *time) {
    clock_reader *read;
    *(void **)&read = bz_os_defined("linux-vdso.so.1", KERNELS_CLOCK);
    read = read != NULL ? read : clock_gettime;
    if (read(clock, time) != 0 || time_of(read, clock) > time_of(clock_gettime, CLOCK_MONOTONIC)) {
        read = read_fine_clock;
    }
    bz_store_relaxed(&read_tick, read); /* relaxed: a constant of the process's */
    return read(clock, time);
}

uint64_t bz_os_tick_ns(void) {
    struct timespec now;
    (void)bz_load_relaxed (&read_tick)(CLOCK_MONOTONIC_COARSE, &now); /* relaxed: as above */
    return in_ns(&now);
}
