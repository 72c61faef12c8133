/* lane.c: see lane.h. */
#include "tools/trace/lane.h"

/* Bytes of a lane's first chunk, and of the largest one. A thread touches all memory of a chunk at once: 10 us. */
#define FIRST_CHUNK ((size_t)4 << 10)
#define LAST_CHUNK ((size_t)64 << 10)

struct bomp_trace_lanes bomp_trace_lanes;

uint64_t bomp_trace_no_record = BOMP_TRACE_NOTHING;

bool bomp_trace_lanes_begin(size_t bytes) {
    bomp_trace_lanes = (struct bomp_trace_lanes){0};
    bz_store_relaxed(&bomp_trace_lanes.left, bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX);
    bomp_trace_lanes.sites = bz_os_alloc(sizeof(struct bomp_trace_table));
    bomp_trace_lanes.locks = bz_os_alloc(sizeof(struct bomp_trace_table));
    return bomp_trace_lanes.sites && bomp_trace_lanes.locks;
}

static struct bomp_trace_chunk *new_chunk(size_t bytes) {
    int64_t left = bz_load_relaxed(&bomp_trace_lanes.left);
    do {
        if (left < (int64_t)bytes)
            return NULL;
    } while (!bz_cas_relaxed(&bomp_trace_lanes.left, &left, left - (int64_t)bytes));
    struct bomp_trace_chunk *chunk = bz_os_room(bytes);
    if (!chunk) {
        (void)bz_fetch_add_relaxed(&bomp_trace_lanes.left, (int64_t)bytes);
        return NULL;
    }
    chunk->next = NULL;
    chunk->bytes = bytes;
    chunk->end = chunk->words + (bytes - sizeof *chunk) / sizeof *chunk->words - BOMP_TRACE_SPARE;
    chunk->used = chunk->words;
    return chunk;
}

static void go_on_in(struct bomp_trace_lane *lane, struct bomp_trace_chunk *chunk) {
    if (lane->last)
        lane->last->used = bz_load_relaxed(&lane->at); /* its own thread's */
    lane->last = chunk;
    lane->end = chunk->end;
    bz_store_release(&lane->at, chunk->words); /* TL1: pairs with TL2 */
}

/* The chunk that follows the lane's last one; NULL: none. */
static struct bomp_trace_chunk *following(struct bomp_trace_lane *lane) {
    if (lane->last && lane->last->next) /* from before a fork */
        return lane->last->next;
    size_t bytes = !lane->last ? FIRST_CHUNK : lane->last->bytes * 2;
    bytes = bytes < LAST_CHUNK ? bytes : LAST_CHUNK;
    struct bomp_trace_chunk *chunk = new_chunk(bytes);
    while (!chunk && bytes > FIRST_CHUNK) {
        bytes /= 2;
        chunk = new_chunk(bytes);
    }
    if (chunk && lane->last)
        lane->last->next = chunk;
    return chunk;
}

BZ_COLD uint64_t *bomp_trace_lane_more(struct bomp_trace_lane *lane) {
    struct bomp_trace_chunk *chunk = bz_load_relaxed(&lane->dropped) == 0 ? following(lane) : NULL;
    if (!chunk) { /* for good: a trace with holes would be wrong */
        bz_store_relaxed(&lane->dropped, bz_load_relaxed(&lane->dropped) + 1);
        return NULL;
    }
    if (!lane->first)
        lane->first = chunk;
    go_on_in(lane, chunk);
    return chunk->words;
}

BZ_COLD uint64_t *bomp_trace_lane_time(uint64_t *at, uint64_t ticks) {
    *at++ = BOMP_TRACE_TIME | BOMP_TRACE_TWO_WORDS;
    *at++ = ticks;
    return at;
}

uint32_t bomp_trace_lane_ids(struct bomp_trace_lane *lane) {
    uint32_t first = bz_fetch_add_relaxed(&bomp_trace_lanes.ids, BOMP_TRACE_ID_BLOCK);
    first += first == 0;
    lane->next_id = first + 1;
    lane->last_id = first - first % BOMP_TRACE_ID_BLOCK + BOMP_TRACE_ID_BLOCK;
    return first;
}

