/* The steps of a task's life that several files share. */
#ifndef BOMP_TASK_INNER_H
#define BOMP_TASK_INNER_H

#include "omp/bomp.h"
#include "omp/task/task.h"
#include "omp/task/task_policy.h"

/* ---- making one ---- */

/* The extra part of a task that the calling thread creates or runs, made if it has none. NULL: no memory; not if it has a
 * node. */
struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self);
/* The node of a new task. NULL: no memory. */
struct bomp_node *bomp_task_node_new(struct bomp_task *task, struct bz_worker *self);

/* Gives a new task an extra part for its clauses, ThreadSanitizer and tools. False: no memory. */
bool bomp_task_equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec);

/* There was no memory to defer it: how to run it now. */
enum bomp_task_way bomp_task_without_memory(const struct bomp_member *self,
                                            const struct bomp_task_spec *spec);

/* Stores the handle of a detached task's event where the program wants it. */
void bomp_task_store_handles(const struct bomp_task_spec *spec, void *handle);

/* Counts a task, before it can run: at its parent, in its taskgroup, as a unit of work of the domain. */
void bomp_task_begin(struct bomp_member *self, struct bomp_task *task);

/* Queues a counted task that is ready: in the calling worker's deque, or, with a priority or if that cannot grow, in the
 * priority queue. */
void bomp_task_queue(struct bz_worker *self, struct bomp_task *task);

/* Gives back the reserved arguments of a task that ran at once or was discarded. */
void bomp_task_end_reserved(struct bomp_member *self, const struct bomp_task_spec *spec, bool discarded);

/* ---- on the stack of the calling thread ---- */

/* A descriptor of a task below `parent`, with the group and the control variables of `like`. */
static inline void bomp_task_init_at_once(struct bomp_task *task, struct bomp_task *parent,
                                          const struct bomp_task *like, uint32_t flags) {
    bz_store_relaxed(&task->parent, parent); /* relaxed: for this thread alone until the task moves */
    task->children.local = 0;
    task->flags = flags | BOMP_TASK_STACK;
    task->created = 0;
    task->group = like->group;
    task->icv = like->icv;
}
/* Whether the task has neither moved nor got control variables of its own. */
static inline bool bomp_task_stayed(const struct bomp_task *task, uint32_t flags) {
    return task->flags == (flags | BOMP_TASK_STACK);
}
/* Otherwise: ends the current task. `outer`, or where it has moved to, is the current one again. */
void bomp_task_end_at_once(struct bomp_member *self, struct bomp_task *outer);

/* Runs a task, with its copy function. The second waits for predecessors before, and for its event afterwards. */
void bomp_task_run_now(struct bomp_member *self, const struct bomp_task_spec *spec);
void bomp_task_run_awaited(struct bomp_member *self, const struct bomp_task_spec *spec);

/* ---- its body and its end ---- */

/* Once, after the body: counts the task as complete and frees it, or leaves that to its last child. */
void bomp_task_complete(struct bomp_task *task, struct bz_worker *self);

/* The end of a task with an extra part. */
void bomp_task_end_special(struct bomp_task *task, struct bz_worker *self, bool ran);

/* Makes the job of a detached task one that completes it, on any worker of the team: its place in the priority queue. */
struct bz_pqueue_item *bomp_task_late_item(struct bomp_task *task);
/* Completes it now, in the middle of any task, on a worker of its team. */
void bomp_task_complete_here(struct bomp_task *task, struct bz_worker *self);
/* The same for all such tasks in the team's priority queue. */
void bomp_task_complete_late(struct bz_worker *self);

/* Runs a task with an extra part on a thread of another team. It becomes detached: its own team completes it. */
void bomp_task_run_apart(struct bomp_task *task, struct bz_worker *self);
/* Then releases its successors. The thread has entered the domain as an external one. */
void bomp_task_release_apart(struct bomp_task *task, struct bz_domain *domain, struct bomp_member *self);

/* ---- queued jobs ---- */

/* A filter: whether the queued task `job` descends from the task `arg`. */
bool bomp_task_descends(const struct bz_job *job, const void *arg);

/* The model of a taskloop, if the job is a range of one; else NULL. In a team of one. */
const struct bomp_task *bomp_taskloop_model(const struct bz_job *job);

#endif
