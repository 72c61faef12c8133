/* What a team is: the threads of one parallel region, with OpenMP's meaning on top of the scheduler's team. The thread
 * that opens a region (the primary thread, member 0) writes the region's fields before the members start. The next region
 * that it opens at the same depth reuses the team and its threads.
 *
 * A thread outside of all regions is the only member of a root team (team/initial.h). Any room may include this file:
 * it holds data alone. */
#ifndef BOMP_TEAM_DATA_H
#define BOMP_TEAM_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/affinity/place_assignment.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/member.h"
#include "omp/tool/tool_data.h"
#include "runtime.h"

struct bomp_merge_team;
struct bomp_reduction;
struct bomp_workshare_team;

/* The state that all teams below an initial thread share (team/initial.h). */
struct bomp_initial {
    /* Threads at work in its contention group, itself included; exact where regions have a thread limit. Changed by the
     * threads that open and end such regions. */
    struct bz_a32 busy;
    /* Its number in its league of teams, and their number. Changed by itself, between regions. */
    unsigned team_num, num_teams;
    struct bomp_team *league;        /* its members run the league's teams at the same time; NULL: none */
    struct bomp_tool_region *region; /* its league's, if it is observed; else NULL */
    bool inside;                     /* a region of more than one thread is around it */
    bool helps; /* it is a hidden helper thread (task/hidden_helper.h) or below one; constant */
};

/* The region's affinity of threads to places (team/affinity.h); set when it is opened. */
struct bomp_team_affinity {
    uint8_t policy; /* enum bomp_bind; FALSE: members have no assignments */
    bool show;      /* members print their places */
    /* The last region that was printed: policy, size, and the primary thread's assignment. */
    uint8_t displayed_policy;
    unsigned displayed_size; /* 0: none was */
    struct bomp_place_assignment displayed;
    struct bz_a32 turn; /* the member that prints its line next */
};

/* Cancellation: OMP_CANCELLATION=true (task/cancelled.h, loop/cancel.md). */
struct bomp_cancel_team {
    bool on;                 /* OMP_CANCELLATION; constant */
    bool special;            /* on, or something observes the team; constant */
    struct bz_a32 region;    /* 1: cancelled. Set by any member, 0 when a region is opened; read by all */
    struct bz_a64 construct; /* place + 1 of the last cancelled worksharing construct; as region */
    /* Place after the barrier of the last reduction; set by each member that reaches it. */
    struct bz_a64 reduced;
    /* All meetings of the region but its end: members leave them when the region is cancelled. */
    struct bz_barrier barrier;
};

/* ThreadSanitizer's keys (task/tsan.h): only their addresses matter. */
struct bomp_tsan_team {
    char start __attribute__((aligned(8)));
    uint64_t meet[2];
    struct bz_a64
        began; /* clock at the last begin of a task; this and `last` are written by that task's member */
    struct bz_a32 last; /* the member that began it */
};

/* Counts of the team's threads; primary thread only. */
struct bomp_team_counts {
    unsigned granted; /* besides the primary, in its contention group (team/group.h) */
    unsigned shared;  /* among the regions that share the CPUs (team/group.h) */
    unsigned ready;   /* members whose context exists: [0, ready) */
};

/* The region's code, and what its implicit tasks start with besides ICVs. */
struct bomp_team_body {
    void (*fn)(void *);
    void *data;
    uintptr_t allocator; /* def-allocator-var */
    uint64_t control;    /* floating-point control of the opening thread, for all members; 0: not passed on */
};

struct bomp_team {
    struct bz_team *thread_team; /* NULL in a root team; constant */
    /* Set before a region starts, constant in it. */
    unsigned size;
    int level;                    /* regions around its tasks, this one included */
    int active_level;             /* the regions of more than one thread among them */
    struct bomp_member *outer;    /* the member that opened the region; NULL in a root team */
    struct bomp_initial *initial; /* the initial thread above */
    struct bomp_team_counts counts;
    struct bomp_icv icv; /* initial ones of the implicit tasks */
    struct bomp_team_body body;
    struct bomp_team_affinity affinity; /* if bomp_affinity_asked */
    struct bomp_reduction *reduction;   /* that all tasks of the region know; NULL: none */

    BZ_ALIGN_LINE struct bomp_workshare_team *ws; /* loop/workshare.h; constant */
    struct bomp_cancel_team cancel;
    struct bomp_merge_team *merge; /* loop/merge.h; constant */
    struct bomp_tsan_team tsan;
    struct bomp_tool_region tool; /* the tools' data of the region */
    bool helped;                  /* a root: it has had tasks for hidden helper threads; its thread only */

    /* Where body.data points, if not to the caller's own data; set before a region starts. It begins a line: a region of
     * two threads took 163 ns, and up to 205 where six words and the function lay across two. */
    BZ_ALIGN_LINE char copy[BOMP_REGION_DATA];
};

/* Single constructs that a member has claimed; changed by any member. Where a barrier precedes each construct, the member
 * that completes the barrier owns the line and claims the next construct at once. Not in a root team. */
static inline struct bz_a32 *bomp_team_singles(const struct bomp_team *team) {
    return bz_team_word(team->thread_team);
}

/* In the child of a fork: the member that its thread continues as after `self` ends; NULL: the thread ends then. */
static inline struct bomp_member *bomp_member_around(const struct bomp_member *self) {
    if (self->team->thread_team) /* its number may be 0 since an earlier fork */
        return bz_worker_index(self->worker) == 0 ? self->team->outer : NULL;
    const struct bz_worker *worker = bz_worker_isolated_from(self->worker);
    return worker ? bz_worker_context(worker) : NULL;
}

#endif
