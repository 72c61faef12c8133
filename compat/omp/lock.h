/*
 * lock.h: mutual exclusion on words that belong to the program: omp_lock_t, the words of named criticals.
 *
 * A mutex is one 32-bit word, all zero when free; there is nothing to destroy. Any thread may unlock it for whoever
 * holds it. No order among waiters. Not recursive. Its memory may be gone as soon as it is unlocked. The protocol
 * is the scheduler's own mutex.
 */
#ifndef BOMP_LOCK_H
#define BOMP_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime.h"

static inline struct bz_a32 *bomp_mutex(uint32_t *word) {
    return (struct bz_a32 *)word;
}

static inline bool bomp_mutex_try(uint32_t *word) {
    return bz_mutex_trylock(bomp_mutex(word));
}

static inline void bomp_mutex_lock(uint32_t *word) {
    bz_mutex_lock(bomp_mutex(word));
}

static inline void bomp_mutex_unlock(uint32_t *word) {
    bz_mutex_unlock(bomp_mutex(word));
}

/*
 * A nestable lock of OpenMP 3.0 and later: owned by a task, which may take it again. Laid out as omp_nest_lock_t.
 * owner and count are written by the owner alone, while it holds mutex; any thread may read owner to see whether it
 * is the owner itself, which no other thread can make true or false.
 */
struct bomp_nest_lock {
    uint32_t mutex;
    int32_t count;
    struct {
        const void *v;
    } owner; /* bomp_task_id() of the owner, NULL when free */
};

void bomp_nest_lock_set(struct bomp_nest_lock *lock);
void bomp_nest_lock_unset(struct bomp_nest_lock *lock);

/* How often the caller holds it now, or 0 if another task does. */
int bomp_nest_lock_test(struct bomp_nest_lock *lock);

/*
 * A nestable lock as it was before OpenMP 3.0: owned by a thread, 8 bytes. word is 0 when free, else the owner's
 * bz_os_thread_id(), plus BOMP_OLD_WAITED when somebody may sleep on it; count is the owner's.
 */
struct bomp_old_nest_lock {
    uint32_t word;
    int32_t count;
};

#define BOMP_OLD_WAITED 0x80000000u

void bomp_old_nest_lock_set(struct bomp_old_nest_lock *lock);
void bomp_old_nest_lock_unset(struct bomp_old_nest_lock *lock);
int bomp_old_nest_lock_test(struct bomp_old_nest_lock *lock);

#endif
