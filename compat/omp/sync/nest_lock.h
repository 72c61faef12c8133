/* A nestable lock of OpenMP 3.0 and later: owned by a task, which may take it again. Laid out as omp_nest_lock_t. owner and
 * count are written by the owner alone, while it holds mutex; any thread may read owner to see whether it is the owner
 * itself, which no other thread can make true or false. */
#ifndef BOMP_NEST_LOCK_H
#define BOMP_NEST_LOCK_H

#include "omp/state/member.h"
#include "omp/state/task.h"
#include "omp/sync/lock.h"

struct bomp_nest_lock {
    uint32_t mutex;
    int32_t count;
    struct {
        const void *v;
    } owner; /* bomp_task_id() of the owner, NULL when free */
};

/* A thread that has no task yet, a lock that is taken, or ThreadSanitizer wants to hear of it. */
void bomp_nest_lock_set_slow(struct bomp_nest_lock *lock);

/* How often the caller holds it now, or 0 if another task does. */
int bomp_nest_lock_test(struct bomp_nest_lock *lock);

/* Whether the task `me` holds it. Relaxed: only our own writes can make it true. */
static inline bool bomp_nest_lock_is_of(const struct bomp_nest_lock *lock, const void *me) {
    return bz_load_relaxed(&lock->owner) == me;
}

static inline void bomp_nest_lock_taken(struct bomp_nest_lock *lock, const void *me) {
    bz_store_relaxed(&lock->owner, me); /* relaxed: the mutex orders what other threads make of it */
    lock->count = 1;
}

static inline void bomp_nest_lock_set(struct bomp_nest_lock *lock) {
    const struct bomp_member *self = bomp_self_if_any();
    if (bz_likely(self)) {
        const void *me = bomp_task_identity(self->current);
        if (bomp_nest_lock_is_of(lock, me)) {
            lock->count++;
            return;
        }
        if (bz_likely(!bz_tsan && bz_mutex_trylock(bomp_mutex(&lock->mutex)))) {
            bomp_nest_lock_taken(lock, me);
            return;
        }
    }
    bomp_nest_lock_set_slow(lock);
}

static inline void bomp_nest_lock_unset(struct bomp_nest_lock *lock) {
    if (--lock->count == 0) {
        bz_store_relaxed(&lock->owner, NULL); /* relaxed: as in bomp_nest_lock_taken */
        bomp_mutex_unlock(&lock->mutex);
    }
}

#endif
