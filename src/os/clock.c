/* clock.c: the clocks of os.h on Linux. */
#include "os/os.h"

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t bz_os_now_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

uint64_t bz_os_tick_ns(void) {
    return read_clock(CLOCK_MONOTONIC_COARSE);
}
