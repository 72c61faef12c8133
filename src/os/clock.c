/* The clocks of os.h on Linux. */
#include "base/atomic.h"
#include "os/os.h"

static uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t bz_os_now_ns(void) {
    return read_clock(CLOCK_MONOTONIC);
}

/* A clockid_t. Written by bz_os_choose_tick_clock(), read by all; relaxed: both clocks tell the same time. */
static struct bz_a32 tick_clock = {CLOCK_MONOTONIC_COARSE};

/* Nanoseconds of some readings. */
static uint64_t price_of(clockid_t clock) {
    uint64_t began = bz_os_now_ns();
    for (int i = 0; i < 8; i++)
        (void)read_clock(clock);
    return bz_os_now_ns() - began;
}

/* Some sandboxes make a system call of the coarse clock alone. An interruption while it is read costs little: later readings
 * take a few nanoseconds more. */
void bz_os_choose_tick_clock(void) {
    if (price_of(CLOCK_MONOTONIC_COARSE) > price_of(CLOCK_MONOTONIC))
        bz_store_relaxed(&tick_clock, CLOCK_MONOTONIC);
}

uint64_t bz_os_tick_ns(void) {
    return read_clock((clockid_t)bz_load_relaxed(&tick_clock));
}
