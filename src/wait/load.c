#include "wait/load.h"

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/config.h"
#include "os/topology.h"

/* Both hints, any thread writes. */
static struct {
    BZ_ALIGN_LINE struct bz_a32 awake; /* changed by every thread that parks or wakes, and by each region */
    /* Hardly ever written, read by all waiters at each poll. */
    BZ_ALIGN_LINE struct bz_aflag crowded; /* by judge */
    struct bz_a32 cpus;                    /* affinity count, 0 until first asked */
} threads;

/* After a change of either number, or a fence: of two threads that change one each, one sees the other's change. */
static bool outnumber_cpus(uint32_t count) {
    uint32_t cpus = bz_load_seq_cst(&threads.cpus); /* A4: pairs with A3 */
    return (int32_t)count > (int32_t)(bz_likely(cpus != 0) ? cpus : bz_cpu_count());
}

/* Of two threads here, either the writing one sees the other's change, or that one sees what was written. */
static void judge(bool now) {
    while (bz_load_seq_cst(&threads.crowded) != now) { /* A2: pairs with A3 */
        bz_store_relaxed(&threads.crowded, now);
        bz_fence_seq_cst(); /* A3: pairs with A1, A2 and A4 */
        now = outnumber_cpus(bz_load_relaxed(&threads.awake));
    }
}

void bz_awake_add(int delta) {
    uint32_t count =
        bz_fetch_add_seq_cst(&threads.awake, (uint32_t)delta) + (uint32_t)delta; /* A1: pairs with A3 */
    judge(outnumber_cpus(count));
}

void bz_awake_reset(uint32_t count) {
    bz_store_relaxed(&threads.awake, count); /* relaxed, both: the only thread */
    /* No allocation after a fork: without CPUs counted it has never been crowded. */
    if (bz_load_relaxed(&threads.cpus) != 0)
        judge(outnumber_cpus(count));
}

void bz_set_cpus(uint32_t n) {
    bz_store_relaxed(&threads.cpus, n);
    bz_fence_seq_cst(); /* A3: pairs with A1, A2 and A4 */
    judge(outnumber_cpus(bz_load_relaxed(&threads.awake)));
}

uint32_t bz_cpu_count(void) {
    uint32_t n = bz_load_relaxed(&threads.cpus);
    if (bz_unlikely(n == 0)) {
        uint32_t none = 0;
        n = bz_topology_affinity_count();
        if (!bz_cas_relaxed(&threads.cpus, &none, n)) /* relaxed: the number alone counts */
            n = none;                                 /* another thread has set it meanwhile */
    }
    return n;
}

bool bz_crowded(void) {
    return bz_load_relaxed(&threads.crowded); /* relaxed: a hint */
}

uint32_t bz_sharing(uint32_t count) {
    uint32_t cpus = bz_cpu_count();
    if (count <= cpus)
        return 1;
    uint32_t sharing = cpus > 1 ? (count + cpus - 3) / (cpus - 1) : count - 1;
    return sharing < BZ_LARGE_TEAM ? sharing : BZ_LARGE_TEAM;
}

bool bz_far_outnumbers_cpus(uint32_t count) {
    return count > BZ_LARGE_TEAM * bz_cpu_count();
}

uint32_t bz_awake_beyond(uint32_t count) {
    int32_t others = (int32_t)(bz_load_relaxed(&threads.awake) - count); /* relaxed: a hint */
    return others > 0 ? (uint32_t)others : 0;
}

bool bz_cpus_left(void) {
    return (int32_t)bz_load_relaxed(&threads.awake) < (int32_t)bz_cpu_count();
}
