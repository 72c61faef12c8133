/* Dealing out a loop, by its schedule:
 *
 *   static    each member knows its own part; nothing is shared, unless the loop is ordered
 *   dynamic   by ranges (range.c); by a shared count of chunks if it is monotonic, ordered, or has too many chunks to pack
 *   guided    by a shared count of iterations
 *   auto      static, or as dynamic, in BOMP_BALANCED_CHUNKS for each member
 *   doacross  if not static, by a shared count of chunks, whose owners others can look up (doacross.c)
 *
 * Members take several short chunks of a shared count at a time (chunk_batch.h).
 *
 * All accesses here are relaxed: they decide which member runs an iteration, and order no data of the program. The construct
 * begins as zero (workshare.c). */
#include "omp/loop/loop.h"

#include "omp/icv/schedule.h"
#include "omp/loop/cancel.h"
#include "omp/loop/chunk_batch.h"
#include "omp/loop/construct_storage.h"
#include "omp/loop/doacross.h"
#include "omp/loop/merge.h"
#include "omp/loop/ordered.h"
#include "omp/loop/range.h"
#include "omp/loop/workshare.h"
#include "omp/task/cancelled.h"
#include "omp/tool/hooks.h"

static bool take_static(struct bomp_member *self, uint64_t *chunk) {
    struct bomp_workshare_member *ws = self->ws;
    if (ws->position >= ws->chunks)
        return false;
    *chunk = ws->position;
    if (ws->chunks - ws->position > self->team->size)
        ws->position += self->team->size;
    else
        ws->position = ws->chunks; /* the sum might wrap */
    return true;
}

/* Does not read the count first, to fetch its line once. */
static bool take_guided(struct bomp_member *self, struct bomp_part *part) {
    const struct bomp_loop *loop = &self->ws->loop;
    uint64_t taken = self->ws->position, n;
    do {
        if (taken >= loop->count)
            return false;
        n = bomp_schedule_guided(loop->count - taken, loop->chunk, self->team->size);
        if (bz_unlikely(loop->schedule & BOMP_LOOP_MULTIPLES))
            n = bomp_schedule_multiple(loop->count - taken, loop->chunk, n);
    } while (!bz_cas_relaxed(&self->ws->at->taken, &taken, taken + n));
    *part = (struct bomp_part){taken, taken + n};
    self->ws->position = taken + n;
    return true;
}

static bool take(struct bomp_member *self, struct bomp_part *part);

static bool take_special(struct bomp_member *self, struct bomp_part *part) {
    struct bomp_workshare_member *ws = self->ws;
    ws->deal = BOMP_DEAL_NOTHING;
    if (self->team->cancel.on && bomp_cancel_construct_seen(self))
        return false;
    ws->deal = ws->plain;
    bool got = take(self, part);
    ws->plain = ws->deal;
    ws->deal = BOMP_DEAL_SPECIAL;
    if (got && bomp_hooks)
        bomp_hooks->work->chunk(self, bomp_schedule_span(&ws->loop, *part).first, part->last - part->first);
    return got;
}

static bool take(struct bomp_member *self, struct bomp_part *part) {
    struct bomp_workshare_member *ws = self->ws;
    uint64_t chunk = 0;
    bool got = false;
    switch (ws->deal) {
    case BOMP_DEAL_NOTHING:
        return false;
    case BOMP_DEAL_ONCE:
        ws->deal = BOMP_DEAL_NOTHING;
        *part = (struct bomp_part){ws->first, ws->last};
        return ws->first < ws->last;
    case BOMP_DEAL_GUIDED:
        return take_guided(self, part);
    case BOMP_DEAL_STATIC:
        got = take_static(self, &chunk);
        break;
    case BOMP_DEAL_COUNTER:
        got = bomp_chunk_batch_take(self, &chunk);
        break;
    case BOMP_DEAL_STEAL:
        got = bomp_range_take(self, &chunk);
        break;
    case BOMP_DEAL_DOACROSS:
        got = bomp_doacross_claim(self, &chunk);
        break;
    case BOMP_DEAL_SPECIAL:
        return take_special(self, part);
    }
    if (got)
        *part = bomp_schedule_chunk(ws->loop.count, ws->loop.chunk, chunk);
    return got;
}

/* Publishes the chunk, or the batch, for members that wait for its iterations. */
static void note_chunk(struct bomp_member *self, struct bomp_part part) {
    struct bomp_workshare_member *ws = self->ws;
    if (bomp_chunk_batch_holds(&ws->batch))
        part.last = bomp_schedule_chunk(ws->loop.count, ws->loop.chunk, ws->batch.end - 1).last;
    bomp_ordered_chunk(self, part);
    if (ws->doacross)
        bomp_doacross_chunk(self, part);
}

