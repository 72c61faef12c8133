/*
 * lock.c: see lock.h.
 *
 * Pairing table
 *   OLD1 old_take takes an old nestable lock   OLD2 bomp_old_nest_lock_unset gives it back   all that the holder did
 */
#include "lock.h"

#include "api.h"

/* Whether the calling task holds it. Relaxed: only our own writes can make it true. */
static bool nest_mine(const struct bomp_nest_lock *lock, const void *me) {
    return bz_load_relaxed(&lock->owner) == me;
}

static void nest_taken(struct bomp_nest_lock *lock, const void *me) {
    bz_store_relaxed(&lock->owner, me); /* relaxed: the mutex orders what other threads make of it */
    lock->count = 1;
}

void bomp_nest_lock_set(struct bomp_nest_lock *lock) {
    const void *me = bomp_task_id();
    if (nest_mine(lock, me)) {
        lock->count++;
        return;
    }
    bomp_mutex_lock(&lock->mutex);
    nest_taken(lock, me);
}

int bomp_nest_lock_test(struct bomp_nest_lock *lock) {
    const void *me = bomp_task_id();
    if (nest_mine(lock, me)) {
        return ++lock->count;
    }
    if (!bomp_mutex_try(&lock->mutex)) {
        return 0;
    }
    nest_taken(lock, me);
    return 1;
}

void bomp_nest_lock_unset(struct bomp_nest_lock *lock) {
    if (--lock->count == 0) {
        bz_store_relaxed(&lock->owner, NULL); /* relaxed: as in nest_taken */
        bomp_mutex_unlock(&lock->mutex);
    }
}

/* Take it as `mine` (an owner's number, perhaps with BOMP_OLD_WAITED) if it is free. *seen is what it held. */
static bool old_take(struct bomp_old_nest_lock *lock, uint32_t mine, uint32_t *seen) {
    *seen = 0;
    if (bz_cas_acquire((struct bz_a32 *)&lock->word, seen, mine)) { /* OLD1: pairs with OLD2 */
        lock->count = 1;
        return true;
    }
    return false;
}

static bool old_mine(uint32_t seen, uint32_t me) {
    return (seen & ~BOMP_OLD_WAITED) == me;
}

void bomp_old_nest_lock_set(struct bomp_old_nest_lock *lock) {
    uint32_t me = bz_os_thread_id();
    uint32_t seen;
    if (old_take(lock, me, &seen)) {
        return;
    }
    if (old_mine(seen, me)) {
        lock->count++;
        return;
    }
    do {
        uint32_t marked = seen | BOMP_OLD_WAITED;
        /* Relaxed: the mark only makes the holder wake us. When it is gone or marked already, look again. */
        if (seen == marked || bz_cas_relaxed((struct bz_a32 *)&lock->word, &seen, marked)) {
            bz_awake_add(-1);
            bz_os_futex_wait(&lock->word, marked);
            bz_awake_add(1);
        }
    } while (!old_take(lock, me | BOMP_OLD_WAITED, &seen));
}

int bomp_old_nest_lock_test(struct bomp_old_nest_lock *lock) {
    uint32_t me = bz_os_thread_id();
    uint32_t seen;
    if (old_take(lock, me, &seen)) {
        return 1;
    }
    return old_mine(seen, me) ? ++lock->count : 0;
}

void bomp_old_nest_lock_unset(struct bomp_old_nest_lock *lock) {
    if (--lock->count > 0) {
        return;
    }
    uint32_t old = bz_exchange_release((struct bz_a32 *)&lock->word, 0); /* OLD2: pairs with OLD1 */
    if (old & BOMP_OLD_WAITED) {
        bz_os_futex_wake(&lock->word, 1); /* the lock may be gone; only its address is used */
    }
}
