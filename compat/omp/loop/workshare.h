/* Worksharing constructs in flight: what the members of a team share while they divide a loop or sections (workshare.md).
 * All shared words begin as zero, since each member knows bounds and schedule. Teams of one never enter a construct. */
#ifndef BOMP_WORKSHARE_H
#define BOMP_WORKSHARE_H

#include <stdbool.h>

#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/loop/chunk_batch.h"
#include "omp/loop/construct_storage.h"
#include "omp/sync/barrier.h"
#include "runtime.h"

struct bomp_doacross;
struct bomp_member;
struct bomp_range;
struct bomp_team;

struct bomp_workshare_link {
    struct bomp_workshare *v;
};

struct bomp_workshare {
    /* The next construct before a barrier: set by the first member there, read by all. */
    BZ_ALIGN_LINE struct bomp_workshare_link next;
    struct bz_a32 gone;     /* members that have left it for the next; raised by each, not used in a home */
    struct bz_a64 schedule; /* of a runtime loop; 0: not yet. Set by the first member */
    struct bomp_range *ranges;   /* one for each member; NULL: no memory; constant */
    struct bomp_workshare *link; /* the next free one; written by the holder of that list */
    struct bomp_workshare *made; /* the next of all; constant */
    struct bomp_storage storage;

    /* Chunks, iterations or sections handed out, or bomp_workshare_mark; raised by any member. */
    BZ_ALIGN_LINE struct bz_a64 taken;
    /* Chunks to take at a time (chunk_batch.h); 0: one. Written by any member. */
    struct bz_a32 batch;

    /* Ordered loops: all iterations before the turn are past. Written by the member whose turn it is. */
    BZ_ALIGN_LINE struct bz_a64 turn;
    struct bz_a32 abandoned; /* 1: a member has left it for the cancelled region's end; set by that member */
    struct bz_a32 sleepers;  /* members that sleep until their turn; each counts itself */
    BZ_ALIGN_LINE struct bz_a32 eventcounts[BOMP_EVENTCOUNTS]; /* raised by wakers */
};

/* Homes are the first constructs after barriers, in turns; the others are for run-ahead. */
enum { BOMP_WORKSHARE_HOMES = 3, BOMP_WORKSHARE_FIXED = 6 };

struct bomp_workshare_team {
    struct bomp_workshare fixed[BOMP_WORKSHARE_FIXED];

    /* Written by member 0 while no other member is in a region. */
    struct bomp_range *ranges; /* of the fixed ones; NULL: none */
    unsigned room;             /* members with ranges */
    unsigned size;             /* of the last region */
    unsigned era;              /* counts changes of size, which void what members remember */
    bool is_void;              /* the last region was cancelled: its members left at different constructs */
    void (*begin)(struct bomp_member *); /* enters the region's first construct; NULL: none */
    struct bomp_loop loop;               /* that construct, if it is a loop */
    unsigned sections;                   /* or sections: their number */

    void *copyprivate; /* of a single; written by the member that ran it, between two barriers */

    /* The free ones: any member pushes one or takes all. All allocated ones: any member pushes. */
    BZ_ALIGN_LINE struct bomp_workshare_link pool;
    struct bomp_workshare_link made;
};

/* How a member gets its next iterations (loop.c). */
enum bomp_deal {
    BOMP_DEAL_NOTHING,  /* no more */
    BOMP_DEAL_ONCE,     /* `first` to `last` */
    BOMP_DEAL_STATIC,   /* every size-th chunk, from `position` on */
    BOMP_DEAL_COUNTER,  /* chunks, by the shared count */
    BOMP_DEAL_GUIDED,   /* even shares of the rest, by the shared count */
    BOMP_DEAL_STEAL,    /* by ranges (range.c) */
    BOMP_DEAL_DOACROSS, /* chunks, whose owners others can look up */
    BOMP_DEAL_SPECIAL   /* as `plain` says, unless cancelled; a tool is notified */
};

