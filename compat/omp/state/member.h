/* A member: one thread's part in a team, kept with its worker (bz_worker_context). Owner only, but for what a field says. */
#ifndef BOMP_STATE_MEMBER_H
#define BOMP_STATE_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/affinity/place_assignment.h"
#include "omp/icv/icv.h"
#include "omp/state/group.h"
#include "omp/state/task.h"
#include "omp/state/tool.h"
#include "runtime.h"

struct bomp_team;
struct bomp_workshare_member;

/* omp_unassigned_thread: what omp_get_thread_num says in a task that runs on no thread of its team (task/agent.h). */
#define BOMP_UNASSIGNED (-2)

/* What a taskwait of a member's tasks has to heed. */
enum bomp_waits {
    BOMP_WAITS_IN_TEAM, /* others may run what it waits for */
    BOMP_WAITS_ALONE,   /* its thread alone: in which order it runs that matters */
    BOMP_WAITS_OBSERVED /* by a tool */
};

/* Clauses that were said before the region or league that they are of. */
struct bomp_next {
    struct bomp_threads_clause
        clause;                  /* num_threads, if it says more than a number; its threads are 0 if not */
    unsigned threads;            /* num_threads; 0: none */
    unsigned teams, teams_limit; /* of a league; 0: nothing */
    uint8_t bind;                /* proc_bind, enum bomp_bind */
};

/* A region whose places were shown. */
struct bomp_shown_region {
    int level;
    unsigned size;
};

/* The nestable locks that tasks of a member hold, and which task holds which: the lock itself has room for the thread only
 * (sync/nest_lock.h). The last one that was taken is at hand, those before it are in a list. A row of the list may be old,
 * if another thread has unlocked the lock: it goes when its lock comes here again. Owner only. */
struct bomp_held_lock {
    const void *lock;
    const void *task; /* bomp_task_identity() */
};

struct bomp_held_locks {
    struct bomp_held_lock last;  /* lock NULL: it is free again */
    struct bomp_held_lock *rows; /* room of them; NULL: no two were ever held */
    uint32_t count, room;
};

struct bomp_member {
    BZ_ALIGN_LINE struct bomp_task *current; /* the task that runs: &implicit or an explicit one */
    struct bomp_team *team;                  /* constant */
    struct bz_worker *worker;                /* constant */
    /* The jobs with which its deque is full, and the index below which it holds fewer, as last seen (task_policy.h). */
    int64_t queue_most, queue_full;
    unsigned
        num; /* omp_get_thread_num: the worker's index in the team, 0 in a root, BOMP_UNASSIGNED in an agent's;
                * constant, but for a fork */
    uintptr_t allocator; /* def-allocator-var; a handle of allocator.h, never 0 */
    uint64_t place;      /* counts starts and ends of constructs, and barriers: where all members come by */
    struct bomp_workshare_member
        *ws; /* worksharing constructs met in this region (loop/workshare.h); constant */
    struct bomp_place_assignment assignment; /* of its thread in this region */
    struct bomp_shown_region shown; /* that its thread has shown last, nested ones included (affinity.c) */
    struct bz_a32 gone; /* it goes to the end of the cancelled region; set by it, read by all, see cancel.h */
    struct bomp_next next;       /* clauses of what it opens next */
    uint8_t waits;               /* enum bomp_waits; by the team's size and tools */
    bool queue_private;          /* thieves ask for what it queues (deque.md), else it is public at once */
    unsigned met;                /* barriers met in this region, under ThreadSanitizer */
    uint64_t tsan_waited;        /* clock at the end of its last wait for its turn (task/tsan.c) */
    unsigned yields;             /* fruitless taskyields since a task last began here */
    bool has_starved;            /* some of its tasks, in this region or an earlier one (yield.md) */
    bool oldest;                 /* the last taskyield that began a task looked for the oldest */
    uint64_t yields_at;          /* jobs that its worker had begun at the last of them */
    struct bomp_held_locks held; /* nestable locks of its tasks */
    struct bomp_group group;     /* of the implicit task, when the region has a reduction */
    BZ_ALIGN_LINE char line[8];  /* as before a slab object: see struct bomp_task */
    struct bomp_task implicit; /* the region's implicit task of this thread; seen by its children's thieves */
    struct bomp_tool_member tool; /* what hooks keep of it, and of its implicit task */
};

/* The calling thread's part in its innermost team; a root team is made for a thread that has none. Never NULL (no
 * memory for a root is fatal). Cost: two loads.
 *
 * The one call that runs upward in compat/omp: what makes a root (team/initial.c) starts tasks and constructs, and the first
 * call of a thread may be any. */
struct bomp_member *bomp_self_slow(void);

static inline struct bomp_member *bomp_self(void) {
    return bz_likely(bz_context) ? bz_context : bomp_self_slow();
}

/* The same for a question that must not make anything: NULL for a thread that has no team yet. */
static inline struct bomp_member *bomp_self_if_any(void) {
    return bz_context;
}

/* In a function that programs call: where they do, for predictions of waits. */
#define BOMP_SITE __builtin_return_address(0)

#endif
