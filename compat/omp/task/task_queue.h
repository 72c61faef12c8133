/* Counting a new task, and queueing it by its creator. Inlined where tasks are created. */
#ifndef BOMP_TASK_QUEUE_H
#define BOMP_TASK_QUEUE_H

#include "omp/state/group.h"
#include "omp/state/team.h"
#include "omp/task/task_policy.h"

BZ_INLINE void group_enter(struct bomp_group *group, struct bz_worker *self) {
    if (group->owner == self)
        bz_tally_add(&group->members);
    else
        bz_tally_add_shared(&group->members);
}

/* Counts a new task, of `group` or of none. */
BZ_INLINE void begin(struct bz_worker *worker, struct bomp_task *parent, struct bomp_group *group) {
    if (bz_unlikely(group))
        group_enter(group, worker);
    bz_tally_add(&parent->children);
    bz_worker_begin(worker);
}

/* Queues a begun task that nothing keeps from running, where there is room for it. */
BZ_INLINE void put(struct bz_worker *self, struct bomp_task *task, enum bomp_task_way way) {
    if (way == BOMP_TASK_QUEUE_PRIVATE) {
        bz_worker_put(self, &task->job);
        return;
    }
    bz_worker_put_public(self, &task->job);
    bz_worker_notify(self);
}

/* Where the deque is full: it grows, or the task runs here and now. */
__attribute__((noinline, unused)) static void queue_full(struct bz_worker *self, struct bomp_task *task,
                                                         enum bomp_task_way way) {
    if (bz_likely(bz_worker_make_room(self)))
        put(self, task, way);
    else
        task->job.run(&task->job, self);
}

BZ_INLINE void queue(struct bz_worker *self, struct bomp_task *task, enum bomp_task_way way) {
    if (bz_likely(bz_worker_has_room(self)))
        put(self, task, way);
    else
        queue_full(self, task, way);
}

#endif
