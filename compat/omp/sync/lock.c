/* lock.c: see lock.h and nest_lock.h.
 *
 * Pairing table
 *   OW1 bomp_owned_lock_free, _slow, OW3 owned_take   OW2 bomp_owned_unlock, _free, _slow   all that the owner did */
#include "omp/sync/lock.h"

#include "omp/base/report.h"
#include "omp/base/tuning.h"
#include "omp/sync/nest_lock.h"
#include "omp/task/task.h"

BZ_COLD void bomp_mutex_lock_slow(uint32_t *word) {
    while (bomp_task_let_others())
        if (bomp_mutex_try(word))
            return;
    bz_note_wait("a lock", word);
    bz_mutex_lock(bomp_mutex(word));
    bz_note_wait(NULL, NULL);
    bz_tsan_after(word);
}

/* ---- owned locks ---- */

/* Whether it is free, or its owner stayed with the parent of a fork. */
static bool is_to_be_had(const struct bz_a32 *word, uint32_t seen) {
    return bz_parking_is_free(word, seen) || bz_thread_is_lost(seen & ~BOMP_OWNED_WAITED);
}

/* Takes it if possible; *seen is its value before. Only a marked one wakes others, or has ThreadSanitizer's slow unlock. */
static bool owned_take(struct bz_a32 *word, bool marked, uint32_t *seen) {
    *seen = bz_load_relaxed(word); /* relaxed: decided by the compare and swap */
    while (is_to_be_had(word, *seen)) {
        bool mark = marked || *seen != 0 || bz_attended;
        uint32_t me = bz_thread_number() | (mark ? BOMP_OWNED_WAITED : 0);
        if (bz_cas_acquire(word, seen, me)) { /* OW3: pairs with OW2 */
            bz_tsan_after(&word->v);
            return true;
        }
    }
    return false;
}

static bool take(struct bz_a32 *word, bool marked) {
    uint32_t seen;
    return owned_take(word, marked, &seen);
}

BZ_COLD bool bomp_owned_try_slow(uint32_t *word) {
    return take(bomp_mutex(word), true);
}

/* Takes it marked, or marks it: others may sleep. */
static bool mark(struct bz_a32 *word, uint32_t *value) {
    uint32_t seen;
    while (!owned_take(word, true, &seen)) {
        bool is_held = (seen & BZ_PARKING_RESERVED) == 0;
        *value = is_held ? seen | BOMP_OWNED_WAITED : seen;
        /* Relaxed: the mark only makes the owner wake us. If the word has changed, try again. */
        if (seen == *value || bz_cas_relaxed(word, &seen, *value))
            return false;
    }
    return true;
}

BZ_COLD void bomp_owned_lock_slow(uint32_t *word) {
    static const struct bz_lock_kind kind = {take, mark};
    uint32_t none = 0;
    if (bz_attended && !bz_tsan && /* the fast path has failed because of a tool */
        bz_cas_acquire(bomp_mutex(word), &none, bz_thread_number())) /* OW1: pairs with OW2 */
        return;
    while (bomp_task_let_others())
        if (bomp_owned_try_slow(word))
            return;
    bz_note_wait("an owned lock", word);
    bz_parking_wait(bomp_mutex(word), &kind);
    bz_note_wait(NULL, NULL);
}

/* For a marked lock: a thread may sleep on it; or for ThreadSanitizer. */
__attribute__((noinline)) void bomp_owned_unlock_slow(uint32_t *word) {
    uint32_t own = bz_thread_mark.number;
    bz_tsan_before(word);
    if (bz_parking_hand_over(bomp_mutex(word))) /* OW2: pairs with OW3 */
        return;
    if (bz_cas_release(bomp_mutex(word), &own, 0)) { /* OW2: pairs with OW1 and OW3 */
        bz_parking_note_unlock(bomp_mutex(word));
        return;
    }
    bz_store_release(bomp_mutex(word), 0); /* OW2: likewise */
    bz_parking_wake(bomp_mutex(word));
}

/* ---- nestable locks ---- */

/* The row of a lock that is not the last one, or NULL. */
static struct bomp_held_lock *held_before(const struct bomp_held_locks *held, const void *lock) {
    for (uint32_t i = held->count; i > 0; i--)
        if (held->rows[i - 1].lock == lock)
            return &held->rows[i - 1];
    return NULL;
}

static const void *task_that_holds(const struct bomp_held_locks *held, const void *lock) {
    const struct bomp_held_lock *row = held->last.lock == lock ? &held->last : held_before(held, lock);
    return row ? row->task : NULL;
}

static void grow(struct bomp_held_locks *held) {
    uint32_t room = held->room ? 2 * held->room : BOMP_HELD_LOCKS_FIRST;
    struct bomp_held_lock *rows = bz_realloc(held->rows, room * sizeof *rows);
    if (!rows)
        bomp_no_memory("the locks that a thread holds");
    held->rows = rows;
    held->room = room;
}

/* Moves the last one into the list. */
static void put_away(struct bomp_held_locks *held) {
    struct bomp_held_lock *row = held_before(held, held->last.lock);
    if (!row) {
        if (held->count == held->room)
            grow(held);
        row = &held->rows[held->count++];
    }
    *row = held->last;
}

static bool is_of(const struct bomp_nest_lock *lock, const struct bomp_member *self) {
    return bomp_owned_is_mine(&lock->word) &&
           task_that_holds(&self->held, lock) == bomp_task_identity(self->current);
}

/* The caller's current task has its word. */
static void taken(struct bomp_nest_lock *lock, struct bomp_member *self) {
    if (self->held.last.lock && self->held.last.lock != lock)
        put_away(&self->held);
    self->held.last = (struct bomp_held_lock){lock, bomp_task_identity(self->current)};
    lock->count = 1;
}

BZ_COLD void bomp_nest_lock_set_slow(struct bomp_nest_lock *lock) {
    struct bomp_member *self = bomp_self();
    if (is_of(lock, self)) {
        lock->count++;
        return;
    }
    bomp_owned_lock(&lock->word);
    taken(lock, self);
}

int bomp_nest_lock_test(struct bomp_nest_lock *lock) {
    struct bomp_member *self = bomp_self();
    if (is_of(lock, self))
        return ++lock->count;
    if (!bomp_owned_try(&lock->word))
        return 0;
    taken(lock, self);
    return 1;
}

/* Not the last one that was taken; or not the caller's, which is an error of the program. */
BZ_COLD void bomp_nest_lock_unset_slow(struct bomp_nest_lock *lock) {
    struct bomp_member *self = bomp_self_if_any();
    struct bomp_held_lock *row = self ? held_before(&self->held, lock) : NULL;
    if (row)
        *row = self->held.rows[--self->held.count];
    lock->count = 0;
    bomp_owned_unlock(&lock->word);
}
