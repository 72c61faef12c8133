/* Tasks. A deferred task is a slab object of the scheduler's memory with its arguments inline, queued as a job on its
 * creator's worker. An undeferred one runs at once, with a descriptor on its thread's stack, which moves to a slab object
 * when the task first has a deferred child: from then on others may look at it, also when it has ended. States, and who may
 * touch what when: compat/omp/README.md. The steps of their life are in task_inner.h
 * and task_run.h.
 *
 *   complete   the body has run: counted at the parent, which may be waiting
 *   kept       memory stays while children may look at it: until it is complete with all its children, and for as long
 *              as there are references (`refs`): one of each child that is complete while that child's own descendants
 *              are not
 *
 * Thieves peek at queued tasks and walk up their parents (task_wait.c): `parent` and `depth` are atomic and every ancestor
 * is kept as long as a descendant is. What else lives in a slab object leaves the room of these two alone. */
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
struct bomp_task_extra;
struct bomp_tool_task;

/* In `depth`, the lowest bit; the count is above it. */
#define BOMP_TASK_UNTIED ((uint32_t)1)

enum {
    BOMP_TASK_FINAL = 1,        /* and so are all its descendants */
    BOMP_TASK_COPYING = 2,      /* its copy function runs, on its creator: all that it creates runs at once */
    BOMP_TASK_OWNS_ICV = 4,     /* icv is in a list of its own blocks */
    BOMP_TASK_STACK = 8,        /* on the stack: parent, flags, created, group and icv are all it has */
    BOMP_TASK_MOVED = 16,       /* came from the stack; data is its old address. There: it has gone */
    BOMP_TASK_CANCELLABLE = 32, /* OMP_CANCELLATION is on: it or its children may be discarded */
    BOMP_TASK_COPIED =
        1024, /* its copy function has run, or a tool has heard it begin: fn must run, which ends that */
    BOMP_TASK_DETACHED =
        128, /* complete when its event has come about, too; until then it has one reference more */
    BOMP_TASK_LEFT = 256, /* on the stack, though its parent may have moved: there was no memory */
    BOMP_TASK_TOP =
        512, /* on the stack, and its parent is not, but may be another thread's: its flags are not for us */
    BOMP_TASK_TSAN = 64,      /* ThreadSanitizer observes it and its children (tsan.h) */
    BOMP_TASK_STARVED = 4096, /* it and its descendants keep no other task from beginning, see task_yield.c */
    BOMP_TASK_HAS_EXTRA = 32768,  /* `extra` is set; in a slab object only */
    BOMP_TASK_CLEANS = 262144,    /* may be discarded: its fn runs all the same, as the next says */
    BOMP_TASK_DISCARDED = 524288, /* fn runs to clean its arguments up, without the body */
    BOMP_TASK_TOOL = 1048576,     /* tools observe it and its children (tool/hooks.h) */
    BOMP_TASK_INHERITED = BOMP_TASK_FINAL | BOMP_TASK_CANCELLABLE | BOMP_TASK_TSAN | BOMP_TASK_TOOL
};

struct bomp_task {
    struct bz_job job; /* first: all jobs of a team's domain are tasks */
    struct {
        struct bomp_task *v;
    } parent; /* NULL: an implicit task. Written at creation; read by thieves of this task: relaxed */
    struct bz_a32 depth; /* parents up to the implicit task, and whether it is untied. As parent */
    struct bz_a32 refs; /* see above; raised by the worker that completes a child, lowered by whoever drops */
    uint32_t flags;     /* creator, then owner */
    uint32_t created;   /* children so far, undeferred ones included; owner only */
    struct bomp_group *group;   /* innermost taskgroup; owner only once it runs */
    const struct bomp_icv *icv; /* its own, or the one it inherited, which an ancestor keeps */
    struct bz_tally children;   /* created and not complete */
    /* Who runs it, then NULL if it has children; not set before. Written by it, read by completing children. */
    struct {
        struct bz_worker *v;
    } owner;
    int64_t floor; /* of the owner's deque: what lies above are descendants; owner only */
    void (*fn)(void *);
    void *data; /* fn's argument; on the stack, what tools keep of it (BOMP_TASK_TOOL) */
    union {
        struct bomp_task_extra *extra; /* what few tasks have; set if BOMP_TASK_HAS_EXTRA. As flags */
        struct bomp_task *moved; /* of a task that has gone from the stack: where it is now. Owner only */
    };
};

/* What others write when they complete its children lies in another line than what it needs to create them (a slab object
 * begins 8 bytes into a line, and so does what lies in a member). */
_Static_assert(offsetof(struct bomp_task, children.shared) == 56,
               "the second line begins with what others write");

/* What an extra part begins with. */
struct bomp_task_head {
    char of_task[offsetof(struct bomp_task, refs)]; /* parent and depth; never written */
    /* What tools keep of the task, behind it; set if it has BOMP_TASK_TOOL. Constant. */
    struct bomp_tool_task *tool;
};

/* The depth of a child, BOMP_TASK_UNTIED or 0. */
static inline uint32_t bomp_task_depth_below(const struct bomp_task *parent, uint32_t untied) {
    /* relaxed: this thread's own store or an ancestor's */
    return (bz_load_relaxed(&parent->depth) | BOMP_TASK_UNTIED) + 1 + untied;
}

/* What few tasks have, or NULL. As flags. */
static inline struct bomp_task_extra *bomp_task_has_extra(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_HAS_EXTRA ? task->extra : NULL;
}

/* Whether what was there, on the stack, is in a slab object now. */
static inline bool bomp_task_has_moved(const struct bomp_task *task) {
    return (task->flags & (BOMP_TASK_STACK | BOMP_TASK_MOVED)) == (BOMP_TASK_STACK | BOMP_TASK_MOVED);
}

/* In children.local of a task that tools observe: they are notified of each wait, also where there is nothing to wait
 * for. It counts nothing (BZ_TALLY_ONE is more), and is not there while the task waits, nor when it ends. */
#define BOMP_TASK_LOOKS 1

/* What identifies a task from its start to its end, even if it moves. */
static inline const void *bomp_task_identity(const struct bomp_task *task) {
    return task->flags & BOMP_TASK_MOVED ? task->data : task;
}

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
