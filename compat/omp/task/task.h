/* Tasks (state/task.h): what few of them have, what waits and whoever has a task ask. The steps of their life, for the files
 * of this folder, are in task_inner.h and task_run.h. */
#ifndef BOMP_TASK_H
#define BOMP_TASK_H

#include "omp/bomp.h"
#include "omp/state/task.h"
#include "omp/task/event.h"
#include "runtime.h"

struct bomp_member;
struct bomp_node;
struct bomp_table;

/* Which threads run a queued task. */
enum bomp_task_by {
    BOMP_BY_TEAM,
    BOMP_BY_AGENTS, /* and its team: a pooled task (agent.h) */
    BOMP_BY_HELPERS /* a task for helpers (helper.h) */
};

/* What few tasks have, in a slab object. */
struct bomp_task_extra {
    struct bomp_task_head head;
    void *block;             /* arguments too large for a slab object; NULL: none. Constant */
    struct bomp_tsan *tsan;  /* under ThreadSanitizer; else NULL. Constant */
    struct bomp_node *node;  /* what it depends on, and what on it; NULL: nothing. Constant (depend_node.h) */
    struct bomp_event event; /* of a detached task */
    /* What its children depend on; NULL: nothing. Its thread only (depend_table.h). */
    struct bomp_table *table;
    struct bz_pqueue_item item; /* its place in the priority queue; priority 0: it has none */
    uint8_t by; /* enum bomp_task_by. Its creator, then the helper that gives it to its team */
    /* Of a task that helpers run: nodes that have references of their own left; or NULL. Written by the helper, read by who
     * completes the task. */
    struct bomp_node *owed;
};

/* Whoever fulfills an event late reads its word where there may be a task by now: this is atomic there, too. */
_Static_assert(offsetof(struct bomp_task_extra, event.word) == offsetof(struct bomp_task, children.shared),
               "a late look at an event meets an atomic word");

/* The current task where others may look at it: moved from the stack if it was there, and its ancestors too. NULL: no
 * memory, nothing has changed. */
struct bomp_task *bomp_task_persist(struct bomp_member *self);

/* Something that is the current task's alone while it lives: it owns nestable locks. Never NULL. */
const void *bomp_task_id(void);

/* Waits for done(arg), whose waker calls bz_worker_wake; runs the current task's descendants meanwhile. `what`: for
 * debuggers. */
void bomp_task_wait_until(struct bomp_member *self, bool (*done)(void *), void *arg, const char *what);

/* For a thread that waits for something else than tasks: one suspended on it goes on. False: there is none, and
 * it may sleep. */
bool bomp_task_let_others(void);

/* Waits until all tasks of a root team are complete: the end of what is around a thread outside of all regions. */
void bomp_task_finish_root(struct bomp_member *self);

/* Waits until nothing is outstanding in the tally, of the current task or of a taskgroup that it opened; runs the current
 * task's descendants meanwhile. `site`: of the wait in the program, for predictions. */
void bomp_task_wait_for(struct bomp_member *self, struct bz_tally *tally, const void *site);

/* An implicit task, or the initial task of a thread: not a job, lives with its member. */
void bomp_task_init_implicit(struct bomp_task *task, struct bz_worker *owner, const struct bomp_icv *icv);

/* The current task's own ICVs, to write: a new block if descendants may look at the one it has. NULL: no memory. */
struct bomp_icv *bomp_task_own_icv(struct bomp_task *task);
/* Frees the ICV blocks that the task made. No descendant is left. */
void bomp_task_free_icvs(struct bomp_task *task);

/* Frees all that the task has beside its descriptor. No descendant is left; `self` is the calling worker. */
void bomp_task_strip_slow(struct bomp_task *task, struct bz_worker *self);
static inline void bomp_task_strip(struct bomp_task *task, struct bz_worker *self) {
    if (bz_unlikely(task->flags & (BOMP_TASK_HAS_EXTRA | BOMP_TASK_OWNS_ICV)))
        bomp_task_strip_slow(task, self);
}

#endif
