/* A team: the threads of one parallel region. It is a team of the scheduler, its threads, with OpenMP's meaning beside
 * it. Teams are kept with their threads and used again by the next region that the same thread opens at the same depth;
 * the fields that a region sets are written by the thread that opens it (the primary thread, member 0) before the members
 * start.
 *
 * A thread outside of all regions is the only member of a root team (initial.h). */
#ifndef BOMP_TEAM_H
#define BOMP_TEAM_H

#include "omp/affinity/affinity.h"
#include "omp/icv/icv.h"
#include "omp/loop/workshare.h"
#include "omp/task/credit.h"
#include "omp/task/grain.h"
#include "omp/task/task.h"
#include "omp/task/taskgroup.h"
#include "omp/team/cancel.h"
#include "omp/team/initial.h"
#include "omp/team/watch.h"
#include "runtime.h"

struct bomp_team;

/* One thread's part in a team; kept with its worker (worker->context). Owner only, but for what a field says. */
struct bomp_member {
    BZ_ALIGN_LINE struct bomp_task *current; /* the task that runs: &implicit or an explicit one */
    struct bomp_team *team;                  /* constant */
    struct bz_worker *worker;                /* constant */
    /* Jobs in its deque, as last seen: with fewer, the next task is queued; with so many, it runs at once. Owner only; see
     * task_policy.h. */
    int64_t queue_short, queue_long;
    int64_t queue_end;             /* of the deque: below this index it holds less than queue_long */
    struct bomp_grain_batch grain; /* of tasks that run at once for being fine */
    unsigned
        num; /* omp_get_thread_num: the worker's index in the team, 0 in a root; constant, but for a fork */
    uint32_t singles;                /* single constructs met in this region */
    uint32_t singles_seen;           /* of the team's, that were claimed when it last looked */
    uintptr_t allocator;             /* def-allocator-var; a handle of allocator.h, never 0 */
    struct bomp_workshare_member ws; /* worksharing constructs met in this region */
    struct bomp_seat seat;           /* where its thread sits in this region */
    struct bz_a32 cpu;    /* that it last waited for its turn on, and 1; set by it, read by all, a hint */
    uint32_t yield_skips; /* so many times it sleeps rather than yields to a neighbour */
    uint64_t moved_ns;    /* clock, when it last moved away from one (neighbour.h) */
    struct bz_a32 gone; /* it goes to the end of the cancelled region; set by it, read by all, see cancel.h */
    struct bomp_procs_clock procs; /* for the regions that it opens; its thread only */
    uint8_t next_bind;             /* the proc_bind clause of the region that it opens next, enum bomp_bind */
    bool queue_private;            /* thieves ask for what it queues (deque.md), else it is public at once */
    unsigned met;                  /* barriers met in this region, if the team is watched */
    unsigned yields;               /* taskyields on this thread since it last began a task */
    bool oldest;                   /* the last taskyield that began a task looked for the oldest */
    uint64_t yields_at;            /* jobs that its worker had begun at the last of them */
    struct bomp_credit credit;     /* alone: for tasks that are queued (task_policy.h) */
    struct bomp_group group;       /* of the implicit task, when the region has a reduction */
    BZ_ALIGN_LINE char line[8];    /* as before a slab object's memory: see struct bomp_task */
    struct bomp_task implicit; /* the region's implicit task of this thread; seen by its children's thieves */
};

struct bomp_team {
    struct bz_team *thread_team; /* NULL in a root team; constant */
    /* Set before a region starts, constant in it. */
    unsigned size;
    int level;                    /* regions around its tasks, this one included */
    int active_level;             /* of these, of more than one thread */
    struct bomp_member *outer;    /* who opened the region; NULL in a root team */
    struct bomp_initial *initial; /* the initial thread above */
    unsigned
        granted; /* threads besides the primary that are counted in its contention group; primary thread only */
    struct bomp_icv icv; /* what the implicit tasks start with */
    uintptr_t allocator; /* and their def-allocator-var */
    bz_team_body *body;  /* what its threads run: one of the two below; constant */
    void (*fn)(void *);
    void *data;
    struct bomp_team_affinity affinity; /* if bomp_affinity_asked */
    struct bomp_reduction *reduction;   /* that all tasks of the region know; NULL: none */
    unsigned ready;                     /* members whose context exists: [0, ready); primary thread only */

    BZ_ALIGN_LINE void
        *copyprivate; /* what the chosen thread passes on; written by it between two barriers */
    struct bomp_workshare_team ws;
    struct bomp_cancel_team cancel;
    struct bomp_watch_team tsan;
};

/* The calling thread's part in its innermost team; a root team is made for a thread that has none (initial.c). Never NULL
 * (no memory for a root is fatal). Cost: two loads. */
struct bomp_member *bomp_self_slow(void);

static inline struct bomp_member *bomp_self(void) {
    return bz_likely(bz_context != NULL) ? bz_context : bomp_self_slow();
}

/* The same for a question that must not make anything: NULL for a thread that has no team yet. */
static inline struct bomp_member *bomp_self_if_any(void) {
    return bz_context;
}

/* Opens a region of `wanted` threads (0: as the ICVs say), which runs fn(data), inside outer's current task: sets all that
 * the members need before they start. Then the caller begins the scheduler's team. Out of memory is fatal. */
struct bomp_team *bomp_team_open(struct bomp_member *outer, unsigned wanted, void (*fn)(void *), void *data);
/* What its threads then run, on each member's thread but the caller's: the start, fn(data). Watched: see watch.h. */
void bomp_team_body(unsigned num, void *team);
void bomp_team_body_watched(unsigned num, void *team);
/* When it has ended, by the same thread. */
void bomp_team_close(struct bomp_team *team);

/* Single constructs that somebody has claimed; changed by any member. Where a barrier goes before each, whoever completes it
 * has the line, and claims the next one without asking anybody. Not in a root team. */
static inline struct bz_a32 *bomp_team_singles(const struct bomp_team *team) {
    return &team->thread_team->barrier.layer_word;
}

/* From now on, in the child of a fork, the teams that the forking thread is in go on with it alone. Once, before there are
 * any. */
void bomp_team_at_fork(void);

/* The start of a region for each member, on its own thread. */
void bomp_member_start(struct bomp_member *member);

/* bomp_team_barrier where regions may be cancelled or are watched. */
bool bomp_team_barrier_special(struct bomp_member *self, const void *place);

/* In a function that programs call: where they do, for forecasts of waits. */
#define BOMP_PLACE __builtin_return_address(0)

/* All members meet and all tasks of the team are complete. False: the region is cancelled, and not all have come.
 * `place`: of the barrier in the program. */
static inline bool bomp_team_barrier(struct bomp_member *self, const void *place) {
    if (bz_unlikely(self->team->cancel.special))
        return bomp_team_barrier_special(self, place);
    if (self->team->thread_team)
        bz_barrier_wait(&self->team->thread_team->barrier, self->worker, place);
    else
        bomp_task_finish_root(self);
    return true;
}

#endif
