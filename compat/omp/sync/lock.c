/* lock.c: see lock.h and nest_lock.h.
 *
 * Pairing table
 *   OW1 bomp_owned_lock_free, OW3 owned_take   OW2 bomp_owned_unlock, bomp_owned_unlock_slow   all that the owner did
 */
#include "omp/sync/lock.h"

#include "omp/sync/nest_lock.h"
#include "omp/task/task.h"

BZ_COLD void bomp_mutex_lock_slow(uint32_t *word) {
    while (bomp_task_let_others())
        if (bomp_mutex_try(word))
            return;
    bz_mutex_lock(bomp_mutex(word));
    bz_tsan_after(word);
}

BZ_COLD void bomp_mutex_unlock_told(uint32_t *word) {
    bz_tsan_before(word);
    bz_mutex_unlock(bomp_mutex(word));
}

BZ_COLD void bomp_nest_lock_set_slow(struct bomp_nest_lock *lock) {
    const void *me = bomp_task_id();
    if (bomp_nest_lock_is_of(lock, me)) {
        lock->count++;
        return;
    }
    bomp_mutex_lock(&lock->mutex);
    bomp_nest_lock_taken(lock, me);
}

int bomp_nest_lock_test(struct bomp_nest_lock *lock) {
    const void *me = bomp_task_id();
    if (bomp_nest_lock_is_of(lock, me))
        return ++lock->count;
    if (!bomp_mutex_try(&lock->mutex))
        return 0;
    bomp_nest_lock_taken(lock, me);
    return 1;
}

/* ---- owned locks ---- */

/* Whether it is locked by nobody who is here. */
static bool is_to_be_had(uint32_t seen) {
    return seen == 0 || bz_thread_is_lost(seen & ~BOMP_OWNED_WAITED);
}

/* Takes it for `me` if it is to be had; *seen is what it held. */
static bool owned_take(uint32_t *word, uint32_t me, uint32_t *seen) {
    *seen = bz_load_relaxed(bomp_mutex(word)); /* relaxed: decided by the compare and swap */
    while (is_to_be_had(*seen)) {
        if (bz_cas_acquire(bomp_mutex(word), seen, me)) { /* OW3: pairs with OW2 */
            bz_tsan_after(word);
            return true;
        }
    }
    return false;
}

static bool take_marked(struct bz_a32 *word) {
    uint32_t seen;
    return owned_take(&word->v, bz_thread_number() | BOMP_OWNED_WAITED, &seen);
}

BZ_COLD bool bomp_owned_try_slow(uint32_t *word) {
    return take_marked(bomp_mutex(word));
}

/* The mark without need costs the unlock; ThreadSanitizer wants it. */
static bool take_free(struct bz_a32 *word) {
    return bz_tsan ? take_marked(word) : bomp_owned_lock_free(&word->v);
}

/* Its owner stayed with the parent of a fork: nobody unlocks it. */
static bool is_lost(uint32_t *word) {
    uint32_t seen = bz_load_relaxed(bomp_mutex(word)); /* relaxed: decided by whoever takes it */
    return seen != 0 && is_to_be_had(seen);
}

/* Takes it marked, or marks it: others may sleep. */
static bool mark(struct bz_a32 *word, uint32_t *value) {
    uint32_t seen;
    while (!owned_take(&word->v, bz_thread_number() | BOMP_OWNED_WAITED, &seen)) {
        *value = seen | BOMP_OWNED_WAITED;
        /* Relaxed: the mark only makes the owner wake us. If the word has changed, look again. */
        if (seen == *value || bz_cas_relaxed(word, &seen, *value))
            return false;
    }
    return true;
}

static bool take_unmarked(struct bz_a32 *word) {
    return bomp_owned_lock_free(&word->v);
}

BZ_COLD void bomp_owned_lock_slow(uint32_t *word) {
    static const struct bz_lock_kind kind = {take_unmarked, take_marked, mark};
    (void)bz_thread_number(); /* from here on it has one */
    while (bomp_task_let_others())
        if (take_marked(bomp_mutex(word)))
            return;
    if (!bz_parking_spin(bomp_mutex(word), take_free) &&
        (is_lost(word) || !bz_parking_spin_long(bomp_mutex(word), take_free)))
        bz_parking_park(bomp_mutex(word), &kind);
}

/* Somebody sleeps, or did lately, on this or on another lock; or ThreadSanitizer wants to hear of it: then it is marked. */
__attribute__((noinline)) void bomp_owned_unlock_slow(uint32_t *word) {
    uint32_t own = bz_thread_mark.number;
    if (bz_cas_release(bomp_mutex(word), &own, 0)) { /* OW2: pairs with OW1 and OW3 */
        bz_parking_note_unlock(bomp_mutex(word));
        return;
    }
    bz_tsan_before(word);
    bz_store_release(bomp_mutex(word), 0); /* OW2: likewise */
    bz_parking_wake(bomp_mutex(word));
}

/* ---- nestable locks of before OpenMP 3.0 ---- */

/* Relaxed: only our own writes can make it true. */
static bool old_mine(const struct bomp_old_nest_lock *lock) {
    const struct bz_a32 *word = (const struct bz_a32 *)&lock->word;
    return (bz_load_relaxed(word) & ~BOMP_OWNED_WAITED) == bz_thread_number();
}

void bomp_old_nest_lock_set(struct bomp_old_nest_lock *lock) {
    if (old_mine(lock)) {
        lock->count++;
        return;
    }
    bomp_owned_lock(&lock->word);
    lock->count = 1;
}

int bomp_old_nest_lock_test(struct bomp_old_nest_lock *lock) {
    if (old_mine(lock))
        return ++lock->count;
    if (!bomp_owned_try(&lock->word))
        return 0;
    lock->count = 1;
    return 1;
}

void bomp_old_nest_lock_unset(struct bomp_old_nest_lock *lock) {
    if (--lock->count == 0)
        bomp_owned_unlock(&lock->word);
}
