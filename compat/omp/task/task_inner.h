/* The steps of a task's life, for the files that share them. */
#ifndef BOMP_TASK_INNER_H
#define BOMP_TASK_INNER_H

#include "omp/bomp.h"
#include "omp/task/task.h"
#include "omp/task/task_policy.h"

/* ---- making one ---- */

/* A new deferred task below the current one, private to the caller: the copy of its arguments in task->data may still be
 * changed. Without depend, detach and priority. NULL: no memory, nothing has happened. task_free takes it back. */
struct bomp_task *bomp_task_make(struct bomp_member *self, const struct bomp_task_spec *spec);

/* Its extra part, made if it has none. The calling thread may write to it: it creates the task, or runs it. NULL: no
 * memory. */
struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self);

/* Gives a new task an extra part with what its clauses, ThreadSanitizer (tsan.h) and tools need. False: no memory. */
bool bomp_task_equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec);

/* There was no memory to defer it: how to run it now. */
enum bomp_task_way bomp_task_without_memory(const struct bomp_member *self,
                                            const struct bomp_task_spec *spec);

/* Gives the program the handle of a detached task's event. */
void bomp_task_store_handles(const struct bomp_task_spec *spec, void *handle);

/* Counts it: at its parent, in its taskgroup, as a unit of work of the domain. Before it can run. */
void bomp_task_begin(struct bomp_member *self, struct bomp_task *task);

/* Queues a counted task that is ready: on the calling worker, or in the priority queue if it has a priority, or
 * predecessors and the worker's queue cannot grow. */
void bomp_task_queue(struct bz_worker *self, struct bomp_task *task);

/* Gives back the reserved arguments of a task that ran at once or was discarded. */
void bomp_task_end_reserved(struct bomp_member *self, const struct bomp_task_spec *spec, bool discarded);

/* ---- on the stack of the calling thread ---- */

/* A descriptor there, which runs at once below `parent`, with the group and the control variables of `like`. */
static inline void bomp_task_init_at_once(struct bomp_task *task, struct bomp_task *parent,
                                          const struct bomp_task *like, uint32_t flags) {
    bz_store_relaxed(&task->parent, parent); /* relaxed: for this thread alone until the task moves */
    task->children.local = 0;
    task->flags = flags | BOMP_TASK_STACK;
    task->created = 0;
    task->group = like->group;
    task->icv = like->icv;
}
/* Whether it has neither moved nor got control variables of its own. */
static inline bool bomp_task_stayed(const struct bomp_task *task, uint32_t flags) {
    return task->flags == (flags | BOMP_TASK_STACK);
}
/* Otherwise its end, while it is current. `outer`, where it has moved to by now, is the current one again. */
void bomp_task_end_at_once(struct bomp_member *self, struct bomp_task *outer);

/* Runs a task there, with its copy function if it has one; the second after it has waited for its predecessors, and then
 * waits for its event. */
void bomp_task_run_now(struct bomp_member *self, const struct bomp_task_spec *spec);
void bomp_task_run_awaited(struct bomp_member *self, const struct bomp_task_spec *spec);

/* The function of one with a copy function that runs there. */
void bomp_task_copy_and_run(void *spec);

/* ---- its body and its end ---- */

/* Its completion, once after its body: counts it at its parent, in its taskgroup, and as a unit of work; frees it if it
 * can. */
void bomp_task_complete(struct bomp_task *task, struct bz_worker *self);

/* Of a detached task, or one that is not counted: its body has ended. */
void bomp_task_end_body(struct bomp_task *task, struct bz_worker *self);

/* The end of a task with an extra part, if its body `ran` or not. */
void bomp_task_end_special(struct bomp_task *task, struct bz_worker *self, bool ran);

/* The job that completes a detached task, and its place in the priority queue, where any worker of the team takes it. */
void bomp_task_run_late(struct bz_job *job, struct bz_worker *self);
struct bz_pqueue_item *bomp_task_late_item(struct bomp_task *task);
/* Completes it here and now, in the middle of any task: the calling thread is a worker of its team. */
void bomp_task_complete_here(struct bomp_task *task, struct bz_worker *self);

/* One reference less. The task may be gone afterwards. */
void bomp_task_drop(struct bomp_task *task, struct bz_worker *self);

/* Runs a task with an extra part on a thread of another team. From then on it is detached: its own team completes it. */
void bomp_task_run_apart(struct bomp_task *task, struct bz_worker *self);
/* Then, on the same thread, which has entered the team's domain as an external one: successors of a task for helper threads
 * need not wait for a member. */
void bomp_task_release_apart(struct bomp_task *task, struct bz_domain *domain, struct bomp_member *self);

/* ---- queued jobs ---- */

/* Whether the queued task `job` descends from the task `arg`: a filter. */
bool bomp_task_descends(const struct bz_job *job, const void *arg);

/* The task that stands for a taskloop, if the job is a part of one. NULL: it is a task's own. In a team of one. */
const struct bomp_task *bomp_taskloop_model(const struct bz_job *job);

#endif
