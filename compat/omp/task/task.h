/* Tasks. ../README.md lists the states of a task and the threads that may access it. An undeferred task has a
 * descriptor on its thread's stack, which moves to a slab object when the task first has a deferred child: from then
 * on other threads may read it, even after its end.
 *
 *   complete   the body has run, and the parent has counted it
 *   kept       its memory stays until it and its children are complete and no references (`refs`) are left. A child that
 *              is complete before its own descendants holds one
 *
 * Thieves read queued tasks and walk up their parents (task_wait.c). So `parent` and `depth` are atomic, every
 * ancestor is kept while a descendant lives, and other slab objects never write where these two lie. */
#ifndef BOMP_TASK_H
#define BOMP_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/task/depend_node.h"
#include "omp/task/event.h"
#include "runtime.h"

struct bomp_group;
struct bomp_member;
struct bomp_table;
struct bomp_tool_task;

/* The lowest bit of `depth`; the count is above it. */
#define BOMP_TASK_UNTIED ((uint32_t)1)

enum {
    BOMP_TASK_FINAL = 1,        /* as all its descendants */
    BOMP_TASK_OWNS_ICV = 2,     /* icv is a block of its own */
    BOMP_TASK_STACK = 4,        /* on the stack; its fields: parent, flags, created, group, icv */
    BOMP_TASK_MOVED = 8,        /* came from the stack, its old address is data; there: has gone */
    BOMP_TASK_TOP = 16,         /* on the stack; another thread may run its parent and write its flags */
    BOMP_TASK_CANCELLABLE = 32, /* OMP_CANCELLATION is on */
    BOMP_TASK_TSAN = 64,        /* ThreadSanitizer observes it (tsan.h) */
    BOMP_TASK_TOOL = 128,       /* tools observe it (tool/hooks.h) */
    BOMP_TASK_STARVED = 256,    /* it keeps no other task from beginning (yield.md) */
    BOMP_TASK_HAS_EXTRA = 512,  /* `extra` is set, with all fields but `node`; slab objects only */
    BOMP_TASK_HAS_NODE = 8192,  /* `extra` is set, with `node` */
    BOMP_TASK_INHERITED = BOMP_TASK_FINAL | BOMP_TASK_CANCELLABLE | BOMP_TASK_TSAN | BOMP_TASK_TOOL,
    /* The phase of its arguments: at most one. */
    BOMP_TASK_PHASE = 7 << 10,
    BOMP_TASK_COPYING = 1 << 10,  /* its copy function runs: tasks that this creates run at once */
    BOMP_TASK_COPIED = 2 << 10,   /* fn must run even if the task is cancelled */
    BOMP_TASK_CLEANS = 3 << 10,   /* fn runs even if the task is discarded, then as DISCARDED */
    BOMP_TASK_DISCARDED = 4 << 10 /* fn cleans up the arguments, without the body */
};

struct bomp_task {
    struct bz_job job; /* first: all jobs of a team's domain are tasks */
    struct {
        struct bomp_task *v;
    } parent;                   /* NULL: an implicit task. Constant, read by thieves: relaxed */
    struct bz_a32 depth;        /* number of ancestors, and BOMP_TASK_UNTIED. As parent */
    struct bz_a32 refs;         /* raised by the worker that completes a child, lowered by any */
    uint32_t flags;             /* creator, then owner */
    uint32_t created;           /* children so far, undeferred ones too; owner only */
    struct bomp_group *group;   /* innermost taskgroup; owner only once it runs */
    const struct bomp_icv *icv; /* its own, or inherited: an ancestor keeps it */
    struct bz_tally children;   /* created and not complete */
    /* The worker that runs it, which writes it; then NULL if it has children, which read it at their completion. */
    struct {
        struct bz_worker *v;
    } owner;
    int64_t floor; /* jobs above it in the owner's deque are descendants; owner only */
    void (*fn)(void *);
    void *data; /* fn's argument; on the stack the tools' data */
    union {
        struct bomp_task_extra *extra; /* BOMP_TASK_HAS_EXTRA or BOMP_TASK_HAS_NODE. As flags */
        struct bomp_task *moved;       /* BOMP_TASK_MOVED: where it is now. Owner only */
    };
};

