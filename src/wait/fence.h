/* Asymmetric fences: the light side costs nothing, the heavy side makes every other thread of the process execute a full
 * fence (membarrier(2), private expedited). Of two threads
 *     A: write x; light; read y          B: write y; heavy; read x
 * at least one sees the other's write. Used where one side is hot (a push) and the other is about to sleep anyway.
 * Where the kernel lacks membarrier, both sides are full fences. So they are from when it is refused: a sandbox may be put
 * around the process at any time (sleep.md, "A refusal that comes later"). In a team that never spins posts and sleeps use
 * full fences instead (full_fences in domain.h): there the heavy side is the hot one. */
#ifndef BZ_FENCE_H
#define BZ_FENCE_H

#include "base/atomic.h"
#include "base/compiler.h"

/* Whether the light side must be a real fence. Set until bz_fence_init, which is safe, and again for good when membarrier
 * is refused. Written by those two, read by every light side: relaxed. */
extern struct bz_aflag bz_fence_symmetric;

/* Registers the process with membarrier. Called once before the first worker starts; again in a fork's child. */
void bz_fence_init(void);

static inline void bz_fence_light(void) {
    if (bz_unlikely(bz_load_relaxed(&bz_fence_symmetric)))
        bz_fence_seq_cst();
    else
        bz_signal_fence();
}

/* Cost: microseconds; BZ_FENCE_GRACE_NS more just after a first refusal. */
void bz_fence_heavy(void);

/* The heavy side for a light side that is bz_signal_fence and never more. False: the system has no such thing, or refused it
 * just now; then the other side is not fenced. Cost: microseconds. */
bool bz_fence_others(void);

#endif
