/* A team: k workers of one domain that run body(i) at the same time. The caller is worker 0; cached threads stay
 * attached between runs. See thread_team.md. */
#ifndef BZ_THREAD_TEAM_H
#define BZ_THREAD_TEAM_H

#include "sched/domain.h"
#include "sched/worker.h"
#include "team/barrier.h"
#include "wait/lease.h"
#include "wait/thread.h"
#include "wait/waiter.h"

typedef void bz_team_body(unsigned index, void *arg);

enum bz_member_state {
    BZ_MEMBER_DETACHED, /* it has no thread */
    BZ_MEMBER_IN,
    BZ_MEMBER_PARKED,    /* not in the last run: the team or the thread cache may claim it */
    BZ_MEMBER_RECLAIMED, /* leaves the team */
};

/* For a member's waits; its thread only. */
struct bz_predictors {
    struct bz_predictor starts; /* between runs */
    struct bz_predictor within; /* in runs, and for their ends */
};

struct bz_team_member {
    struct bz_worker worker;          /* first: a worker of a team is a member */
    struct bz_team *team;             /* constant */
    struct bz_predictors *predictors; /* NULL: none; constant */
    /* The start word of the last run that it has left: written by it, read by the leader. */
    BZ_ALIGN_LINE struct bz_a32 finished;
    /* enum bz_member_state: IN and PARKED by the leader, then changed by the claiming thread; DETACHED by the last access
     * of the leaving thread. */
    struct bz_a32 state;
    /* Raised by the thread that includes a parked member again, reclaims it, or ends the team. Lowest bit: it sleeps here or
     * is about to; set by it, cleared by raising. */
    struct bz_a32 call;
};

struct bz_team {
    struct bz_domain domain;
    struct bz_barrier barrier;

    /* Epoch (upper 16 bits) and size of the last run, 0: all leave. Written by the leader; members read it and sleep on
     * it. */
    BZ_ALIGN_LINE struct bz_a32 start;
    bz_team_body *body; /* written by the leader before start */
    void *arg;
    const void *site; /* of the run in the program, for predictions, or NULL; written with body */
    /* Members asleep on start or about to be: changed by them, read by the leader. */
    struct bz_a32 asleep;

    /* Rarely written. */
    BZ_ALIGN_LINE struct bz_team_member **members;
    uint32_t generation; /* of the process (thread.h); constant */
    struct bz_a64 woke;  /* clock of the leader's last wake; written by it, read by members */
    /* A thread is or wants to be the resizer: written under the list's lock, read by the leader. */
    struct bz_a32 resizer;
    struct bz_team *next, *previous; /* of all teams; under the list's lock */
    /* A hint: parked members; changed by threads that park, include or reclaim them. */
    struct bz_a32 parked;

    /* The leader's, or the resizer's. */
    /* 1 from bz_team_enter to the run's end: written by the leader, read by resizers. */
    BZ_ALIGN_LINE struct bz_a32 led;
    uint32_t size;           /* of the next run */
    uint32_t word;           /* a copy of start, which members poll */
    struct bz_worker *outer; /* the leader's worker outside the run */
};

/* The team nested in the calling worker, for a run of *size (at least 1), reduced if threads are missing. NULL: no memory
 * even for the caller alone. */
struct bz_team *bz_team_enter(struct bz_worker *self, unsigned *size);

/* A run: the other threads call body(i, arg) for i in [1, size), and the caller is worker 0 until bz_team_end. That returns
 * when all have returned and the domain is quiet. `site`: in the program, for predictions; or NULL. */
void bz_team_begin(struct bz_team *team, bz_team_body *body, void *arg, const void *site);
void bz_team_end(struct bz_team *team);

void bz_team_expect_one_of_several(unsigned size);

/* The caller asks for the size of its next run. If that needs a lease, the caller waits for it here. */
static inline void bz_team_expect(unsigned size) {
    if (size > 1 && bz_lease_is_one_of_several(&bz_own_lease))
        bz_team_expect_one_of_several(size);
}

/* By its leader, or in a run. */
static inline struct bz_worker *bz_team_worker(const struct bz_team *team, unsigned index) {
    return &team->members[index]->worker;
}

static inline void bz_team_meet(struct bz_team *team, struct bz_worker *self, const void *site) {
    bz_barrier_wait(&team->barrier, self, site);
}

/* A word of the layer above, in a line that the worker which completes a meeting has. */
static inline struct bz_a32 *bz_team_word(struct bz_team *team) {
    return &team->barrier.layer_word;
}

/* Whether members wait for the calling thread, with the outermost worker `outer`. */
bool bz_team_is_open(const struct bz_worker *outer);

/* Not while it runs; NULL: does nothing. */
void bz_team_destroy(struct bz_team *team);
/* The same for the team nested in the worker. */
void bz_team_drop(struct bz_worker *worker);

/* With the thread cache's lock held: up to `most` parked members leave their teams and count in *expected. If none is
 * parked, teams with that root (not 0) outside runs park theirs. False: none leaves. */
bool bz_team_reclaim(unsigned *expected, uint64_t root, unsigned most);

/* Of the process before a fork. */
static inline bool bz_team_is_forgotten(const struct bz_team *team) {
    return team->generation != bz_fork_generation();
}

/* In the child of a fork: the calling thread continues alone in its run and the runs around it that it leads. */
void bz_team_forget(void);

/* ---- start.c: a member's waits between two runs ---- */

#define BZ_START_SIZE_MASK 0xffffu

/* 0: all leave. */
static inline uint32_t bz_start_size(uint32_t word) {
    return word & BZ_START_SIZE_MASK;
}

/* Its thread's waits after runs from that site; NULL: not predicted. */
struct bz_history *bz_history_after(struct bz_team_member *member, const void *site);

/* Waits until the start word differs from `seen`: the word then; 0: it leaves. */
uint32_t bz_start_wait(struct bz_team_member *member, uint32_t seen, struct bz_predicted *predicted);

/* The same for a parked one: until a run includes it, or it is reclaimed (0), or the team ends (0). */
uint32_t bz_start_wait_parked(struct bz_team_member *member);

/* Makes a parked member check again what the caller has written. */
void bz_start_call(struct bz_team_member *member);

#endif
