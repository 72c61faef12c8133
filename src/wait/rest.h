/* What a worker does between two looks at a line that somebody else is about to write: the word of a barrier or of a
 * lock, and the deques of others. A look takes the line away from who writes it: one that comes between two of its writes
 * costs it the way there and back. So looks are about as far apart as that way is long, in time, not in pauses, which
 * take from 10 to 45 ns on today's processors. */
#ifndef BZ_REST_H
#define BZ_REST_H

#include <stdint.h>

#include "base/atomic.h"

/* Pauses in one rest; measured when the library is loaded, read by all. Before that: a guess. */
extern struct bz_a32 bz_rest_pauses;

/* So many rests, of BZ_REST_NS each. */
static inline void bz_rest(unsigned rests) {
    for (uint32_t n = rests * bz_load_relaxed(&bz_rest_pauses); n > 0; n--) /* relaxed: a hint */
        bz_cpu_relax();
}

/* How many make up a rest where so many pauses took that many nanoseconds: 1 to BZ_REST_PAUSES_MOST; if 0, a guess. */
uint32_t bz_rest_of(uint32_t pauses, uint64_t ns);

#endif
