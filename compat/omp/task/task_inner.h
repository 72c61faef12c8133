/* The steps of a task's life, for the files that share them. */
#ifndef BOMP_TASK_INNER_H
#define BOMP_TASK_INNER_H

#include "omp/bomp.h"
#include "omp/task/task.h"
#include "omp/task/task_policy.h"

/* A new deferred task below the current one, not yet to be seen by anybody: the copy of its arguments in task->data may
 * still be changed. Without depend, detach and priority. NULL: no memory, nothing has happened. */
struct bomp_task *bomp_task_make(struct bomp_member *self, const struct bomp_task_spec *spec);
/* Takes that back. */
void bomp_task_discard(struct bomp_task *task, struct bz_worker *self);

/* Another one like `model`, which does not run, with room for arguments of its own. Counted nowhere: run by bomp_task_body
 * and then bomp_task_end_body while the model is counted and not complete. NULL: no memory. */
struct bomp_task *bomp_task_twin(const struct bomp_task *model, size_t size, size_t align,
                                 struct bz_worker *self);

/* A task on the stack, which runs at once below `parent`, with the group and the control variables of `like`; `flags`
 * besides those that say so. While it runs it is the current one. */
static inline void bomp_task_init_at_once(struct bomp_task *task, struct bomp_task *parent,
                                          const struct bomp_task *like, uint32_t flags) {
    bz_store_relaxed(&task->parent, parent); /* relaxed: for this thread alone until the task moves */
    task->children.local = 0;
    task->flags = flags | BOMP_TASK_STACK;
    task->created = 0;
    task->group = like->group;
    task->icv = like->icv;
}
/* It has run: whether it is as it was but for `created`, and neither has moved nor has the one below it. */
static inline bool bomp_task_stayed(const struct bomp_task *task, uint32_t flags) {
    return task->flags == (flags | BOMP_TASK_STACK);
}
/* Its end if it is not: of the current task. `outer`, which waited meanwhile, is the current one again, also if it has
 * moved. */
void bomp_task_end_at_once(struct bomp_member *self, struct bomp_task *outer);

/* Counts it as begun: at its parent, in its taskgroup, and as a unit of work of the domain. Once, before it can run. */
void bomp_task_begin(struct bomp_member *self, struct bomp_task *task);

/* Queues a begun task that nothing keeps from running: on the calling worker, or, with a priority, in the priority
 * queue. So does one that depends on others where the worker's queue cannot grow. */
void bomp_task_queue(struct bz_worker *self, struct bomp_task *task);

/* Runs its body on the calling thread, whose current task it is meanwhile. False: it has been cancelled, and did not. */
bool bomp_task_body(struct bomp_task *task, struct bz_worker *self);

/* All that its completion means: children of its parent, members of its taskgroup, units of work; frees it if it can. Once
 * after its body. */
void bomp_task_complete(struct bomp_task *task, struct bz_worker *self);

/* The same in two steps for a detached task: its body has ended; its event has come about, too. */
void bomp_task_end_body(struct bomp_task *task, struct bz_worker *self);
void bomp_task_complete_late(struct bomp_task *task, struct bz_worker *self);

/* The place in the priority queue of a detached task that any worker of the team shall complete. */
struct bz_pqueue_item *bomp_task_late_item(struct bomp_task *task);
/* What is done there: its job. */
void bomp_task_run_late(struct bz_job *job, struct bz_worker *self);
/* One reference less. The task may be gone afterwards. */
void bomp_task_drop(struct bomp_task *task, struct bz_worker *self);
/* Completes it here and now, in the middle of any task: the calling thread is a worker of its team. */
void bomp_task_complete_here(struct bomp_task *task, struct bz_worker *self);

/* Whether the queued task `job` descends from the task `arg`: a filter. */
bool bomp_task_descends(const struct bz_job *job, const void *arg);

/* Of the job of a part of a taskloop: the task that stands for the loop. NULL: it is a task's own. In a team of one. */
const struct bomp_task *bomp_taskloop_model(const struct bz_job *job);

/* Gives a new task what its clauses need, its record (tsan.h), and a place for what tools keep of it: it has an extra part
 * from here on. False: no memory. */
bool bomp_task_equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec);

/* There was no memory to defer it: what becomes of it now. */
enum bomp_task_way bomp_task_without_memory(const struct bomp_member *self,
                                            const struct bomp_task_spec *spec);

/* Reserved arguments of a task that needed no descriptor, since it ran at once or was discarded: they are given back. */
void bomp_task_end_reserved(struct bomp_member *self, const struct bomp_task_spec *spec, bool discarded);

/* An undeferred task waits for its event, which it then ends. */
void bomp_task_await_event(struct bomp_member *self, struct bomp_event *event);

/* Tells the program the handle of a detached task's event. */
void bomp_task_store_handles(const struct bomp_task_spec *spec, void *handle);

/* Runs it on the stack of the calling thread, with its copy function if it has one; the second after it has waited for what
 * the task depends on, and then waits for its event. */
void bomp_task_run_now(struct bomp_member *self, const struct bomp_task_spec *spec);
void bomp_task_run_awaited(struct bomp_member *self, const struct bomp_task_spec *spec);

/* The function of one with a copy function that runs there. */
void bomp_task_copy_and_run(void *spec);

/* The rest of the job of a task with an extra part: bomp_task_run_queued. What comes after its body, if that `ran`. */
void bomp_task_run_special(struct bomp_task *task, struct bz_worker *self);
void bomp_task_end_special(struct bomp_task *task, struct bz_worker *self, bool ran);

/* Runs a task with an extra part, which is a detached one from now on, on a thread that is not of its team: whose members
 * complete it when its job is bomp_task_run_late. */
void bomp_task_run_apart(struct bomp_task *task, struct bz_worker *self);
/* Then, on the same thread, which is inside the team's domain as an external one: what depends on a task for helpers need
 * not wait for a member. */
void bomp_task_release_apart(struct bomp_task *task, struct bz_domain *domain, struct bomp_member *self);

/* Its extra part, made if it has none. The calling thread may write to it: it creates the task, or runs it. NULL: no
 * memory. */
struct bomp_task_extra *bomp_task_extra(struct bomp_task *task, struct bz_worker *self);

#endif
