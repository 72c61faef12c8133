/* A nestable lock: 8 bytes, zero when free, without anything to destroy. Its word is an owned lock; the member of the owning
 * thread lists the task that holds it (struct bomp_held_locks), since no task changes its thread. That task may take it
 * again; any other one waits, also on the same thread. */
#ifndef BOMP_NEST_LOCK_H
#define BOMP_NEST_LOCK_H

#include "omp/sync/lock.h"
#include "omp/task/task.h"
#include "omp/team/member.h"

struct bomp_nest_lock {
    uint32_t word; /* an owned lock */
    int32_t count; /* how often it was taken; the owner's */
};

/* For a thread without a member, a lock that is held, a second lock, or ThreadSanitizer. */
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

#endif