/* Whether barriers lie within the construct that a member is in. */
enum bomp_open {
    BOMP_OPEN_NOT,  /* it is in none, or the next barrier or construct ends it */
    BOMP_OPEN,      /* yes: a call ends it */
    BOMP_OPEN_UNTIL /* the next barrier ends the loop or nest, unless a call has */
};

/* A member's doacross nest, once it knows the loop. */
struct bomp_doacross_keys {
    uint64_t inner; /* keys in an iteration of the loop */
    unsigned outer; /* dimensions that the loop combines; 0: not known */
    unsigned keyed; /* outer dimensions that make a key; all, if exact */
    bool exact;     /* each iteration has its own key */
    bool in_shares; /* static, without chunks: `first` is that of the member's share */
    bool fewer;     /* each dimension has one iteration less than was counted */
    /* The last iterations that it waited for, its own and another member's (UINT64_MAX: none); that member and its last
     * position. */
    uint64_t own, other, position;
    unsigned owner;
    /* Copies of the member's position and chunk (UINT64_MAX: none): readers hold the line of the originals. */
    uint64_t posted, chunk;
};

/* One member's part. Owner only. */
struct bomp_workshare_member {
    uint32_t singles;             /* single constructs met in this region */
    uint32_t singles_seen;        /* the team's count of claimed ones when last read */
    uint32_t merges;              /* reductions met in this region, with BLITZ_DETERMINISTIC */
    struct bomp_workshare *at;    /* its last construct since the barrier; NULL: none */
    struct bomp_workshare *spare; /* free ones that it holds */
    struct bomp_workshare *home;  /* of the segment; the same for all members */
    struct bomp_workshare *ended; /* member 0: the last construct of the last segment; NULL: none */
    unsigned era;                 /* as in the team */
    unsigned victim;              /* the last one that it stole from: its number within its group (range.c) */
    unsigned section, sections;   /* its last section, in a team of one; their number */
    enum bomp_deal deal, plain;
    uint64_t chunks;      /* of the loop */
    uint64_t position;    /* static: its next chunk; guided: the last count that it read */
    uint64_t part_length; /* chunks in a part (range.c) */
    uint64_t first, last; /* iterations of its chunk, or batch: [first, last) */
    struct bomp_chunk_batch batch;
    uint64_t pending;    /* ordered regions that its chunk may still meet; 0: no member waits for this one */
    enum bomp_open open; /* of its construct */
    bool unshared;       /* only this member is in the construct: a team of one, or the region is cancelled */
    struct bomp_storage own;        /* of such a construct */
    struct bomp_doacross *doacross; /* NULL: its iterations wait for no others */
    struct bomp_doacross_keys keys;
    struct bomp_loop loop;
    uint64_t step; /* within a block, of bomp_loop_chunk */
};

/* A team begins with zeroed memory. At its end no member is in a region. */
void bomp_workshare_team_destroy(struct bomp_team *team);

/* Before a region, by its primary thread; bomp_loop_install or bomp_sections_install may follow. */
void bomp_workshare_team_start(struct bomp_team *team);
void bomp_workshare_member_destroy(struct bomp_member *member);
/* By each member at the start of a region, before any barrier or construct. */
void bomp_workshare_member_start(struct bomp_member *member);

/* Enters the next construct, in a team of several. Without memory it waits for the others. */
struct bomp_workshare *bomp_workshare_enter(struct bomp_member *member);

/* Marks a construct that hands nothing out: members that skip it see after the barrier that it existed. Relaxed, because of
 * the barrier. */
static inline void bomp_workshare_mark(struct bomp_workshare *ws) {
    if (bz_load_relaxed(&ws->taken) == 0)
        bz_store_relaxed(&ws->taken, 1);
}

/* A barrier of the team, which ends constructs. False: the region is cancelled, the caller enters no more constructs, and
 * the barrier may be void. `site`: the place in the program. */
bool bomp_workshare_barrier(struct bomp_member *member, const void *site, enum bomp_barrier kind);

/* In the child of a fork: the rest of the construct that the member is in stays with the parent. */
void bomp_workshare_alone(struct bomp_member *member);

/* In a cancelled region: wakes members that sleep in constructs. */
void bomp_workshare_notify(struct bomp_team *team);

#endif
