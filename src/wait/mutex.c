#include "wait/mutex.h"

static bool take(struct bz_a32 *mutex, bool marked) {
    uint32_t seen = bz_load_relaxed(mutex); /* relaxed: decided by the compare and swap */
    uint32_t held = marked || seen != BZ_MUTEX_FREE ? BZ_MUTEX_CONTENDED : BZ_MUTEX_HELD;
    return bz_parking_is_free(mutex, seen) && bz_cas_acquire(mutex, &seen, held); /* M3: pairs with M2 */
}

static bool mark(struct bz_a32 *mutex, uint32_t *value) {
    while (!take(mutex, true)) {
        *value = bz_load_relaxed(mutex); /* relaxed: as above */
        if (*value != BZ_MUTEX_HELD && !bz_parking_is_free(mutex, *value))
            return false;
        /* relaxed: the mark only makes the holder wake us */
        if (*value == BZ_MUTEX_HELD && bz_cas_relaxed(mutex, value, BZ_MUTEX_CONTENDED)) {
            *value = BZ_MUTEX_CONTENDED;
            return false;
        }
    }
    return true;
}

BZ_COLD void bz_mutex_lock_slow(struct bz_a32 *mutex) {
    static const struct bz_lock_kind kind = {take, mark};
    bz_parking_wait(mutex, &kind);
}

/* A thread sleeps, or did lately, on this or on another lock. */
__attribute__((noinline)) void bz_mutex_unlock_slow(struct bz_a32 *mutex) {
    if (bz_parking_hand_over(mutex))
        return;
    if (bz_exchange_release(mutex, BZ_MUTEX_FREE) == BZ_MUTEX_CONTENDED) /* M2: pairs with M1 and M3 */
        bz_parking_wake(mutex);
    else
        bz_parking_note_unlock(mutex);
}
