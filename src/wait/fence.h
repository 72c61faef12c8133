/* Asymmetric fences: the light side costs nothing, the heavy side makes all other threads execute a full fence (membarrier).
 * Of two threads
 *     A: write x; light; read y          B: write y; heavy; read x
 * one sees the other's write. Without membarrier both sides are full fences (sleep.md). */
#ifndef BZ_FENCE_H
#define BZ_FENCE_H

#include "base/atomic.h"
#include "base/compiler.h"

/* The light side is a real fence: until bz_fence_init, and once membarrier is refused. Read by each light side: relaxed. */
extern struct bz_aflag bz_fence_symmetric;

/* Before the first worker starts; again in a fork's child. */
void bz_fence_init(void);

static inline void bz_fence_light(void) {
    if (bz_unlikely(bz_load_relaxed(&bz_fence_symmetric)))
        bz_fence_seq_cst();
    else
        bz_signal_fence();
}

/* Cost: microseconds. */
void bz_fence_heavy(void);

/* The heavy side for a light side that is only bz_signal_fence. False: the system cannot, and that is not fenced. */
bool bz_fence_others(void);

#endif
