/* From the start of a queued task's body to its end: shared by task_end.c and the waits, so that a wait runs its own
 * children without a call. */
#ifndef BOMP_TASK_RUN_H
#define BOMP_TASK_RUN_H

#include "omp/task/reduction.h"
#include "omp/task/task.h"
#include "omp/task/taskgroup.h"
#include "omp/team/team_data.h"

/* Slow paths of the functions below. A child of `parent` is complete on another thread than `owner`, which runs the parent
 * (NULL: it has ended); a task of the group is complete; descendants outlive the task, and the last of them frees it. */
void bomp_task_child_elsewhere(struct bomp_task *parent, struct bz_worker *owner, struct bz_worker *self);
void bomp_task_group_leave(struct bomp_group *group, struct bz_worker *self);
void bomp_task_end_before_children(struct bomp_task *task, struct bz_worker *self);

/* The arguments of a task in its slab object begin here, aligned to 16: the slab object itself is 8 bytes past that.
 * With 16 bytes of them a task takes two cache lines. */
#define BOMP_TASK_ARGS ((sizeof(struct bomp_task) + 8 + 15) / 16 * 16 - 8)

static inline void *bomp_task_small_args(struct bomp_task *task) {
    return (char *)task + BOMP_TASK_ARGS;
}

/* The arguments of a small task. Nearly all lie there: that is predicted, and the body's first loads need not wait for an
 * address out of the descriptor. */
BZ_INLINE void *task_args_of(struct bomp_task *task) {
    void *args = bomp_task_small_args(task), *usual = args;
    __asm__("" : "+r"(usual)); /* keeps the compiler from taking the address that it compares with */
    if (bz_unlikely(usual != task->data)) {
        args = task->data;
        bz_signal_fence(); /* and from loading that in any case */
    }
    return args;
}

/* Whether the current task, which is cancellable, runs. If not, it has cleaned up its arguments if it must. */
bool bomp_task_begins(struct bomp_task *task, const struct bomp_member *member);

/* The jobs of queued tasks: of any, and of a small one: without clauses, not in a group, all in its slab object. */
void bomp_task_run_queued(struct bz_job *job, struct bz_worker *self);
void bomp_task_run_small(struct bz_job *job, struct bz_worker *self);

static inline void task_free(struct bomp_task *task, struct bz_worker *self) {
    bomp_task_strip(task, self);
    bz_worker_free(self, task);
}

/* A child of `parent` is complete. The parent may be gone afterwards. */
BZ_INLINE void task_child_complete(struct bomp_task *parent, struct bz_worker *self) {
    struct bz_worker *owner =
        bz_load_relaxed(&parent->owner); /* relaxed: only compared, and set while it can wait */
    if (bz_likely(owner == self))
        bz_tally_sub(&parent->children);
    else
        bomp_task_child_elsewhere(parent, owner, self);
}

/* Whether the body has run without any child or anything else that would be left. As in task_end. */
BZ_INLINE bool task_left_nothing(const struct bomp_task *task) {
    return (task->children.local | bz_load_acquire(&task->refs) | task->flags) == 0; /* H2: pairs with H1 */
}

/* The body has run. The task is freed, now or later. */
BZ_INLINE void task_end(struct bomp_task *task, struct bz_worker *self) {
    /* No child is left that could raise the reference count. Acquire: children that dropped their references have used what
     * the task had. */
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

/* False: it was cancelled before it began. */
BZ_INLINE bool task_body_alone(struct bomp_task *task, struct bomp_member *member, struct bz_worker *self) {
    struct bomp_task *outer = member->current;
    task_enter(task, member, self);
    bool runs = bz_likely(!(task->flags & BOMP_TASK_CANCELLABLE)) || bomp_task_begins(task, member);
    if (runs) {
        BZ_PROBE2(task_begin, task, task->fn);
        task->fn(task->data);
        BZ_PROBE1(task_end, task);
    }
    member->current = outer; /* it waits: it has not moved */
    return runs;
}

/* Body and end of a small one, on the thread of `member`, whose current task is `outer`. `awaited`: by that, its parent.
 * (On a coroutine, coroutine.h, a task may outlive the one in whose place it began.) */
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
