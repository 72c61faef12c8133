#include "wait/mutex.h"

/* The mark is there afterwards, also in vain: others may sleep. */
static bool take_marked(struct bz_a32 *mutex) {
    return bz_exchange_acquire(mutex, BZ_MUTEX_CONTENDED) == BZ_MUTEX_FREE; /* M3: pairs with M2 */
}

static bool mark(struct bz_a32 *mutex, uint32_t *value) {
    *value = BZ_MUTEX_CONTENDED;
    return take_marked(mutex);
}

BZ_COLD void bz_mutex_lock_slow(struct bz_a32 *mutex) {
    static const struct bz_lock_kind kind = {bz_mutex_trylock, take_marked, mark};
    if (!bz_parking_spin(mutex, bz_mutex_trylock) && !bz_parking_spin_long(mutex, bz_mutex_trylock))
        bz_parking_park(mutex, &kind);
}

/* Somebody sleeps, or did lately, on this or on another lock. */
__attribute__((noinline)) void bz_mutex_unlock_slow(struct bz_a32 *mutex) {
    if (bz_exchange_release(mutex, BZ_MUTEX_FREE) == BZ_MUTEX_CONTENDED) /* M2: pairs with M1 and M3 */
        bz_parking_wake(mutex);
    else
        bz_parking_note_unlock(mutex);
}
