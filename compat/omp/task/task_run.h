/* Running a queued task's body and ending it: inline, so that a wait runs its own children without a call. */
#ifndef BOMP_TASK_RUN_H
#define BOMP_TASK_RUN_H

#include "omp/task/reduction.h"
#include "omp/task/task.h"
#include "omp/task/taskgroup.h"
#include "omp/team/team_data.h"

/* Slow paths of the functions below: a child is complete on another thread than its parent's `owner` (NULL: it has
 * ended); descendants outlive the task, and the last one frees it. */
void bomp_task_child_elsewhere(struct bomp_task *parent, struct bz_worker *owner, struct bz_worker *self);
void bomp_task_end_before_children(struct bomp_task *task, struct bz_worker *self);

/* Offset of the arguments in a slab object, aligned to 16: the slab object is 8 bytes past that. With 16 bytes of
 * arguments a task takes two cache lines. */
#define BOMP_TASK_ARGS ((sizeof(struct bomp_task) + 8 + 15) / 16 * 16 - 8)

static inline void *bomp_task_small_args(struct bomp_task *task) {
    return (char *)task + BOMP_TASK_ARGS;
}

/* Of a small task. The branch predicts where nearly all are, so the body's first loads do not wait for `data`. */
BZ_INLINE void *task_args_of(struct bomp_task *task) {
    void *args = bomp_task_small_args(task), *usual = args;
    __asm__("" : "+r"(usual)); /* the compiler must not use the loaded address */
    if (bz_unlikely(usual != task->data)) {
        args = task->data;
        bz_signal_fence(); /* nor load it in any case */
    }
    return args;
}

/* Whether the current task, which is cancellable, runs. If not, its arguments are cleaned up. */
bool bomp_task_begins(struct bomp_task *task, const struct bomp_member *member);

/* The jobs of queued tasks: of any; of a small one, without flags, group and extra part. */
void bomp_task_run_queued(struct bz_job *job, struct bz_worker *self);
void bomp_task_run_small(struct bz_job *job, struct bz_worker *self);

static inline void task_free(struct bomp_task *task, struct bz_worker *self) {
    bomp_task_strip(task, self);
    bz_worker_free(self, task);
}

/* Counts a complete child. The parent may be gone afterwards. */
BZ_INLINE void task_child_complete(struct bomp_task *parent, struct bz_worker *self) {
    /* relaxed: only compared, and set while it can wait */
    struct bz_worker *owner = bz_load_relaxed(&parent->owner);
    if (bz_likely(owner == self))
        bz_tally_sub(&parent->children);
    else
        bomp_task_child_elsewhere(parent, owner, self);
}

/* Whether the body has left neither children nor flags. Acquire: as in task_end. */
BZ_INLINE bool task_left_nothing(const struct bomp_task *task) {
    return (task->children.local | bz_load_acquire(&task->refs) | task->flags) == 0; /* H2: pairs with H1 */
}

/* The body has run. The task is freed, now or later. */
BZ_INLINE void task_end(struct bomp_task *task, struct bz_worker *self) {
    /* No child can raise the reference count any more. Acquire: those that dropped theirs have used the task. */
    if (bz_likely((task->children.local | bz_load_acquire(&task->refs)) == 0)) /* H2: pairs with H1 */
        task_free(task, self);
    else
        bomp_task_end_before_children(task, self);
}

BZ_INLINE void task_enter(struct bomp_task *task, struct bomp_member *member, struct bz_worker *self) {
    bz_store_relaxed(&task->owner, self); /* relaxed: published with the first child */
    task->floor = bz_worker_queue_end(self);
    member->current = task;
}

/* False: it was cancelled, and did not run. */
BZ_INLINE bool task_body_alone(struct bomp_task *task, struct bomp_member *member, struct bz_worker *self) {
    struct bomp_task *outer = member->current;
    task_enter(task, member, self);
    bool runs = bz_likely(!(task->flags & BOMP_TASK_CANCELLABLE)) || bomp_task_begins(task, member);
    if (runs) {
        BZ_PROBE2(task_begin, task, task->fn);
        task->fn(task->data);
        BZ_PROBE1(task_end, task);
    }
    member->current = outer; /* it waits, so it has not moved */
    return runs;
}

/* Body and end of a small one on the thread of `member`, whose current task is `outer`. `awaited`: by `outer`, its
 * parent; else it may be on a coroutine and outlive `outer`. */
BZ_INLINE void task_run_small(struct bomp_task *task, struct bomp_member *member, struct bomp_task *outer,
                              bool awaited, struct bz_worker *self) {
    task_enter(task, member, self);
    BZ_PROBE2(task_begin, task, task->fn);
    task->fn(task_args_of(task));
    BZ_PROBE1(task_end, task);
    member->current = outer;                                                     /* it has not moved */
    struct bomp_task *parent = awaited ? outer : bz_load_relaxed(&task->parent); /* relaxed: constant */
    if (bz_likely(task_left_nothing(task)))
        bz_worker_free(self, task);
    else
        task_end(task, self);
    if (awaited)
        bz_tally_sub(&outer->children);
    else
        task_child_complete(parent, self);
    bz_worker_end(self);
}

#endif
