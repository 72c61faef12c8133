#include "mutex.h"

#include "config.h"
#include "os/os.h"
#include "sleep.h"

BZ_COLD void bz_mutex_lock_slow(struct bz_a32 *mutex) {
    /* Look while the holder may be about to let go and has a CPU to do so. */
    for (unsigned looks = 0, pauses = 1; looks < BZ_MUTEX_LOOKS && !bz_crowded(); looks++) {
        for (unsigned i = 0; i < pauses; i++)
            bz_cpu_relax();
        if (bz_load_relaxed(mutex) == BZ_MUTEX_FREE && bz_mutex_trylock(mutex))
            return;
        pauses = pauses < BZ_MUTEX_PAUSES ? 2 * pauses : pauses;
    }
    while (bz_exchange_acquire(mutex, BZ_MUTEX_CONTENDED) != BZ_MUTEX_FREE) { /* M3: pairs with M2 */
        bz_awake_add(-1);
        bz_os_futex_wait(&mutex->v, BZ_MUTEX_CONTENDED);
        bz_awake_add(1);
    }
}

BZ_COLD void bz_mutex_unlock_slow(struct bz_a32 *mutex) {
    bz_os_futex_wake(&mutex->v, 1); /* the word may be gone by now: harmless */
}
