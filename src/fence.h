/* Asymmetric fences: the light side costs nothing, the heavy side makes every other thread of the process execute a full
 * fence (membarrier(2), private expedited). Of two threads
 *     A: write x; light; read y          B: write y; heavy; read x
 * at least one sees the other's write. Used where one side is hot (a push) and the other is about to sleep anyway.
 * Where the kernel lacks membarrier, both sides are full fences. */
#ifndef BZ_FENCE_H
#define BZ_FENCE_H

#include "atomic.h"
#include "compiler.h"

/* Constant after bz_fence_init: whether the light side must be a real fence. Set until then, which is safe. */
extern bool bz_fence_symmetric;

/* Registers the process with membarrier. Called once before the first worker starts; again in a fork's child. */
void bz_fence_init(void);

static inline void bz_fence_light(void) {
    if (bz_unlikely(bz_fence_symmetric))
        bz_fence_seq_cst();
    else
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void bz_fence_heavy(void);

#endif
