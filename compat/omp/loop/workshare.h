/* Worksharing constructs in flight: what the members of a team share while they divide a loop or sections. workshare.md says
 * how members find the same construct, and when its memory is used again.
 *
 * A construct begins with all shared words zero, so no member sets it up: each knows bounds and schedule from its own call.
 * Teams of one share nothing and never enter a construct. */
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

/* What the members share of one construct. */
struct bomp_workshare {
    /* The construct after it, without a barrier between: set by the first member to go there, read by all. */
    BZ_ALIGN_LINE struct bomp_workshare_link next;
    struct bz_a32 gone; /* members that have left it for the next one; raised by each, not used in a home */
    struct bz_a64 schedule;    /* of a runtime loop; set by the first member, read by all; 0: not yet */
    struct bomp_range *ranges; /* one for each member; NULL: no memory for them; constant */
    struct bomp_workshare
        *link; /* the next free one; written by the member that holds the list of free ones */
    struct bomp_workshare *made; /* the next one in the team's list of all; constant once in it */
    /* Memory for its members; NULL: none yet. Set by the first that needs it, kept until the team goes. */
    struct {
        struct bomp_storage *v;
    } storage;

    /* Chunks, iterations or sections that are handed out. Raised by any member. A construct that hands nothing out sets it
     * to 1, so that a member that skipped the construct sees behind the barrier that it existed. */
    BZ_ALIGN_LINE struct bz_a64 taken;
    /* Chunks to take at a time (chunk_batch.h); 0: one. Written by any member. */
    struct bz_a32 batch;

    /* Ordered loops (ordered.c): all iterations before the turn are past. Written by the member whose turn it is. */
    BZ_ALIGN_LINE struct bz_a64 turn;
    /* 1: a member has left it for the end of the cancelled region; set by that one. */
    struct bz_a32 abandoned;
    struct bz_a32 sleepers; /* members that sleep until their turn; changed by them */
    BZ_ALIGN_LINE struct bz_a32 eventcounts[BOMP_EVENTCOUNTS]; /* they sleep on these; raised by wakers */
};

/* The first construct after a barrier is one of the homes, in turns. The others are for run-ahead. */
enum { BOMP_WORKSHARE_HOMES = 3, BOMP_WORKSHARE_FIXED = 6 };

struct bomp_workshare_team {
    struct bomp_workshare fixed[BOMP_WORKSHARE_FIXED];

    /* Written by member 0 while no other member is in a region; constant for the others. */
    struct bomp_range *ranges; /* of the fixed ones; NULL: none */
    unsigned room;             /* members that there are ranges for */
    unsigned size;             /* of the last region that was set up */
    unsigned era;              /* counts changes of size: what members remember of an earlier one is void */
    bool is_void;              /* the last region was cancelled: its members left at different constructs */
    void (*begin)(struct bomp_member *); /* enters the construct that the region begins with; NULL: none */
    struct bomp_loop loop;               /* that construct, if it is a loop */
    unsigned sections;                   /* their number, if it is sections */

    void *copyprivate; /* from the member that ran a single; written by it between two barriers */

    /* Free ones: pushed by any member, taken as a whole by any. All that were allocated: pushed by any. */
    BZ_ALIGN_LINE struct bomp_workshare_link pool;
    struct bomp_workshare_link made;
};

/* How a member gets its next iterations (loop.c). */
enum bomp_deal {
    BOMP_DEAL_NOTHING,  /* no more */
    BOMP_DEAL_ONCE,     /* those in `first` and `last`, and no more */
    BOMP_DEAL_STATIC,   /* every size-th chunk, from `position` on */
    BOMP_DEAL_COUNTER,  /* the next chunk of all, by the shared count */
    BOMP_DEAL_GUIDED,   /* an even share of what is left, by the shared count of iterations */
    BOMP_DEAL_STEAL,    /* from its own range or another one; the last chunk by the shared count */
    BOMP_DEAL_DOACROSS, /* the next chunk of all, whose owner others can look up */
    BOMP_DEAL_SPECIAL   /* as `plain` says, unless it is cancelled, and a tool is notified of each */
};

/* Whether barriers lie within the construct that a member is in. */
enum bomp_open {
    BOMP_OPEN_NOT,  /* it is in none, or the next barrier or construct ends it */
    BOMP_OPEN,      /* they do: its end is called */
    BOMP_OPEN_UNTIL /* the next barrier ends the loop or nest, if nothing before that has */
};

