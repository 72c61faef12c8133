/* Tasks. A deferred task is a slab object of the scheduler's memory with its arguments inline, queued as a job on its
 * creator's worker. An undeferred one runs at once, with a descriptor on its thread's stack, which moves to a slab object
 * when the task first has a deferred child: from then on other threads may read it, also after its end. ../README.md lists
 * the states and the threads that may access a task in each. task_inner.h and task_run.h have the steps of its life.
 *
 *   complete   the body has run; the parent, which may be waiting, has counted it
 *   kept       its memory stays until it and all its children are complete, and while there are references (`refs`): one
 *              of each child that is complete before its own descendants are
 *
 * Thieves peek at queued tasks and walk up their parents (task_wait.c). So `parent` and `depth` are atomic, every ancestor
 * is kept while a descendant lives, and other slab objects leave the place of these two alone. Any room may include this
 * file. */
#ifndef BOMP_TASK_H
#define BOMP_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/task/event.h"
#include "runtime.h"

struct bomp_group;
struct bomp_member;
struct bomp_node;
struct bomp_table;
struct bomp_tool_task;

/* In `depth`, the lowest bit; the count is above it. */
#define BOMP_TASK_UNTIED ((uint32_t)1)

enum {
    BOMP_TASK_FINAL = 1,    /* so are all its descendants */
    BOMP_TASK_OWNS_ICV = 2, /* icv is in a list of its own blocks */
    BOMP_TASK_STACK = 4,    /* on the stack: parent, flags, created, group and icv are its only fields */
    BOMP_TASK_MOVED = 8,    /* came from the stack; data is its old address. There: it has gone */
    BOMP_TASK_TOP = 16,     /* on the stack, and another thread may run its parent: do not read its flags */
    BOMP_TASK_CANCELLABLE = 32, /* OMP_CANCELLATION is on: it or its children may be discarded */
    BOMP_TASK_TSAN = 64,        /* ThreadSanitizer observes it and its children (tsan.h) */
    BOMP_TASK_TOOL = 128,       /* tools observe it and its children (tool/hooks.h) */
    BOMP_TASK_STARVED = 256,    /* it and its descendants keep no other task from beginning (yield.md) */
    BOMP_TASK_HAS_EXTRA = 512,  /* `extra` is set; in a slab object only */
    BOMP_TASK_INHERITED = BOMP_TASK_FINAL | BOMP_TASK_CANCELLABLE | BOMP_TASK_TSAN | BOMP_TASK_TOOL,
    /* The phase of its arguments: at most one of these. */
    BOMP_TASK_PHASE = 7 << 10,
    BOMP_TASK_COPYING =
        1 << 10, /* its copy function runs, on its creator: all tasks that it creates run at once */
    BOMP_TASK_COPIED =
        2 << 10, /* that has run, or tools know of its begin: fn must run even if it is cancelled */
    BOMP_TASK_CLEANS = 3 << 10,   /* if it is discarded, fn runs all the same: as DISCARDED */
    BOMP_TASK_DISCARDED = 4 << 10 /* fn runs to clean up the arguments, without the body */
};

struct bomp_task {
    struct bz_job job; /* first: all jobs of a team's domain are tasks */
    struct {
        struct bomp_task *v;
    } parent; /* NULL: an implicit task. Written at creation; read by thieves of this task: relaxed */
    struct bz_a32 depth; /* parents up to the implicit task, and whether it is untied. As parent */
    struct bz_a32 refs;  /* see above; raised by the worker that completes a child, lowered by each dropper */
    uint32_t flags;      /* creator, then owner */
    uint32_t created;    /* children so far, undeferred ones included; owner only */
    struct bomp_group *group;   /* innermost taskgroup; owner only once it runs */
    const struct bomp_icv *icv; /* its own, or the one it inherited, which an ancestor keeps */
    struct bz_tally children;   /* created and not complete */
    /* The worker that runs it, then NULL if it has children; unset before. Written by that worker, read by completing
     * children. */
    struct {
        struct bz_worker *v;
    } owner;
    int64_t floor; /* of the owner's deque: the jobs above are descendants; owner only */
    void (*fn)(void *);
    void *data; /* fn's argument; on the stack, the tools' data of the task (BOMP_TASK_TOOL) */
    union {
        struct bomp_task_extra *extra; /* set if BOMP_TASK_HAS_EXTRA. As flags */
        struct bomp_task *moved;       /* of a task that has left the stack: where it is now. Owner only */
    };
};

/* Completing children write another line than the one that creates them (a slab object begins 8 bytes into a line, and so
 * does the implicit task of a member). */
_Static_assert(offsetof(struct bomp_task, children.shared) == 56,
               "the second line begins with what others write");

/* The front of an extra part. */
struct bomp_task_head {
    char of_task[offsetof(struct bomp_task, refs)]; /* parent and depth; never written */
    /* The tools' data of the task, behind it; set if it has BOMP_TASK_TOOL. Constant. */
    struct bomp_tool_task *tool;
};

