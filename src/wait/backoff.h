/* The pause between two loads of a line that another thread is about to write: a load between two of its writes costs two
 * transfers. */
#ifndef BZ_BACKOFF_H
#define BZ_BACKOFF_H

#include "base/atomic.h"

/* Pauses in one back-off. Processors differ: a guess until bz_backoff_measure() has written it; read by all. */
extern struct bz_a32 bz_backoff_pauses;

/* Cost: a microsecond or two. */
void bz_backoff_measure(void);

/* Pauses for that many times BZ_BACKOFF_NS. */
static inline void bz_backoff(unsigned backoffs) {
    for (uint32_t n = backoffs * bz_load_relaxed(&bz_backoff_pauses); n > 0; n--) /* relaxed: a hint */
        bz_cpu_relax();
}

#endif