bool bomp_loop_take(struct bomp_member *self, struct bomp_span *span) {
    struct bomp_part part;
    bool within = bomp_chunk_batch_holds(&self->ws->batch); /* the turn passes at the end of a batch */
    if (!within)
        bomp_ordered_pass(self);
    if (!take(self, &part))
        return false;
    if (bz_unlikely(self->ws->loop.schedule & (BOMP_LOOP_ORDERED | BOMP_LOOP_DOACROSS)) && !within)
        note_chunk(self, part);
    *span = bomp_schedule_span(&self->ws->loop, part);
    return true;
}

/* ---- entering ---- */

/* A wrong program may have set different run-time schedules. The first member's counts, as in other runtimes: a loop dealt
 * out in two ways would lose iterations. */
static void agree(struct bomp_workshare *ws, struct bomp_loop *loop) {
    uint64_t mine = (uint64_t)loop->schedule << 32 | loop->chunk; /* the ICV's chunk has 31 bits */
    uint64_t seen = bz_load_relaxed(&ws->schedule);
    if (seen == mine || (seen == 0 && bz_cas_relaxed(&ws->schedule, &seen, mine)))
        return;
    loop->schedule = (uint32_t)(seen >> 32);
    loop->chunk = (uint32_t)seen;
}

/* The member's share in one chunk. */
static void deal_share(struct bomp_member *self) {
    struct bomp_part share = bomp_schedule_share(self->ws->loop.count, self->num, self->team->size);
    self->ws->first = share.first;
    self->ws->last = share.last;
    self->ws->deal = BOMP_DEAL_ONCE;
}

static bool has_ranges(const struct bomp_workshare_member *ws) {
    return !(ws->loop.schedule & (BOMP_LOOP_MONOTONIC | BOMP_LOOP_ORDERED)) && ws->at->ranges &&
           ws->chunks < UINT32_MAX;
}

static enum bomp_deal deal_of(const struct bomp_workshare_member *ws) {
    uint32_t kind = ws->loop.schedule & BOMP_LOOP_KIND;
    if (kind == BOMP_LOOP_STATIC)
        return BOMP_DEAL_STATIC;
    if (ws->loop.schedule & BOMP_LOOP_DOACROSS)
        return BOMP_DEAL_DOACROSS;
    if (kind == BOMP_LOOP_GUIDED)
        return BOMP_DEAL_GUIDED;
    return has_ranges(ws) ? BOMP_DEAL_STEAL : BOMP_DEAL_COUNTER;
}

static void deal_chunks(struct bomp_member *self) {
    struct bomp_workshare_member *ws = self->ws;
    if ((ws->loop.schedule & BOMP_LOOP_KIND) == BOMP_LOOP_AUTO)
        ws->loop.chunk = bomp_schedule_balanced(ws->loop.count, self->team->size);
    ws->chunks = bomp_schedule_chunks(ws->loop.count, ws->loop.chunk);
    ws->deal = ws->chunks > 0 ? deal_of(ws) : BOMP_DEAL_NOTHING;
    ws->position = ws->deal == BOMP_DEAL_STATIC ? self->num : 0;
    bomp_chunk_batch_drop(&ws->batch);
    if (ws->deal == BOMP_DEAL_STEAL)
        bomp_range_begin(self);
}

static void set_deal(struct bomp_member *self, const struct bomp_loop *loop) {
    struct bomp_workshare_member *ws = self->ws;
    ws->loop = *loop;
    ws->pending = 0;
    if (self->team->size == 1) { /* by any schedule all chunks are its own */
        if (bz_unlikely(loop->schedule & BOMP_LOOP_SHARES))
            bomp_construct_enter_alone(self);
        deal_share(self);
        return;
    }
    bool nested = ws->doacross; /* the nest is the construct */
    if (loop->schedule & BOMP_LOOP_BALANCED && (nested || bomp_merge_is_ordered()))
        ws->loop.schedule &= ~BOMP_LOOP_BALANCED; /* each iteration has a fixed owner */
    bomp_schedule_resolve(&ws->loop, self->current->icv);
    bool runtime = (loop->schedule & BOMP_LOOP_KIND) == BOMP_LOOP_RUNTIME;
    bool is_static = !runtime && (ws->loop.schedule & BOMP_LOOP_KIND) == BOMP_LOOP_STATIC;
    bool shared = !is_static || nested || loop->schedule & (BOMP_LOOP_ORDERED | BOMP_LOOP_SHARES);
    if (nested)
        ws->loop.schedule |= BOMP_LOOP_DOACROSS;
    else if (shared)
        bomp_workshare_enter(self);
    if (runtime)
        agree(ws->at, &ws->loop);
    if (ws->loop.chunk == 0)
        deal_share(self);
    else
        deal_chunks(self);
    if (shared && ws->deal <= BOMP_DEAL_STATIC)
        bomp_workshare_mark(ws->at);
    if (nested)
        bomp_doacross_loop(self);
}

