#include "wait/backoff.h"

#include "os/os.h"
#include "wait/policy.h"

struct bz_a32 bz_backoff_pauses = {4}; /* a guess */

/* The least of a few: an interruption only makes it longer. */
static uint64_t time_of(uint32_t pauses) {
    uint64_t least = UINT64_MAX;
    for (unsigned try = 0; try < 3; try++) {
        uint64_t began = bz_os_now_ns();
        for (uint32_t i = 0; i < pauses; i++)
            bz_cpu_relax();
        uint64_t ns = bz_os_now_ns() - began;
        least = ns < least ? ns : least;
    }
    return least;
}

void bz_backoff_measure(void) {
    enum { PAUSES = 32 };
    uint64_t clock = time_of(0), ns = bz_ns_minus(time_of(PAUSES), clock);
    if (ns == 0)
        return; /* the clock is too coarse, or stands still */
    uint64_t pauses = (PAUSES * BZ_BACKOFF_NS + ns / 2) / ns;
    bz_store_relaxed(&bz_backoff_pauses, pauses < 1 ? 1 : (uint32_t)bz_ns_least(pauses, BZ_BACKOFF_NS));
}
