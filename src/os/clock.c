/* clock.c: the clocks of os.h on Linux. */
#include "os/objects.h"
#include "os/os.h"

#define NS_PER_S UINT64_C(1000000000)

uint64_t bz_os_now_ns(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

#if defined(__aarch64__)
#    define KERNELS_CLOCK "__kernel_clock_gettime"
#else
#    define KERNELS_CLOCK "__vdso_clock_gettime"
#endif

/* Where the coarse clock costs more. */
static int read_fine_clock(clockid_t clock, struct timespec *time) {
    (void)clock;
    return clock_gettime(CLOCK_MONOTONIC, time);
}

/* The time of eight readings: the least of four tries, since interruptions only prolong them. */
static uint64_t time_of(bz_os_tick_reader *read, clockid_t clock) {
    struct timespec unused;
    uint64_t least = UINT64_MAX;
    for (int try = 0; try < 4; try++) {
        uint64_t began = bz_os_now_ns();
        for (int i = 0; i < 8; i++)
            (void)read(clock, &unused);
        uint64_t ns = bz_os_now_ns() - began;
        least = ns < least ? ns : least;
    }
    return least;
}

/* The kernel's function without that of the C library around it, if possible. */
bz_os_tick_reader *bz_os_find_tick_reader(void) {
    struct timespec unused;
    bz_os_tick_reader *read;
    *(void **)&read = bz_os_defined("linux-vdso.so.1", KERNELS_CLOCK);
    read = read ? read : clock_gettime;
    bool good = read(CLOCK_MONOTONIC_COARSE, &unused) == 0 &&
                time_of(read, CLOCK_MONOTONIC_COARSE) <= time_of(clock_gettime, CLOCK_MONOTONIC);
    return good ? read : read_fine_clock;
}
