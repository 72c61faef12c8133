/* A member: one thread's part in a team, kept with its worker (bz_worker_context). Owner only, unless a field says
 * otherwise. */
#ifndef BOMP_MEMBER_H
#define BOMP_MEMBER_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/affinity/place_assignment.h"
#include "omp/task/task.h"
#include "omp/task/taskgroup.h"
#include "omp/tool/tool_data.h"
#include "runtime.h"

struct bomp_team;
struct bomp_workshare_member;

/* Clauses for the next region or league that the member opens. */
struct bomp_next {
    struct bomp_threads_clause clause; /* num_threads with more than a number; threads 0: none */
    unsigned threads;                  /* num_threads; 0: none */
    unsigned teams, teams_limit;       /* of a league; 0: none */
    uint8_t bind;                      /* proc_bind, enum bomp_bind */
};

/* A region whose places were printed. */
struct bomp_displayed_region {
    int level;
    unsigned size;
};

/* The nestable locks that tasks of a member hold, and these tasks: a lock has room for the thread only (sync/nest_lock.h).
 * `last` is the newest lock, the rows are older ones. A row is stale after another thread has unlocked its lock. */
struct bomp_held_lock {
    const void *lock;
    const void *task; /* bomp_task_identity() */
};

struct bomp_held_locks {
    struct bomp_held_lock last;  /* lock NULL: free again */
    struct bomp_held_lock *rows; /* NULL: never two locks at a time */
    uint32_t count, room;        /* of the rows */
};

/* Taskyields (task/yield.md). */
struct bomp_yields {
    uint64_t at;        /* jobs that the worker had begun at the last fruitless one */
    unsigned fruitless; /* in a row, since a task last began here */
    bool has_starved;   /* tasks of this member are starved, in this region or an earlier one */
    bool oldest;        /* the last one that began a task searched for the oldest */
};

/* ThreadSanitizer (task/tsan.h). */
struct bomp_tsan_member {
    unsigned met;    /* barriers met in this region */
    uint64_t waited; /* clock at the end of its last wait for its turn */
};

struct bomp_member {
    BZ_ALIGN_LINE struct bomp_task *current; /* the running task: &implicit or an explicit one */
    struct bomp_team *team;                  /* constant */
    struct bz_worker *worker;                /* constant */
    /* The jobs that fill its deque, and an index below which it is not full, as last seen (task_policy.h). */
    int64_t queue_most, queue_full;
    unsigned num;        /* omp_get_thread_num; constant, except in the child of a fork */
    uintptr_t allocator; /* def-allocator-var; never 0 */
    uint64_t place;      /* counts starts and ends of constructs, and barriers, which all members meet */
    struct bomp_workshare_member *ws;        /* loop/workshare.h; constant */
    struct bomp_place_assignment assignment; /* of its thread in this region */
    struct bomp_displayed_region displayed;  /* the last that its thread printed (affinity.c) */
    struct bz_a32 gone; /* it leaves the cancelled region; set by it, read by all (cancelled.h) */
    struct bomp_next next;
    bool queue_private; /* its queue is private until thieves request jobs (deque.md) */
    struct bomp_yields yields;
    struct bomp_tsan_member tsan;
    struct bomp_held_locks held;
    struct bomp_group group;      /* of the implicit task, when the region has a reduction */
    BZ_ALIGN_LINE char line[8];   /* as before a slab object: see struct bomp_task */
    struct bomp_task implicit;    /* the implicit task; thieves of its children read it */
    struct bomp_tool_member tool; /* the tools' data of it and of its implicit task */
};

/* The caller's member in its innermost team; a thread without one gets a root team (team/initial.c). Cost: two
 * loads. */
struct bomp_member *bomp_self_slow(void);

static inline struct bomp_member *bomp_self(void) {
    return bz_likely(bz_context) ? bz_context : bomp_self_slow();
}

/* For queries: NULL for a thread without a team. */
static inline struct bomp_member *bomp_self_if_any(void) {
    return bz_context;
}

/* In a function that programs call: the call site, for predictions of waits. */
#define BOMP_SITE __builtin_return_address(0)

#endif
