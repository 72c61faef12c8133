/* A team: the threads of one parallel region, on the scheduler's team. The primary thread, member 0, writes the
 * region's fields before the members start; its next region at the same depth reuses the team. A thread outside of
 * all regions has a root team (team/initial.h). */
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
    /* Threads at work in its contention group, itself included; exact if regions have a thread limit. Changed by threads
     * that open and end such regions. */
    struct bz_a32 busy;
    /* Its number in its league, and the league's teams; written by itself, between regions. */
    unsigned team_num, num_teams;
    struct bomp_team *league;        /* whose members run the league's teams at the same time; or NULL */
    struct bomp_tool_region *region; /* its observed league's, or NULL */
    bool inside;                     /* a region of more than one thread is around it */
    bool helps;                      /* a hidden helper thread or below one; constant */
};

/* The region's affinity of threads to places (team/affinity.h); set when it is opened. */
struct bomp_team_affinity {
    uint8_t policy; /* enum bomp_bind; FALSE: members have no assignments */
    bool show;      /* members print their places */
    /* The last region that was printed (size 0: none was), with the primary thread's assignment. */
    uint8_t displayed_policy;
    unsigned displayed_size;
    struct bomp_place_assignment displayed;
    struct bz_a32 turn; /* the member that prints next */
};

/* Cancellation: OMP_CANCELLATION=true (task/cancelled.h, loop/cancel.md). */
struct bomp_cancel_team {
    bool on;                   /* OMP_CANCELLATION; constant */
    bool special;              /* on, or something observes the team; constant */
    struct bz_a32 region;      /* 1: cancelled. Set by any member, cleared for a new region */
    struct bz_a64 construct;   /* place + 1 of the last cancelled worksharing construct; set likewise */
    struct bz_a64 reduced;     /* place after the last reduction's barrier; set by each member there */
    struct bz_barrier barrier; /* all meetings but the region's end; a cancelled region's members leave it */
};

/* ThreadSanitizer's keys (task/tsan.h). */
struct bomp_tsan_team {
    char start __attribute__((aligned(8)));
    uint64_t meet[2];
    struct bz_a64 began; /* clock at the last begin of a task; written, as `last`, by that task's member */
    struct bz_a32 last;  /* that member */
};

/* Counts of the team's threads; primary thread only. */
struct bomp_team_counts {
    unsigned granted; /* besides the primary, in its contention group (team/group.h) */
    unsigned shared;  /* among the regions that share the CPUs (team/group.h) */
    unsigned ready;   /* members [0, ready) exist */
};

/* The region's code, and what its implicit tasks start with. */
struct bomp_team_body {
    void (*fn)(void *);
    void *data;
    uintptr_t allocator; /* def-allocator-var */
    uint64_t control;    /* floating-point control of the primary thread, for all members; 0: not passed on */
};

struct bomp_team {
    struct bz_team *thread_team; /* NULL in a root team; constant */
    /* Set before a region starts, constant in it. */
    unsigned size;
    int level;                    /* regions around its tasks, with this one */
    int active_level;             /* those of more than one thread */
    struct bomp_member *outer;    /* opened the region; NULL in a root team */
    struct bomp_initial *initial; /* the initial thread above */
    struct bomp_team_counts counts;
    struct bomp_icv icv; /* of the implicit tasks at first */
    struct bomp_team_body body;
    struct bomp_team_affinity affinity; /* if bomp_affinity_asked */
    struct bomp_reduction *reduction;   /* that all tasks of the region know; NULL: none */

    BZ_ALIGN_LINE struct bomp_workshare_team *ws; /* loop/workshare.h; constant */
    struct bomp_cancel_team cancel;
    struct bomp_merge_team *merge; /* loop/merge.h; constant */
    struct bomp_tsan_team tsan;
    struct bomp_tool_region tool; /* the tools' data of the region */
    bool helped;                  /* a root that has had tasks for hidden helper threads; its thread only */

    /* The members' copy of the caller's data. Begins a line: across two, a region of two threads takes 205 ns, not 163. */
    BZ_ALIGN_LINE char copy[BOMP_REGION_DATA];
};

/* The count of claimed single constructs; changed by any member. In the line of the member that completes a barrier, which
 * claims the next one at once. Not in a root team. */
static inline struct bz_a32 *bomp_team_singles(const struct bomp_team *team) {
    return bz_team_word(team->thread_team);
}

/* In the child of a fork: the member that the thread continues as after `self`; NULL: none. */
static inline struct bomp_member *bomp_member_around(const struct bomp_member *self) {
    if (self->team->thread_team) /* its number may be 0 since an earlier fork */
        return bz_worker_index(self->worker) == 0 ? self->team->outer : NULL;
    const struct bz_worker *worker = bz_worker_isolated_from(self->worker);
    return worker ? bz_worker_context(worker) : NULL;
}

#endif