/* One that an ended thread has left. */
static struct bomp_trace_lane *take_left(void) {
    struct bomp_trace_lane *lane = bz_load_acquire(&bomp_trace_lanes.newest); /* TL4: pairs with TL3 */
    for (; lane; lane = lane->next) {
        bool free = false;
        if (!bz_load_relaxed(&lane->taken) &&
            bz_cas_acquire(&lane->taken, &free, true)) /* TL6: pairs with TL5 */
            break;
    }
    return lane;
}

struct bomp_trace_lane *bomp_trace_lane_take(void) {
    struct bomp_trace_lane *lane = take_left();
    if (lane)
        return lane;
    lane = bz_os_alloc(sizeof *lane);
    if (!lane)
        return NULL;
    bz_store_relaxed(&lane->taken, true);
    lane->record = &bomp_trace_no_record;
    lane->number = bz_fetch_add_relaxed(&bomp_trace_lanes.count, 1);
    lane->next = bz_load_relaxed(&bomp_trace_lanes.newest);
    while (!bz_cas_release(&bomp_trace_lanes.newest, &lane->next, lane)) /* TL3: pairs with TL4 */
        ;
    return lane;
}

void bomp_trace_lane_leave(struct bomp_trace_lane *lane) {
    bz_store_release(&lane->taken, false); /* TL5: pairs with TL6 */
}

void bomp_trace_lanes_forget(struct bomp_trace_lane *own) {
    struct bomp_trace_lane *lane = bz_load_relaxed(&bomp_trace_lanes.newest); /* no other thread is here */
    bz_store_relaxed(&bomp_trace_lanes.is_written, false);
    for (; lane; lane = lane->next) {
        if (lane->first)
            go_on_in(lane, lane->first);
        lane->time = lane->noted = 0;
        lane->record = &bomp_trace_no_record;
        bz_store_relaxed(&lane->dropped, 0);
        bz_store_relaxed(&lane->taken, lane == own);
    }
}

/* The end of the chunk's records. */
static const uint64_t *end_of(const struct bomp_trace_chunk *chunk, const uint64_t *at) {
    return at >= chunk->words && at <= chunk->end + BOMP_TRACE_SPARE ? at : chunk->used;
}

void bomp_trace_walk_begin(struct bomp_trace_walk *walk, const struct bomp_trace_lane *lane) {
    const uint64_t *at = bz_load_acquire(&lane->at); /* TL2: pairs with TL1 */
    *walk = (struct bomp_trace_walk){.chunk = at ? lane->first : NULL, .at = at};
    if (walk->chunk) {
        walk->from = walk->chunk->words;
        walk->to = end_of(walk->chunk, at);
    }
}

static void unpack(struct bomp_trace_walk *walk) {
    struct bomp_trace_record *r = &walk->record;
    uint64_t word = bz_load_relaxed((const struct bz_a64 *)walk->from); /* its kind may become CREATE_RUN */
    walk->from++;
    unsigned more = (unsigned)word >> BOMP_TRACE_MORE_SHIFT;
    r->kind = bomp_trace_kind(word);
    r->when += word >> 32;
    bool is_new = r->kind == BOMP_TRACE_CREATE || r->kind == BOMP_TRACE_CREATE_RUN;
    if (word & BOMP_TRACE_TWO_WORDS) {
        uint64_t second = *walk->from++;
        r->id = (uint32_t)second;
        r->site = (uint16_t)(second >> 32);
        r->detail = (uint16_t)more;
        r->when = r->kind == BOMP_TRACE_TIME ? second : r->when;
    } else if (is_new) {
        r->id = walk->noted + 1;
        r->site = (uint16_t)more;
        r->detail = (uint16_t)(more >> 16);
    } else {
        r->id = more >> BOMP_TRACE_DETAIL_BITS;
        r->site = 0;
        r->detail = (uint16_t)(more & 7u);
    }
    if (is_new || r->kind == BOMP_TRACE_REGION_BEGIN || r->kind == BOMP_TRACE_MEMBER_BEGIN)
        walk->noted = r->id;
}

const struct bomp_trace_record *bomp_trace_walk_next(struct bomp_trace_walk *walk) {
    do {
        while (walk->from >= walk->to) {
            walk->chunk = walk->to == walk->at || !walk->chunk ? NULL : walk->chunk->next;
            if (!walk->chunk)
                return NULL;
            walk->from = walk->chunk->words;
            walk->to = end_of(walk->chunk, walk->at);
        }
        unpack(walk);
    } while (walk->record.kind == BOMP_TRACE_TIME);
    return &walk->record;
}
