#include "wait/rival.h"

#include <stdint.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"
#include "wait/load.h"
#include "wait/spin.h"
#include "wait/tuning.h"

/* Of a CPU, or of several, where less is noticed then. Hints, written by the threads that are there. */
struct place {
    BZ_ALIGN_LINE struct bz_a64 left; /* clock when one of ours last gave it away */
    struct bz_a64 until;    /* clock until which another program is expected here; 0: not expected */
    struct bz_a32 yielding; /* threads of ours that have given it away and have not come back */
};

static struct place places[BZ_RIVAL_PLACES];

static struct place *place_here(void) {
    return &places[bz_os_cpu() % BZ_RIVAL_PLACES];
}

/* Whether it may be one of ours that works here and was interrupted: more work than there are other CPUs. */
static bool may_be_ours(void) {
    uint32_t yielding = 0;
    for (unsigned i = 0; i < BZ_RIVAL_PLACES; i++)
        yielding += bz_load_relaxed(&places[i].yielding); /* relaxed: a hint */
    return bz_awake_beside(yielding + 1) >= bz_cpu_count();
}

/* A thread of ours that has worked here meanwhile has yielded the CPU later than this thread, or was interrupted. */
void bz_rival_yield(void) {
    struct place *place = place_here();
    uint64_t before = bz_os_now_ns();
    bz_store_relaxed(&place->left, before); /* relaxed, all: hints */
    bz_fetch_add_relaxed(&place->yielding, 1);
    bz_os_yield();
    bz_fetch_sub_relaxed(&place->yielding, 1);
    uint64_t now = bz_os_now_ns();
    if (bz_likely(now - before < BZ_RIVAL_NS) || !bz_spin_adapts() || place_here() != place)
        return;
    int64_t away =
        (int64_t)(now - bz_load_relaxed(&place->left)); /* below 0: one of ours has just come and gone */
    if (away > BZ_RIVAL_NS_MOST)
        away = BZ_RIVAL_NS_MOST;
    if (away >= BZ_RIVAL_NS && !may_be_ours())
        bz_store_relaxed(&place->until, now + BZ_RIVAL_TIMES * (uint64_t)away);
}

bool bz_rival_is_here(void) {
    struct place *place = place_here();
    uint64_t until = bz_load_relaxed(&place->until); /* relaxed, as below: a hint */
    if (bz_likely(until == 0))
        return false;
    if (bz_os_now_ns() < until)
        return true;
    bz_store_relaxed(&place->until, 0);
    return false;
}

void bz_rival_forget(void) {
    for (unsigned i = 0; i < BZ_RIVAL_PLACES; i++)
        bz_store_relaxed(&places[i].yielding, 0); /* relaxed: the only thread */
}
