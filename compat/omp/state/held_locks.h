/* The nestable locks that tasks of a member hold, and which task holds which: the lock itself has room for the thread only
 * (sync/nest_lock.h). The last one that was taken is at hand, those before it are in a list. A row of the list may be old,
 * if another thread has unlocked the lock: it goes when its lock comes here again. Owner only. */
#ifndef BOMP_STATE_HELD_LOCKS_H
#define BOMP_STATE_HELD_LOCKS_H

#include <stddef.h>
#include <stdint.h>

struct bomp_held_lock {
    const void *lock;
    const void *task; /* bomp_task_identity() */
};

struct bomp_held_locks {
    struct bomp_held_lock last;  /* lock NULL: it is free again */
    struct bomp_held_lock *rows; /* room of them; NULL: no two were ever held */
    uint32_t count, room;
};

#endif
