/* A team: k workers of one domain that run body(i) at the same time, on k threads, because they will meet at barriers.
 * The caller is worker 0. The others are cached threads that stay attached to the team between runs: they poll for the
 * next one for a while, then sleep. A smaller run leaves the rest attached, but *parked*: the thread cache may reclaim
 * them. The life of a member is in thread_team.md. */
#ifndef BZ_THREAD_TEAM_H
#define BZ_THREAD_TEAM_H

#include "sched/domain.h"
#include "sched/worker.h"
#include "team/barrier.h"
#include "wait/predictor.h"

typedef void bz_team_body(unsigned index, void *arg);

enum bz_member_state {
    BZ_MEMBER_IN, /* the team's */
    BZ_MEMBER_PARKED, /* left out of the last run: the team (to IN) or the thread cache (to RECLAIMED) may claim it */
    BZ_MEMBER_RECLAIMED, /* leaves the team */
};

/* Of a member's waits; its thread only. */
struct bz_predictors {
    struct bz_predictor starts; /* for a start */
    struct bz_predictor within; /* in runs, and for their ends */
};

struct bz_team_member {
    struct bz_worker worker;          /* first: a worker of a team is a member */
    struct bz_team *team;             /* constant */
    struct bz_predictors *predictors; /* NULL: its waits are not predicted; constant */
    /* Start word of the last run that it has left for good: written by the member, read by the leader. */
    BZ_ALIGN_LINE struct bz_a32 finished;
    /* enum bz_member_state: IN to PARKED by the leader, just before a start word leaves it out; then by the claiming
     * thread. */
    struct bz_a32 state;
    /* A thread is here: set by the leader, cleared by the leaving thread as its last access. */
    struct bz_a32 attached;
    /* For a member that is left out: raised when a run includes it again, when it is reclaimed, and at the team's end, by
     * the thread that does so. The lowest bit says that the member sleeps here, or is about to; the member sets it, and
     * raising clears it. */
    struct bz_a32 call;
    /* Its thread arrives long before its first run. Written by the leader before the thread is given the member, read by
     * the thread. */
    bool is_early;
};

struct bz_team {
    struct bz_domain domain;
    struct bz_barrier barrier;

    /* Epoch (upper 16 bits) and size (lower 16) of the last run; written by the leader, read by attached members,
     * which sleep on it. Size 0: all leave. */
    BZ_ALIGN_LINE struct bz_a32 start;
    bz_team_body *body; /* written by the leader before start */
    void *arg;
    const void *site; /* of the run in the program, for predictions; NULL: none. Written with body */
    /* Members asleep on start, or about to be; changed by them, read by the leader once it has written start. */
    struct bz_a32 asleep;

    /* Rarely written. */
    BZ_ALIGN_LINE struct bz_team_member **members;
    uint32_t capacity;            /* constant */
    struct bz_placement_map *map; /* each member's CPU; NULL: no member moves; constant */
    uint32_t generation;          /* of the process (thread.h) at creation; constant */
    bool predicts;      /* members wait as their predictor says, not as the user has set; constant */
    struct bz_a64 woke; /* clock when the leader last woke members for a start; written by it, read by them */
    /* A team between two runs may have a resizer, which parks all members in the leader's place. A
     * thread is or wants to be one: written with the list's lock held, read by the leader */
    struct bz_a32 resizer;
    struct bz_team *next, *previous; /* all teams; under the list's lock */
    /* Members that are parked and could be reclaimed, for threads that search for one. Changed by the threads that park,
     * include or reclaim them. A hint: a thread that misses one creates a thread. */
    struct bz_a32 parked;
    uint32_t reclaimed; /* the member that was reclaimed last; under the list's lock */

    /* The leader's, or the resizer's. */
    /* From when the leader enters the team to the end of the run; written by it, read by resizers */
    BZ_ALIGN_LINE struct bz_a32 led;
    uint32_t size; /* of the next run */
    /* Above the indices of all early members, which sleep on the word; 0: there are no early ones */
    uint32_t early;
    uint32_t word;           /* the value of start: reading that would wait for a line that members poll */
    struct bz_worker *outer; /* the leader's worker outside the run under way; written by it alone */
};

/* The team nested in the calling worker, for *size workers (at least 1) in the next run: created, grown, or unchanged. If
 * threads are missing, the team is smaller, with one warning: *size is what it got, at least 1. NULL: no memory even for
 * the caller alone. */
struct bz_team *bz_team_enter(struct bz_worker *self, unsigned *size);

/* Runs body(i, arg) for i in [0, size) and returns when all have returned and the domain is quiet. Inside, bz_self is the
 * team's worker. */
void bz_team_run(struct bz_team *team, bz_team_body *body, void *arg);

/* The same in two halves, for a caller that runs its own body: between them the calling thread is worker 0. */
void bz_team_begin(struct bz_team *team, bz_team_body *body, void *arg);
void bz_team_end(struct bz_team *team);

/* The next run's place in the program, for predictions; by the leader, before the run begins. NULL: unknown. */
static inline void bz_team_set_site(struct bz_team *team, const void *site) {
    if (team->size <= BZ_START_FETCHED || team->site != site) /* members poll the line */
        team->site = site;
}

/* One of its workers, index below what bz_team_enter has granted so far. By its leader, or in a run. */
static inline struct bz_worker *bz_team_worker(const struct bz_team *team, unsigned index) {
    return &team->members[index]->worker;
}

/* The meeting of all workers of a run, by each of them: bz_barrier_wait. */
static inline void bz_team_meet(struct bz_team *team, struct bz_worker *self, const void *site) {
    bz_barrier_wait(&team->barrier, self, site);
}

/* A word of the layer above. Its line is with the worker that has just completed a meeting, and soon with all of them. */
static inline struct bz_a32 *bz_team_word(struct bz_team *team) {
    return &team->barrier.layer_word;
}

/* Whether the calling thread is inside a run whose other members will wait for it. `outer` is its outermost worker. */
bool bz_team_is_open(const struct bz_worker *outer);

/* Sends the members back to the thread cache and frees the team. Not while it runs. NULL: does nothing. */
void bz_team_destroy(struct bz_team *team);
/* The same for the one nested in the worker, if there is one: the next region there makes a new one. */
void bz_team_drop(struct bz_worker *worker);

/* With the thread cache's lock held: makes up to `most` parked members of any teams leave, and counts them in *expected.
 * If there are no parked ones, teams below `root` that are not in a run park theirs; with root 0, they do not. False: it
 * found no member. */
bool bz_team_reclaim(unsigned *expected, uint64_t root, unsigned most);

/* In the child of a fork, where no team has members any more. The calling thread continues alone in its run, and in the
 * runs around it that it leads. */
void bz_team_forget(void);

#endif
