/* A nestable lock: 8 bytes, all zero when free, without anything to destroy. The thread owns its word, an owned lock, and of
 * the thread's tasks the one that its member names in a list of its own (struct bomp_held_locks): no task continues on
 * another thread. The task may take it again; any other one waits, also on the same thread. Locks of before OpenMP 3.0 are
 * the same, but the thread may take them again, whichever task it runs. */
#ifndef BOMP_NEST_LOCK_H
#define BOMP_NEST_LOCK_H

#include "omp/sync/lock.h"
#include "omp/task/task.h"
#include "omp/team/member.h"

struct bomp_nest_lock {
    uint32_t word; /* an owned lock */
    int32_t count; /* how often it was taken; the owner's */
};

/* For a thread without a member, a lock that is taken, a second lock, or ThreadSanitizer. */
void bomp_nest_lock_set_slow(struct bomp_nest_lock *lock);
void bomp_nest_lock_unset_slow(struct bomp_nest_lock *lock);

/* How often the caller holds it now, or 0 if another task does. */
int bomp_nest_lock_test(struct bomp_nest_lock *lock);

static inline void bomp_nest_lock_set(struct bomp_nest_lock *lock) {
    struct bomp_member *self = bomp_self_if_any();
    struct bomp_held_lock *last = self ? &self->held.last : NULL;
    if (bz_likely(last && !last->lock && bomp_owned_lock_free(&lock->word))) {
        *last = (struct bomp_held_lock){lock, bomp_task_identity(self->current)};
        lock->count = 1;
    } else if (last && last->lock == lock && last->task == bomp_task_identity(self->current) &&
               bomp_owned_is_mine(&lock->word)) {
        lock->count++;
    } else {
        bomp_nest_lock_set_slow(lock);
    }
}

static inline void bomp_nest_lock_unset(struct bomp_nest_lock *lock) {
    struct bomp_member *self = bomp_self_if_any();
    if (lock->count > 1) {
        lock->count--;
    } else if (bz_likely(self && self->held.last.lock == lock)) {
        self->held.last.lock = NULL;
        lock->count = 0;
        bomp_owned_unlock(&lock->word);
    } else {
        bomp_nest_lock_unset_slow(lock);
    }
}

/* ---- those of before OpenMP 3.0 ---- */

void bomp_old_nest_lock_set(struct bomp_nest_lock *lock);
void bomp_old_nest_lock_unset(struct bomp_nest_lock *lock);
int bomp_old_nest_lock_test(struct bomp_nest_lock *lock);

#endif
