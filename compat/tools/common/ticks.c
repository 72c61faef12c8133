/* ticks.c: see ticks.h. */
#include "tools/common/ticks.h"

#include <string.h>

#if defined(__x86_64__)
#    include <cpuid.h>
#endif

struct bz_aflag bomp_ticks_are_cpus;

/* Written once, by bomp_ticks_begin. */
static uint64_t origin_ticks, origin_ns;

#if defined(__x86_64__)
#    define POWER_LEAF 0x80000007u  /* of cpuid: features that do not depend on power states */
#    define INVARIANT_BIT (1u << 8) /* in edx: its time stamp counter */

/* Whether the kernel offers the counter as a clock: it does unless the CPUs' counters differ. True if unknown. */
static bool is_offered(void) {
    char *clocks = bz_os_read("/sys/devices/system/clocksource/clocksource0/available_clocksource");
    bool is = !clocks || strstr(clocks, "tsc"); /* or Hyper-V's */
    bz_free(clocks);
    return is;
}
#endif

static bool cpus_counter_is_good(void) {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    return __get_cpuid(POWER_LEAF, &a, &b, &c, &d) && (d & INVARIANT_BIT) && is_offered();
#else
    return true; /* AArch64's is so by definition; other architectures do not use it */
#endif
}

/* Written once, by bomp_ticks_begin, before others read it. */
static double ticks_per_ns = 1;

#define TRIES 5

/* Reads both clocks at one moment: the try with the least time between the readings. */
static void read_both(uint64_t *ns, uint64_t *ticks) {
    uint64_t least = UINT64_MAX;
    for (int try = 0; try < TRIES; try++) {
        uint64_t before = bomp_ticks(), now = bz_os_now_ns(), took = bomp_ticks() - before;
        if (took < least) {
            least = took;
            *ns = now;
            *ticks = before + took / 2;
        }
    }
}

static double ticks_per_ns_after(uint64_t least_ns) {
    uint64_t ns = 0, ticks = 0;
    do {
        read_both(&ns, &ticks);
    } while (ns < origin_ns + least_ns);
    return (double)(ticks - origin_ticks) / (double)(ns - origin_ns);
}

#define ROUGH_NS 20000   /* for the first measurement */
#define LEAST_NS 1000000 /* two readings this far apart give a tick to 0.01 % */

void bomp_ticks_begin(void) {
    if (origin_ns != 0)
        return;
    bz_store_relaxed(&bomp_ticks_are_cpus,
                     cpus_counter_is_good()); /* relaxed: no other thread reads it yet */
    read_both(&origin_ns, &origin_ticks);
    ticks_per_ns = ticks_per_ns_after(ROUGH_NS);
}

double bomp_ns_per_tick(void) {
    double ticks = ticks_per_ns_after(LEAST_NS);
    return ticks > 0 ? 1 / ticks : 1;
}

uint64_t bomp_ticks_origin(void) {
    return origin_ticks;
}

uint64_t bomp_ticks_in(uint64_t ns) {
    return (uint64_t)((double)ns * ticks_per_ns);
}
