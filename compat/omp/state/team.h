/* A team: the threads of one parallel region. It is a team of the scheduler, its thread team, with OpenMP's meaning beside
 * it. Teams are kept with their threads and used again by the next region that the same thread opens at the same depth;
 * the fields that a region sets are written by the thread that opens it (the primary thread, member 0) before the members
 * start.
 *
 * A thread outside of all regions is the only member of a root team (team/initial.h). */
#ifndef BOMP_STATE_TEAM_H
#define BOMP_STATE_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/affinity/place_assignment.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/state/cancel.h"
#include "omp/state/member.h"
#include "omp/state/tool.h"
#include "omp/state/tsan.h"
#include "runtime.h"

struct bomp_initial;
struct bomp_merge_team;
struct bomp_reduction;
struct bomp_workshare_team;

/* That there may be tasks of a team which agents may run (task/agent.h): in a list, under its lock. */
struct bomp_offer {
    struct bomp_offer *next, *previous;
    bool listed;
    bool helped;         /* a root's: it has had tasks for helpers (task/helper.h); its thread only */
    uint32_t generation; /* of the process whose list it is in */
};

/* What the region does about the places of its threads (team/affinity.h); set when it is opened. */
struct bomp_team_affinity {
    uint8_t policy; /* enum bomp_bind; FALSE: members have no assignments */
    bool show;      /* members say where they are */
    /* Of the last region that was shown; with size and assignment of its primary thread. */
    uint8_t shown_policy;
    unsigned shown_size;                /* 0: none was */
    struct bomp_place_assignment shown; /* see above */
    struct bz_a32 turn;                 /* the member that says its line next */
};

struct bomp_team {
    struct bz_team *thread_team; /* NULL in a root team; constant */
    /* Set before a region starts, constant in it. */
    unsigned size;
    int level;                    /* regions around its tasks, this one included */
    int active_level;             /* of these, of more than one thread */
    struct bomp_member *outer;    /* who opened the region; NULL in a root team */
    struct bomp_initial *initial; /* the initial thread above */
    /* Threads besides the primary that its contention group counts, and those that are counted among the regions that share
     * the CPUs (team/group.h); primary thread only. */
    unsigned granted, shared;
    struct bomp_icv icv; /* what the implicit tasks start with */
    uintptr_t allocator; /* and their def-allocator-var */
    void (*fn)(void *);
    void *data;
    uint64_t
        control; /* how floating point works for who opens the region: for all, and afterwards; 0: does not count */
    struct bomp_team_affinity affinity; /* if bomp_affinity_asked */
    struct bomp_reduction *reduction;   /* that all tasks of the region know; NULL: none */
    unsigned ready;                     /* members whose context exists: [0, ready); primary thread only */

    BZ_ALIGN_LINE struct bomp_workshare_team *ws; /* loop/workshare.h; constant, as the next */
    struct bomp_cancel_team cancel;
    struct bomp_merge_team *merge; /* loop/merge.h */
    struct bomp_tsan_team tsan;
    struct bomp_tool_region tool; /* what tools keep of the region */
    struct bomp_offer offer;
    struct bz_domain *domain; /* of its tasks; set as it first offers one */

    /* Where `data` is, if not the caller's own; set before a region starts. From the beginning of a line: a region of two
     * threads took 163 ns, and up to 205 where six words and the function lay across two. */
    BZ_ALIGN_LINE char copy[BOMP_REGION_DATA];
};

/* Single constructs that somebody has claimed; changed by any member. Where a barrier goes before each, whoever completes it
 * has the line, and claims the next one without asking anybody. Not in a root team. */
static inline struct bz_a32 *bomp_team_singles(const struct bomp_team *team) {
    return bz_team_word(team->thread_team);
}

/* In the child of a fork: the member that its thread goes on as when what it is in as `self` is over; NULL: it ends then. */
static inline struct bomp_member *bomp_member_around(const struct bomp_member *self) {
    if (self->team->thread_team) /* its number may be 0 since an earlier fork */
        return bz_worker_index(self->worker) == 0 ? self->team->outer : NULL;
    const struct bz_worker *worker = bz_worker_isolated_from(self->worker);
    return worker ? bz_worker_context(worker) : NULL;
}

#endif