/* The extra part: fields that most tasks do not need, in a slab object. */
struct bomp_task_extra {
    struct bomp_task_head head;
    void *block;             /* arguments too large for a slab object; NULL: none. Constant */
    struct bomp_tsan *tsan;  /* under ThreadSanitizer; else NULL. Constant */
    struct bomp_node *node;  /* its dependences; NULL: it has none. Constant (depend_node.h) */
    struct bomp_event event; /* of a detached task */
    /* Dependences of its children; NULL: they have none. Its thread only (depend_table.h). */
    struct bomp_table *table;
    struct bz_pqueue_item item; /* its place in the priority queue; priority 0: it has none */
    bool
        helped; /* hidden helper threads run it. Its creator, then the helper thread that gives it to its team */
    bool detached; /* complete after its event as well, with one reference more until then. As flags */
    /* Of a task that a helper thread ran: nodes that still have references of their own; or NULL. Written by that thread,
     * read by the thread that completes the task. */
    struct bomp_node *owed;
};

/* A thread that fulfills an event late reads its word, where a task may be by now: that word is atomic in both. */
_Static_assert(offsetof(struct bomp_task_extra, event.word) == offsetof(struct bomp_task, children.shared),
               "a late read of an event meets an atomic word");

/* The depth of a child, BOMP_TASK_UNTIED or 0. */
static inline uint32_t bomp_task_depth_below(const struct bomp_task *parent, uint32_t untied) {
    /* relaxed: this thread's own store or an ancestor's */
    return (bz_load_relaxed(&parent->depth) | BOMP_TASK_UNTIED) + 1 + untied;
}

/* The extra part, or NULL. As flags. */
static inline struct bomp_task_extra *bomp_task_has_extra(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_HAS_EXTRA ? task->extra : NULL;
}

static inline bool bomp_task_is_detached(const struct bomp_task *task) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(task);
    return extra && extra->detached;
}

/* As flags. */
static inline void bomp_task_set_phase(struct bomp_task *task, uint32_t phase) {
    task->flags = (task->flags & ~(uint32_t)BOMP_TASK_PHASE) | phase;
}

/* Whether this descriptor on the stack has moved to a slab object. */
static inline bool bomp_task_has_moved(const struct bomp_task *task) {
    return (task->flags & (BOMP_TASK_STACK | BOMP_TASK_MOVED)) == (BOMP_TASK_STACK | BOMP_TASK_MOVED);
}

/* Added to children.local of a task that tools observe, so that they are notified of a wait with no children left. It
 * counts nothing (BZ_TALLY_ONE is more), and is not there while the task waits, nor when it ends. */
#define BOMP_TASK_OBSERVES_WAITS 1

/* Identifies a task from its start to its end, even if it moves. */
static inline const void *bomp_task_identity(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_MOVED ? task->data : task;
}

/* The current task where other threads may read it: moved from the stack, with its ancestors, if it was there. NULL: no
 * memory, nothing has changed. */
struct bomp_task *bomp_task_persist(struct bomp_member *self);

/* A unique address of the current task while it lives: it owns nestable locks. Never NULL. */
const void *bomp_task_id(void);

/* Waits for done(arg), whose waker calls bz_worker_wake; runs the current task's descendants meanwhile. `what`: for
 * debuggers. */
void bomp_task_wait_until(struct bomp_member *self, bool (*done)(void *), void *arg, const char *what);

/* For a thread that waits for something other than tasks: resumes a task suspended on it. False: there is no such task,
 * and the thread may sleep. */
bool bomp_task_let_others(void);

/* Waits until all tasks of a root team are complete. */
void bomp_task_finish_root(struct bomp_member *self);

/* Waits until the tally, of the current task or of a taskgroup that it opened, is zero; runs the current task's descendants
 * meanwhile. `site`: of the wait in the program, for predictions. */
void bomp_task_wait_for(struct bomp_member *self, struct bz_tally *tally, const void *site);

/* An implicit task, or the initial task of a thread: not a job, lives with its member. */
void bomp_task_init_implicit(struct bomp_task *task, struct bz_worker *owner, const struct bomp_icv *icv);

/* The current task's own ICVs, to write: a new block if descendants may read the one it has. NULL: no memory. */
struct bomp_icv *bomp_task_own_icv(struct bomp_task *task);
/* Frees the ICV blocks that the task made. No descendant is left. */
void bomp_task_free_icvs(struct bomp_task *task);

/* Frees the task's memory other than its descriptor. No descendant is left; `self` is the calling worker. */
void bomp_task_strip_slow(struct bomp_task *task, struct bz_worker *self);
static inline void bomp_task_strip(struct bomp_task *task, struct bz_worker *self) {
    if (bz_unlikely(task->flags & (BOMP_TASK_HAS_EXTRA | BOMP_TASK_OWNS_ICV)))
        bomp_task_strip_slow(task, self);
}

#endif
