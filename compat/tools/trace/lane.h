/* lane.h: a lane holds the records of one thread in memory of its own; when the thread ends, another one may continue it.
 * Lanes take chunks of memory, which grow, from one budget. When that is used up, a lane keeps its beginning and counts
 * later records. Nothing here waits.
 *
 * Pairing table
 *   TL1 a thread moves `at`      TL2 the writer of the file reads it     the records before it, and the chunks
 *   TL3 a new lane is linked     TL4 a walk of the lanes                 what is in it
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
    /* Where the next record goes. Written by the lane's thread, read by the writer of the file. */
    struct {
        uint64_t *v;
    } at;
    /* The lane's thread alone uses these; the writer of the file reads them, perhaps some events old. */
    uint64_t *end;               /* of the chunk; NULL: no chunk yet */
    uint64_t *record;            /* the last one; never NULL */
    uint64_t time;               /* of that */
    uint32_t noted;              /* the last id recorded of a new task or region */
    uint32_t next_id, last_id;   /* unused ids of the lane's block */
    uint64_t asked;              /* when it requested the lock that it waits for */
    uint32_t chunks, iterations; /* short chunks without a record, and their iterations */
    uint64_t deals;              /* a bit for each enclosing construct, innermost lowest: it deals chunks */
    struct bz_a64 dropped;       /* records for which there was no memory; relaxed */
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
    struct bz_aflag is_written;             /* set by the thread that writes the file; relaxed */
    struct bomp_trace_table *sites, *locks; /* written before the trace begins */
} bomp_trace_lanes;

/* BOMP_TRACE_NOTHING. */
extern uint64_t bomp_trace_no_record;

/* The budget of all lanes together. False: no memory. */
bool bomp_trace_lanes_begin(size_t bytes);

/* In the child of a fork: empties all lanes, whose memory is used again, and frees all but `own`. */
void bomp_trace_lanes_forget(struct bomp_trace_lane *own);

/* A lane for the calling thread. NULL: no memory. */
struct bomp_trace_lane *bomp_trace_lane_take(void);
void bomp_trace_lane_leave(struct bomp_trace_lane *lane);

/* Room for a record when the chunk is full. NULL: the budget is used up, and one more is dropped. */
uint64_t *bomp_trace_lane_more(struct bomp_trace_lane *lane);

/* Records the time at `at`, before a record that comes long after the previous one. Returns the place for that record. */
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

/* Removes the last record if it has this kind and id, and two words. Not once the file is written, nor after dropped
 * records: later ones would take its place. */
static inline bool bomp_trace_lane_undo(struct bomp_trace_lane *lane, enum bomp_trace_kind kind,
                                        uint32_t id) {
    uint64_t *record = lane->record;
    if (bomp_trace_kind(*record) != kind || (uint32_t)record[1] != id ||
        bz_load_relaxed(&bomp_trace_lanes.is_written) || bz_load_relaxed(&lane->dropped) != 0)
        return false;
    lane->time -= *record >> 32;
    lane->record = &bomp_trace_no_record;
    bz_store_release(&lane->at, record); /* TL1: pairs with TL2 */
    return true;
}

/* Reads the records that a lane has now. A thread that removes its last record meanwhile may write others there: what two
 * walks read of these may be garbage, and may differ. */
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
