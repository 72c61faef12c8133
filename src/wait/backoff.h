/* Back-off: what a spinning worker does between two loads of a line that another thread is about to write: the word
 * of a barrier or of a lock, and the deques of others. A load takes the line away from the writer: one that comes between
 * two of its writes costs it two transfers. So loads are about as far apart as a transfer takes, in time, not in pauses,
 * which take from 10 to 45 ns on today's processors. */
#ifndef BZ_BACKOFF_H
#define BZ_BACKOFF_H

#include <stdint.h>

#include "base/atomic.h"

/* Pauses in one back-off; measured when the library is loaded, read by all. Before that: a guess. */
extern struct bz_a32 bz_backoff_pauses;

/* Pauses for that many times BZ_BACKOFF_NS. */
static inline void bz_backoff(unsigned backoffs) {
    for (uint32_t n = backoffs * bz_load_relaxed(&bz_backoff_pauses); n > 0; n--) /* relaxed: a hint */
        bz_cpu_relax();
}

/* How many pauses make up a back-off where `pauses` of them took `ns`: 1 to BZ_BACKOFF_NS; if ns is 0, a guess. */
uint32_t bz_backoff_pauses_of(uint32_t pauses, uint64_t ns);

#endif
