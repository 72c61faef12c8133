#include "wait/rival.h"

#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"
#include "wait/spin.h"
#include "wait/tuning.h"

/* Of a CPU, or of several, where less is noticed then. Hints, written by the threads that are there. */
struct place {
    BZ_ALIGN_LINE struct bz_a64 left; /* clock when one of ours last gave it away */
    struct bz_a64 until;              /* clock up to which a rival is expected; 0: none */
};

static struct place *place_here(void) {
    static struct place places[BZ_RIVAL_PLACES];
    return &places[bz_os_cpu() % BZ_RIVAL_PLACES];
}

/* Whoever of ours has worked here meanwhile has given the CPU away later than this thread, or was interrupted. */
void bz_rival_yield(void) {
    struct place *place = place_here();
    uint64_t before = bz_os_now_ns();
    bz_store_relaxed(&place->left, before); /* relaxed, all: hints */
    bz_os_yield();
    uint64_t now = bz_os_now_ns();
    if (bz_likely(now - before < BZ_RIVAL_NS) || !bz_spin_adapts() || place_here() != place)
        return;
    int64_t away =
        (int64_t)(now - bz_load_relaxed(&place->left)); /* below 0: one of ours has just come and gone */
    if (away > BZ_RIVAL_NS_MOST)
        away = BZ_RIVAL_NS_MOST;
    if (away >= BZ_RIVAL_NS)
        bz_store_relaxed(&place->until, now + BZ_RIVAL_TIMES * (uint64_t)away);
}

bool bz_rival_is_here(void) {
    struct place *place = place_here();
    uint64_t until = bz_load_relaxed(&place->until); /* relaxed, as the next: a hint */
    if (bz_likely(until == 0))
        return false;
    if (bz_os_now_ns() < until)
        return true;
    bz_store_relaxed(&place->until, 0);
    return false;
}