/* For tools. In a team of one, a guided loop is one chunk, as a static one. */
static uint32_t schedule_of(struct bomp_member *self, const struct bomp_loop *loop) {
    if (self->team->size > 1)
        return self->ws->loop.schedule;
    struct bomp_loop resolved = *loop;
    bomp_schedule_resolve(&resolved, self->current->icv);
    uint32_t kind = resolved.schedule & BOMP_LOOP_KIND;
    return kind == BOMP_LOOP_GUIDED || kind == BOMP_LOOP_AUTO ? BOMP_LOOP_STATIC : kind;
}

/* With cancellation or a tool, which is notified of the loop and of each chunk. */
static __attribute__((noinline)) void meet_special(struct bomp_member *self, const struct bomp_loop *loop) {
    struct bomp_workshare_member *ws = self->ws;
    ws->pending = 0;
    ws->deal = BOMP_DEAL_NOTHING;
    if (!self->team->cancel.on || !bomp_cancel_gone(self))
        set_deal(self, loop);
    else if (loop->schedule & BOMP_LOOP_SHARES)
        bomp_construct_enter_alone(self);
    if (bomp_hooks)
        bomp_hooks->work->loop_begin(self, schedule_of(self, loop), loop->count);
    ws->plain = ws->deal;
    ws->deal = BOMP_DEAL_SPECIAL;
}

void bomp_loop_meet(struct bomp_member *self, const struct bomp_loop *loop) {
    self->place++;
    self->ws->open = BOMP_OPEN;
    if (bz_likely(!self->team->cancel.special))
        set_deal(self, loop);
    else
        meet_special(self, loop);
}

void bomp_loop_leave(struct bomp_member *self) {
    bomp_ordered_pass(self);
    if (bz_unlikely(self->ws->doacross))
        bomp_doacross_leave(self);
    self->place++;
    self->ws->open = BOMP_OPEN_NOT;
    self->ws->deal = BOMP_DEAL_NOTHING;
    bomp_chunk_batch_drop(&self->ws->batch);
}

static void meet_installed(struct bomp_member *member) {
    bomp_loop_meet(member, &member->team->ws->loop);
}

void bomp_loop_install(struct bomp_team *team, const struct bomp_loop *loop) {
    team->ws->loop = *loop;
    team->ws->begin = meet_installed;
}

/* ---- for the calling thread ---- */

bool bomp_loop_start(const struct bomp_loop *loop, struct bomp_span *span) {
    struct bomp_member *self = bomp_self();
    bomp_loop_meet(self, loop);
    return bomp_loop_take(self, span);
}

bool bomp_loop_next(uint64_t *first, uint64_t *end) {
    struct bomp_span span;
    if (!bomp_loop_take(bomp_self(), &span))
        return false;
    *first = span.first;
    *end = span.end;
    return true;
}

bool bomp_doacross_start(const struct bomp_loop *loop, unsigned dimensions, const uint64_t *counts,
                         struct bomp_span *span) {
    struct bomp_member *self = bomp_self();
    struct bomp_loop doacross = *loop;
    doacross.schedule |= BOMP_LOOP_DOACROSS | BOMP_LOOP_SHARES;
    bomp_loop_meet(self, &doacross);
    bomp_doacross_meet(self, dimensions, counts);
    return bomp_loop_take(self, span);
}

void bomp_loop_begin(const struct bomp_loop *loop, uint64_t step) {
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(self->ws->open == BOMP_OPEN_UNTIL) && !self->ws->doacross) {
        bomp_loop_leave(self);
        if (bomp_hooks)
            bomp_hooks->work->loop_end(self, NULL);
    }
    bomp_loop_meet(self, loop);
    self->ws->step = step;
    self->ws->open = BOMP_OPEN_UNTIL;
}

static void stop(struct bomp_member *self) {
    if (self->ws->open == BOMP_OPEN_UNTIL)
        bomp_loop_leave(self);
}

bool bomp_loop_chunk(struct bomp_chunk *chunk) {
    struct bomp_member *self = bomp_self();
    const struct bomp_workshare_member *ws = self->ws;
    struct bomp_span span;
    if (!bomp_loop_take(self, &span)) {
        stop(self);
        return false;
    }
    *chunk = (struct bomp_chunk){span.first, span.end - ws->step, ws->step, span.end == ws->loop.end};
    return true;
}

void bomp_loop_stop(void) {
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->work->loop_end(self, BOMP_SITE);
    stop(self);
}

BZ_INLINE struct bomp_member *end(const void *site) {
    struct bomp_member *self = bomp_self();
    bomp_loop_leave(self);
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->work->loop_end(self, site);
    return self;
}

void bomp_loop_end_nowait(void) {
    (void)end(BOMP_SITE);
}

void bomp_loop_end(void) {
    (void)bomp_workshare_barrier(end(BOMP_SITE), BOMP_SITE, BOMP_BARRIER_WORKSHARE);
}