/* What a member knows of the doacross nest that it is in, once it knows the loop. */
struct bomp_doacross_keys {
    uint64_t inner; /* keys in an iteration of the loop */
    unsigned outer; /* dimensions that the loop runs through as one; 0: the loop is not known */
    unsigned keyed; /* outer dimensions that keys are made of; all, if exact */
    bool exact;     /* each iteration has a key of its own */
    bool simple;    /* exact, the loop is the outermost one, and all values are numbers from 0 */
    bool in_shares; /* the loop is static, without chunks: `first` is that of the member's share */
    bool fewer;     /* each dimension has one iteration less than was counted */
    /* The iterations that it last waited for: one of its own, and another member's; UINT64_MAX: none yet. Then that member,
     * and its position when it was last read. */
    uint64_t own, other, position;
    unsigned owner;
    /* Copies of the position and chunk that others read; UINT64_MAX: no chunk. To read those would fetch their line from the
     * readers, and the next write would do so again. */
    uint64_t posted, chunk;
};

/* One member's part. Owner only. */
struct bomp_workshare_member {
    uint32_t singles;             /* single constructs met in this region */
    uint32_t singles_seen;        /* single constructs that were claimed when it last read the team's count */
    uint32_t merges;              /* reductions met in this region, with BLITZ_DETERMINISTIC (merge.h) */
    struct bomp_workshare *at;    /* the construct that it is or was last in, since the barrier; NULL: none */
    struct bomp_workshare *spare; /* free ones that it holds */
    struct bomp_workshare *home;  /* of the segment; the same for all members */
    struct bomp_workshare *ended; /* in member 0: the last construct of the last segment; NULL: it had none */
    unsigned era;                 /* as in the team */
    unsigned victim;              /* the member that it stole from last */
    unsigned section, sections;   /* the last section that it took, in a team of one; their number */
    enum bomp_deal deal, plain;
    uint64_t chunks;      /* of the loop */
    uint64_t position;    /* its next chunk of a static loop; the count that it last read of a guided one */
    uint64_t part_length; /* chunks in a part of a loop by ranges; the last parts may have fewer, or none */
    uint64_t first, last; /* iterations of its chunk, or batch: [first, last) */
    struct bomp_chunk_batch batch;
    uint64_t pending;    /* ordered regions that its chunk may still meet; 0: no member waits for this one */
    enum bomp_open open; /* of the construct that it is in */
    bool unshared;       /* it has the construct for itself: a team of one, or the region is cancelled */
    struct bomp_storage own;        /* the storage of such a construct */
    struct bomp_doacross *doacross; /* of the loop that it is in; NULL: its iterations wait for no others */
    struct bomp_doacross_keys keys;
    struct bomp_loop loop;
    uint64_t step; /* of bomp_loop_chunk: between iterations, also within blocks */
};

/* A team begins with zeroed memory. When it goes: no member is in a region. */
void bomp_workshare_team_destroy(struct bomp_team *team);

/* Before a region, by its primary thread, when the team's size and ICVs are set. bomp_loop_install or bomp_sections_install
 * may follow before the members start. */
void bomp_workshare_team_start(struct bomp_team *team);
/* When a member goes. */
void bomp_workshare_member_destroy(struct bomp_member *member);
/* At the start of a region, by each member, before anything that may meet a barrier or a construct. */
void bomp_workshare_member_start(struct bomp_member *member);

/* Goes on to the next construct, in a team of several. Without memory it waits for the others, so it cannot fail. */
struct bomp_workshare *bomp_workshare_enter(struct bomp_member *member);

/* Marks a construct that hands nothing out as begun. Relaxed: it is read behind a barrier. */
static inline void bomp_workshare_mark(struct bomp_workshare *ws) {
    if (bz_load_relaxed(&ws->taken) == 0)
        bz_store_relaxed(&ws->taken, 1);
}

/* A barrier of the team: all leave the constructs before it. False: the region is cancelled, no more of its constructs may
 * be entered, and the barrier may be void. `site`: the place in the program. */
bool bomp_workshare_barrier(struct bomp_member *member, const void *site, enum bomp_barrier kind);

/* In the child of a fork, for a thread in a region: the rest of the construct that it is in stays with the parent. */
void bomp_workshare_alone(struct bomp_member *member);

/* After a cancelled region, before the next one; and in it, to wake members that sleep in constructs (ordered.c). */
void bomp_workshare_team_void(struct bomp_team *team);
void bomp_workshare_notify(struct bomp_team *team);

#endif
