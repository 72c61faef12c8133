/* A lock on one word (after Drepper, "Futexes Are Tricky"); the unlock is a plain store while no thread sleeps (mutex.md).
 * Zero is unlocked. Any thread may unlock. */
#ifndef BZ_MUTEX_H
#define BZ_MUTEX_H

#include "base/atomic.h"
#include "base/compiler.h"
#include "os/os.h"
#include "wait/parking.h"

enum { BZ_MUTEX_FREE = 0, BZ_MUTEX_HELD = 1, BZ_MUTEX_CONTENDED = 2 };

void bz_mutex_lock_slow(struct bz_a32 *mutex);
void bz_mutex_unlock_slow(struct bz_a32 *mutex);

static inline bool bz_mutex_trylock(struct bz_a32 *mutex) {
    uint32_t expected = BZ_MUTEX_FREE;
    return bz_cas_acquire(mutex, &expected, BZ_MUTEX_HELD); /* M1: pairs with M2 */
}

static inline void bz_mutex_lock(struct bz_a32 *mutex) {
    if (bz_unlikely(!bz_mutex_trylock(mutex)))
        bz_mutex_lock_slow(mutex);
}

static inline void bz_mutex_unlock(struct bz_a32 *mutex) {
    if (bz_unlikely(!bz_parking_unlock(mutex)))
        bz_mutex_unlock_slow(mutex);
}

/* By its holder: others may take it for a moment. */
static inline void bz_mutex_yield(struct bz_a32 *mutex) {
    bz_mutex_unlock(mutex);
    bz_os_yield();
    bz_mutex_lock(mutex);
}

#endif
