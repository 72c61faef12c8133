#include "wait/backoff.h"

#include "os/os.h"
#include "wait/policy.h"

enum { GUESS = 4 };

struct bz_a32 bz_backoff_pauses = {GUESS};

uint32_t bz_backoff_pauses_of(uint32_t pauses, uint64_t ns) {
    if (ns == 0) /* the clock is too coarse, or stands still */
        return GUESS;
    uint64_t n = ((uint64_t)pauses * BZ_BACKOFF_NS + ns / 2) / ns;
    return n < 1 ? 1 : n < BZ_BACKOFF_NS ? (uint32_t)n : BZ_BACKOFF_NS;
}

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
    uint64_t clock = time_of(0), both = time_of(PAUSES);
    bz_store_relaxed(&bz_backoff_pauses, bz_backoff_pauses_of(PAUSES, both > clock ? both - clock : 0));
}
