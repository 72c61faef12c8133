/* lane.h: what each thread notes, in memory of its own. A thread has a lane from its beginning to its end; then another one
 * may go on in it. Memory comes in chunks, which grow, out of what all lanes may have together. When that is used up, what
 * would be noted is counted instead: a lane keeps its beginning. Nothing here waits.
 *
 * Pairing table
 *   TL1 a thread moves `at`      TL2 whoever writes the file reads it    the records before it, and the chunks
 *   TL3 a new lane is linked     TL4 whoever walks the lanes             what is in it
 *   TL5 a thread leaves a lane   TL6 another one takes it                what is in it */
#ifndef BOMP_TRACE_LANE_H
#define BOMP_TRACE_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "omp-tools.h"
#include "tools/common/base.h"
#include "tools/common/ticks.h"
#include "tools/trace/record.h"
#include "tools/trace/table.h"

/* Ids of tasks and regions that a lane takes at a time. */
#define BOMP_TRACE_ID_BLOCK 1024u

/* Words of a chunk that are kept free, for a record of two words and one that has the time. */
#define BOMP_TRACE_SPARE 4

/* Written by the lane's thread; others read it up to the lane's `at`. */
struct bomp_trace_chunk {
    struct bomp_trace_chunk *next;
    uint64_t *end;  /* where the spare words begin */
    uint64_t *used; /* what was noted ends here; written before the lane's `at` goes on in another chunk */
    size_t bytes;
    uint64_t words[];
};

struct bomp_trace_lane {
    /* Where the next record goes. Written by the lane's thread, read by whoever writes the file. */
    struct {
        uint64_t *v;
    } at;
    /* The lane's thread alone has these, but for whoever writes the file at last, to whom it does not matter whether a
     * number is some events old. */
    uint64_t *end;               /* of the chunk; NULL: no chunk yet */
    uint64_t *record;            /* the last one; never NULL */
    uint64_t time;               /* of that */
    uint32_t noted;              /* the last id that was noted of a new task or region */
    uint32_t next_id, last_id;   /* ids from the one up to the other are not given away yet */
    uint64_t asked;              /* when it asked for the lock that it waits for */
    uint32_t chunks, iterations; /* of short chunks that are not noted yet: how many, and theirs together */
    uint64_t deals;              /* of each construct that it is in, innermost lowest: chunks are dealt out */
    struct bz_a64 dropped;       /* what was not noted; relaxed */
    struct bomp_trace_chunk *first, *last;
    /* Written before it is linked. */
    struct bomp_trace_lane *next;
    unsigned number;
    struct bz_aflag taken; /* by a thread; written by any that begins or ends */
};

/* Of the process. */
extern struct bomp_trace_lanes {
    struct {
        struct bomp_trace_lane *v;
    } newest;                               /* linked by any thread, never taken out */
    struct bz_a32 count;                    /* any thread; relaxed */
    struct bz_a32 ids;                      /* the next block of ids; any thread; relaxed */
    struct bz_ai64 left;                    /* bytes; any thread; relaxed */
    struct bz_aflag is_told;                /* the file is written; by whoever writes it; relaxed */
    struct bomp_trace_table *sites, *locks; /* written before the trace begins */
} bomp_trace_lanes;

/* BOMP_TRACE_NOTHING. */
extern uint64_t bomp_trace_no_record;

/* Begins with nothing, and this number of bytes. False: no memory. */
bool bomp_trace_lanes_begin(size_t bytes);

/* In the child of a fork: all lanes are free and empty, but for `own`, which is empty. Their memory is used again. */
void bomp_trace_lanes_forget(struct bomp_trace_lane *own);

/* A lane for the calling thread. NULL: no memory at all. */
struct bomp_trace_lane *bomp_trace_lane_take(void);
void bomp_trace_lane_leave(struct bomp_trace_lane *lane);

/* Room for a record when the chunk is full. NULL, and one more is dropped, when there is none. */
uint64_t *bomp_trace_lane_more(struct bomp_trace_lane *lane);

