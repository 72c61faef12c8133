#include "wait/mutex.h"

#include "os/os.h"
#include "sched/sleep.h"

/* The mark is there afterwards, also in vain: others may sleep. */
static bool take_marked(struct bz_a32 *mutex) {
    return bz_exchange_acquire(mutex, BZ_MUTEX_CONTENDED) == BZ_MUTEX_FREE; /* M3: pairs with M2 */
}

BZ_COLD void bz_mutex_lock_slow(struct bz_a32 *mutex) {
    if (bz_parking_spin(mutex, bz_mutex_trylock) || bz_parking_spin_long(mutex, bz_mutex_trylock))
        return;
    bz_parking_enter(mutex);
    bool got = bz_mutex_trylock(mutex); /* whoever has not been woken leaves nobody asleep */
    while (!got && !take_marked(mutex)) {
        bz_awake_add(-1);
        bz_os_futex_wait(&mutex->v, BZ_MUTEX_CONTENDED);
        bz_awake_add(1);
        got = bz_parking_spin_long(mutex, take_marked); /* a spinning thread may have been faster */
    }
    bz_parking_leave(mutex);
}

/* Somebody sleeps, or did lately, on this or on another lock. */
__attribute__((noinline)) void bz_mutex_unlock_slow(struct bz_a32 *mutex) {
    if (bz_exchange_release(mutex, BZ_MUTEX_FREE) == BZ_MUTEX_CONTENDED) /* M2: pairs with M1 and M3 */
        bz_parking_wake(mutex);
    else
        bz_parking_note_unlock(mutex);
}
