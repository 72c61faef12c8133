/* Tasks. A deferred task is a cell of the scheduler's memory with its arguments inline, queued as a job on its creator's
 * worker. An undeferred one runs at once, with a descriptor on its thread's stack, which moves to a cell when the task
 * first has a deferred child: from then on others may look at it, also when it has ended. States, and who may touch what
 * when: README.md.
 *
 *   complete   the body has run: counted at the parent, which may be waiting
 *   held       memory stays while children may look at it: one hold of its own until it is complete with all its children,
 *              and one for each child that is complete while that child's own descendants are not
 *
 * Thieves peek at queued tasks and walk up their parents (bomp_task_descends): `parent` and `depth` are atomic and every
 * ancestor is held as long as a descendant is. */
#ifndef BOMP_TASK_H
#define BOMP_TASK_H

#include "bomp.h"
#include "icv.h"
#include "runtime.h"

struct bomp_member;

enum {
    BOMP_TASK_FINAL = 1,    /* and so are all its descendants */
    BOMP_TASK_COPYING = 2,  /* its copy function runs, on its creator: all that it creates runs at once */
    BOMP_TASK_OWNS_ICV = 4, /* icv is in a list of its own blocks */
    BOMP_TASK_STACK =
        8, /* on the stack: parent, flags, created, floor, group, icv and moved are all it has */
    BOMP_TASK_MOVED = 16 /* came from the stack; data is its old address */
};

struct bomp_task {
    struct bz_job job; /* first: all jobs of a team's domain are tasks */
    struct {
        struct bomp_task *v;
    } parent; /* NULL: an implicit task. Written at creation; read by thieves of this task: relaxed */
    struct bz_a32 depth; /* parents up to the implicit task. As parent */
    struct bz_a32
        holds; /* see above; raised by the worker that completes a child, lowered by whoever drops */
    struct {
        struct bz_worker *v;
    } owner; /* who runs it, from start to end, else NULL. Written by it, read by completing children */
    struct bz_tally children;   /* created and not complete */
    int64_t floor;              /* of the owner's deque: what lies above are descendants; owner only */
    uint32_t flags;             /* creator, then owner */
    uint32_t created;           /* children so far, undeferred ones included; owner only */
    struct bomp_group *group;   /* innermost taskgroup; owner only once it runs */
    const struct bomp_icv *icv; /* its own, or the one it inherited, which an ancestor keeps */
    void (*fn)(void *);
    void *data;              /* fn's argument */
    void *block;             /* arguments too large for a cell, and nothing else; NULL: none */
    struct bomp_task *moved; /* where a task from the stack is now; NULL: here. Owner only */
};

/* A taskgroup region; lives from its start to its end, in a cell. A thief may still read the task that was in the cell
 * before: what it reads stays as it was. */
struct bomp_group {
    char of_task[offsetof(struct bomp_task, holds)]; /* parent and depth; never written */
    struct bomp_group *outer; /* of the same task, or of the one that created it; constant */
    struct bz_worker *owner;  /* whose task opened it; constant */
    struct bz_tally members;  /* tasks created in it, with all descendants, that are not complete */
};

_Static_assert(offsetof(struct bomp_task, parent) < offsetof(struct bomp_task, holds) &&
                   offsetof(struct bomp_task, depth) < offsetof(struct bomp_task, holds),
               "a taskgroup must not cover what thieves read of a task");

/* What identifies a task from its start to its end, even if it moves. */
static inline const void *bomp_task_identity(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_MOVED ? task->data : task;
}

/* The current task where others may look at it: moved from the stack if it was there, and its ancestors too. NULL: no
 * memory, nothing has changed. */
struct bomp_task *bomp_task_persist(struct bomp_member *self);

/* An implicit task, or the initial task of a thread: not a job, lives with its member. */
void bomp_task_init_implicit(struct bomp_task *task, struct bz_worker *owner, const struct bomp_icv *icv);

/* The current task's own ICVs, to write: a new block if descendants may look at the one it has. NULL: no memory. */
struct bomp_icv *bomp_task_own_icv(struct bomp_task *task);
/* Frees the ICV blocks that the task made. No descendant is left. */
void bomp_task_free_icvs(struct bomp_task *task);

#endif