/* Notes at `at` what time it is, for a record that comes long after the one before. Returns where that goes. */
uint64_t *bomp_trace_lane_time(uint64_t *at, uint64_t ticks);

/* A block of ids. */
uint32_t bomp_trace_lane_ids(struct bomp_trace_lane *lane);

/* Never 0. Unique but for the overflow after four billion. */
BZ_INLINE uint32_t bomp_trace_lane_id(struct bomp_trace_lane *lane) {
    return bz_likely(lane->next_id != lane->last_id) ? lane->next_id++ : bomp_trace_lane_ids(lane);
}

/* Where the next record goes. NULL: nowhere. */
BZ_INLINE uint64_t *bomp_trace_lane_room(struct bomp_trace_lane *lane) {
    uint64_t *at = bz_load_relaxed(&lane->at); /* its own thread's */
    return bz_likely(at < lane->end) ? at : bomp_trace_lane_more(lane);
}

/* Puts a record there. */
BZ_INLINE void bomp_trace_lane_put(struct bomp_trace_lane *lane, uint64_t *at, enum bomp_trace_kind kind,
                                   uint64_t ticks, uint32_t id, uint16_t site, unsigned detail) {
    uint64_t since = ticks - lane->time;
    lane->time = ticks;
    if (bz_unlikely(since > UINT32_MAX)) {
        at = bomp_trace_lane_time(at, ticks);
        since = 0;
    }
    lane->record = at;
    bool is_new = kind == BOMP_TRACE_CREATE || kind == BOMP_TRACE_CREATE_RUN;
    bool is_next = is_new && id == lane->noted + 1;
    bool is_short = kind == BOMP_TRACE_SWITCH && id <= BOMP_TRACE_MORE_MASK >> BOMP_TRACE_DETAIL_BITS;
    uint64_t more = is_next    ? site | (uint64_t)(detail & 1023u) << 16
                    : is_short ? (detail & 7u) | (uint64_t)id << BOMP_TRACE_DETAIL_BITS
                               : detail & UINT16_MAX;
    uint64_t word = since << 32 | more << BOMP_TRACE_MORE_SHIFT | (unsigned)kind;
    if (is_new || kind == BOMP_TRACE_REGION_BEGIN || kind == BOMP_TRACE_MEMBER_BEGIN)
        lane->noted = id;
    if (is_next || is_short) {
        *at++ = word;
    } else {
        *at++ = word | BOMP_TRACE_TWO_WORDS;
        *at++ = id | (uint64_t)site << 32;
    }
    bz_store_release(&lane->at, at); /* TL1: pairs with TL2 */
}

/* Takes the last record back if it is one of this kind and id, and has two words. Not while the file is written, nor when
 * later records were dropped: no other ones may take their place. */
static inline bool bomp_trace_lane_undo(struct bomp_trace_lane *lane, enum bomp_trace_kind kind,
                                        uint32_t id) {
    uint64_t *record = lane->record;
    if (bomp_trace_kind(*record) != kind || (uint32_t)record[1] != id ||
        bz_load_relaxed(&bomp_trace_lanes.is_told) || bz_load_relaxed(&lane->dropped) != 0)
        return false;
    lane->time -= *record >> 32;
    lane->record = &bomp_trace_no_record;
    bz_store_release(&lane->at, record); /* TL1: pairs with TL2 */
    return true;
}

/* For whoever writes the file: the records that the lane has at the moment. A thread that was taking its last one back just
 * then may write others there: what a walk says of these may be anything, and another walk may say something else. */
struct bomp_trace_walk {
    const struct bomp_trace_chunk *chunk; /* NULL: that was all */
    const uint64_t *from, *to, *at;
    struct bomp_trace_record record; /* the last one */
    uint32_t noted;
};

void bomp_trace_walk_begin(struct bomp_trace_walk *walk, const struct bomp_trace_lane *lane);

/* The next one, until the one after; NULL: that was all. */
const struct bomp_trace_record *bomp_trace_walk_next(struct bomp_trace_walk *walk);

#endif