/* Slab objects and implicit tasks begin 8 bytes into a line. */
_Static_assert(offsetof(struct bomp_task, children.shared) == 56,
               "completing children and the creator write different lines");

/* The extra part: fields that few tasks need, in a slab object. It stays while its node does. */
struct bomp_task_extra {
    char of_task[offsetof(struct bomp_task, refs)]; /* parent and depth; never written */
    bool helped;   /* for hidden helper threads. Its creator, then the one that gives it to its team */
    bool detached; /* complete after its event as well; until then it has one reference more. As flags */
    struct bomp_tool_task *tool; /* the tools' data, with BOMP_TASK_TOOL; NULL: a JOIN. Constant */
    void *block;                 /* arguments too large for a slab object, or NULL. Constant */
    struct bomp_tsan *tsan;      /* or NULL. Constant */
    struct bomp_table *table;    /* dependences of its children, or NULL. Its thread only (depend_table.h) */
    struct bomp_event event;     /* of a detached task */
    struct bz_pqueue_item item;  /* in the priority queue; priority 0: not there */
    struct bomp_node node;       /* its dependences: BOMP_TASK_HAS_NODE (depend_node.h) */
};

_Static_assert(offsetof(struct bomp_task_extra, event.word) == offsetof(struct bomp_task, children.shared),
               "a late read of an event, where a task lies by then, meets an atomic word");

/* `untied`: BOMP_TASK_UNTIED or 0. */
static inline uint32_t bomp_task_depth_below(const struct bomp_task *parent, uint32_t untied) {
    /* relaxed: this thread's own store or an ancestor's */
    return (bz_load_relaxed(&parent->depth) | BOMP_TASK_UNTIED) + 1 + untied;
}

/* As flags. */
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

static inline bool bomp_task_has_moved(const struct bomp_task *task) {
    return (task->flags & (BOMP_TASK_STACK | BOMP_TASK_MOVED)) == (BOMP_TASK_STACK | BOMP_TASK_MOVED);
}

/* In children.local of an observed task, so that tools are notified of a wait without children. It counts nothing
 * (BZ_TALLY_ONE is more), and is taken off while the task waits and when it ends. */
#define BOMP_TASK_OBSERVES_WAITS 1

/* Identifies a task even if it moves. */
static inline const void *bomp_task_identity(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_MOVED ? task->data : task;
}

/* Moves the current task and its ancestors from the stack. NULL: no memory, nothing has changed. */
struct bomp_task *bomp_task_persist(struct bomp_member *self);

/* Waits for done(arg), whose waker calls bz_worker_wake; runs descendants meanwhile. `what`: for debuggers. */
void bomp_task_wait_until(struct bomp_member *self, bool (*done)(void *), void *arg, const char *what);

/* For a thread that waits for other things than tasks: resumes a task suspended on it. False: none, it may sleep. */
bool bomp_task_let_others(void);

/* Waits until all tasks of a solo worker are complete; of a root team. */
void bomp_task_wait_quiet(struct bz_worker *self);
void bomp_task_finish_root(struct bomp_member *self);

/* Waits for the tally of the current task, or of a taskgroup that it opened; runs descendants meanwhile. `site`: in the
 * program, for predictions. */
void bomp_task_wait_for(struct bomp_member *self, struct bz_tally *tally, const void *site);

/* An implicit task, or the initial task of a thread: it is no job, and lives with its member. */
void bomp_task_init_implicit(struct bomp_task *task, struct bz_worker *owner, const struct bomp_icv *icv);

/* The task's own ICVs, to write: a new block if descendants may read the present one. NULL: no memory. */
struct bomp_icv *bomp_task_own_icv(struct bomp_task *task);
/* Without descendants: frees the ICV blocks that the task made; all its memory but the descriptor. */
void bomp_task_free_icvs(struct bomp_task *task);
void bomp_task_strip_slow(struct bomp_task *task, struct bz_worker *self);
static inline void bomp_task_strip(struct bomp_task *task, struct bz_worker *self) {
    if (bz_unlikely(task->flags & (BOMP_TASK_HAS_EXTRA | BOMP_TASK_HAS_NODE | BOMP_TASK_OWNS_ICV)))
        bomp_task_strip_slow(task, self);
}

#endif
