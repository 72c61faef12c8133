/* Dealing out a loop. How depends on its schedule:
 *
 *   static    each member knows its own; nothing is shared, unless the loop is ordered
 *   dynamic   a shared count of chunks if it is monotonic, ordered, or of too many chunks to pack; else by ranges
 *   guided    a shared count of iterations
 *   doacross  if it is not static, a shared count of chunks, and others can find out whose they are (doacross.c)
 *
 * Ranges: every member has a range of chunks, at first an even share. It takes from the front of its own; when that is
 * empty, it takes half of another one from the back, runs the first chunk of that at once and makes the rest its own
 * range. Only one chunk at a time leaves a range to be run: there are programs in which an iteration waits for others.
 *
 * The loop's last chunk is in no range. It is kept back for the first member that finds nothing else, and is the last
 * one that this member gets: GCC copies a lastprivate variable from the thread whose loop variable ended at the bound.
 *
 * A range is one word: the next chunk and the end, 32 bits each, numbered from 1 so that only a range that nobody has
 * looked at is zero. Every change is a compare-and-swap, but for a thief's refill of its own empty range, which nobody
 * else changes while it is empty. A word never comes back (no ABA): its front chunk is run by whoever takes it away.
 *
 * All accesses here are relaxed: what is shared says who runs which iteration and nothing about the program's data.
 * That the construct begins as zero is the list's business (workshare.c). */
#include "loop.h"

#include "doacross.h"
#include "ordered.h"
#include "schedule.h"

/* ---- ranges ---- */

static uint64_t pack(uint64_t first, uint64_t last) {
    return first << 32 | last;
}

static struct bomp_part unpack(uint64_t word) {
    return (struct bomp_part){word >> 32, (uint32_t)word};
}

/* What the range of member num says. */
static struct bomp_part range_of(const struct bomp_member *self, unsigned num, uint64_t word) {
    if (bz_likely(word != 0))
        return unpack(word);
    struct bomp_part share = bomp_schedule_share(self->ws.chunks - 1, num, self->team->size);
    return (struct bomp_part){share.first + 1, share.last + 1};
}

static bool take_own(struct bomp_member *self, uint64_t *chunk) {
    struct bomp_range *range = &self->ws.at->ranges[self->num];
    uint64_t word = bz_load_relaxed(&range->word);
    struct bomp_part part;
    do {
        part = range_of(self, self->num, word);
        if (part.first >= part.last)
            return false;
    } while (!bz_cas_relaxed(&range->word, &word, pack(part.first + 1, part.last)));
    *chunk = part.first - 1;
    return true;
}

static bool steal_from(struct bomp_member *self, unsigned victim, uint64_t *chunk) {
    struct bomp_range *ranges = self->ws.at->ranges;
    uint64_t word = bz_load_relaxed(&ranges[victim].word), middle;
    struct bomp_part part;
    do {
        part = range_of(self, victim, word);
        if (part.first >= part.last)
            return false;
        middle = part.first + (part.last - part.first) / 2;
    } while (!bz_cas_relaxed(&ranges[victim].word, &word, pack(part.first, middle)));
    bz_store_relaxed(&ranges[self->num].word, pack(middle + 1, part.last));
    *chunk = middle - 1;
    return true;
}

/* A thief looks at everybody once, from the last victim on. Work in the hands of another thief is not seen: it is run
 * all the same. */
static bool steal(struct bomp_member *self, uint64_t *chunk) {
    unsigned size = self->team->size;
    for (unsigned i = 0; i < size; i++) {
        unsigned victim = self->ws.victim;
        if (victim != self->num && steal_from(self, victim, chunk))
            return true;
        self->ws.victim = victim + 1 < size ? victim + 1 : 0;
    }
    return false;
}

static bool take_last(struct bomp_member *self, uint64_t *chunk) {
    uint64_t taken = 0;
    self->ws.deal = BOMP_DEAL_NOTHING;
    *chunk = self->ws.chunks - 1;
    return bz_load_relaxed(&self->ws.at->taken) == 0 && bz_cas_relaxed(&self->ws.at->taken, &taken, 1);
}

static bool take_steal(struct bomp_member *self, uint64_t *chunk) {
    return bz_likely(take_own(self, chunk)) || steal(self, chunk) || take_last(self, chunk);
}

/* ---- the other ways ---- */

static bool take_static(struct bomp_member *self, uint64_t *chunk) {
    struct bomp_workshare_member *ws = &self->ws;
    if (ws->position >= ws->chunks)
        return false;
    *chunk = ws->position;
    if (ws->chunks - ws->position > self->team->size)
        ws->position += self->team->size;
    else
        ws->position = ws->chunks; /* further on it might wrap */
    return true;
}

/* Members that find the loop done raise the count once more each: it would have to be raised 2^64 times to wrap. */
static bool take_counter(struct bomp_member *self, uint64_t *chunk) {
    *chunk = bz_fetch_add_relaxed(&self->ws.at->taken, 1);
    return *chunk < self->ws.chunks;
}

static bool take_guided(struct bomp_member *self, struct bomp_part *part) {
    const struct bomp_loop *loop = &self->ws.loop;
    uint64_t taken = bz_load_relaxed(&self->ws.at->taken), n;
    do {
        if (taken >= loop->count)
            return false;
        n = bomp_schedule_guided(loop->count - taken, loop->chunk, self->team->size);
    } while (!bz_cas_relaxed(&self->ws.at->taken, &taken, taken + n));
    *part = (struct bomp_part){taken, taken + n};
    return true;
}

static bool take(struct bomp_member *self, struct bomp_part *part);

static bool take_watched(struct bomp_member *self, struct bomp_part *part) {
    struct bomp_workshare_member *ws = &self->ws;
    ws->deal = BOMP_DEAL_NOTHING;
    if (bomp_cancel_construct_seen(self))
        return false;
    ws->deal = ws->watched;
    bool got = take(self, part);
    ws->watched = ws->deal;
    ws->deal = BOMP_DEAL_WATCHED;
    return got;
}

/* The next iterations. */
static bool take(struct bomp_member *self, struct bomp_part *part) {
    struct bomp_workshare_member *ws = &self->ws;
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
        got = take_counter(self, &chunk);
        break;
    case BOMP_DEAL_STEAL:
        got = take_steal(self, &chunk);
        break;
    case BOMP_DEAL_DOACROSS:
        got = bomp_doacross_claim(self, &chunk);
        break;
    case BOMP_DEAL_WATCHED:
        return take_watched(self, part);
    }
    if (got)
        *part = bomp_schedule_chunk(ws->loop.count, ws->loop.chunk, chunk);
    return got;
}

/* Others may wait for what the member does in its chunk. */
static void note_chunk(struct bomp_member *self, struct bomp_part part) {
    bomp_ordered_chunk(self, part);
    if (self->ws.doacross)
        bomp_doacross_chunk(self, part);
}

bool bomp_loop_take(struct bomp_member *self, struct bomp_span *span) {
    struct bomp_part part;
    bomp_ordered_pass(self);
    if (!take(self, &part))
        return false;
    if (bz_unlikely(self->ws.loop.schedule & (BOMP_LOOP_ORDERED | BOMP_LOOP_DOACROSS)))
        note_chunk(self, part);
    *span = bomp_schedule_span(&self->ws.loop, part);
    return true;
}

/* ---- entering ---- */

/* The members of a team may have set different run-time schedules, against the rules; other runtimes then go by whoever
 * comes first, and a loop that is dealt out in two ways at once would lose iterations. */
static void agree(struct bomp_workshare *ws, struct bomp_loop *loop) {
    uint64_t mine = (uint64_t)loop->schedule << 32 | loop->chunk; /* the ICV's chunk has 31 bits */
    uint64_t seen = bz_load_relaxed(&ws->schedule);
    if (seen == mine || (seen == 0 && bz_cas_relaxed(&ws->schedule, &seen, mine)))
        return;
    loop->schedule = (uint32_t)(seen >> 32);
    loop->chunk = (uint32_t)seen;
}

/* Even shares: this member's is all that it gets. */
static void deal_share(struct bomp_member *self) {
    struct bomp_part share = bomp_schedule_share(self->ws.loop.count, self->num, self->team->size);
    self->ws.first = share.first;
    self->ws.last = share.last;
    self->ws.deal = BOMP_DEAL_ONCE;
}

static enum bomp_deal deal_of(const struct bomp_workshare_member *ws) {
    const struct bomp_loop *loop = &ws->loop;
    switch (loop->schedule & BOMP_LOOP_KIND) {
    case BOMP_LOOP_STATIC:
        return BOMP_DEAL_STATIC;
    case BOMP_LOOP_GUIDED:
        return loop->schedule & BOMP_LOOP_DOACROSS ? BOMP_DEAL_DOACROSS : BOMP_DEAL_GUIDED;
    default:
        if (loop->schedule & BOMP_LOOP_DOACROSS)
            return BOMP_DEAL_DOACROSS;
        if (loop->schedule & (BOMP_LOOP_MONOTONIC | BOMP_LOOP_ORDERED) || !ws->at->ranges ||
            ws->chunks >= UINT32_MAX)
            return BOMP_DEAL_COUNTER;
        return BOMP_DEAL_STEAL;
    }
}

/* Settles how the loop is dealt out, for a member that has not gone from the region. */
static void set_deal(struct bomp_member *self, const struct bomp_loop *loop) {
    struct bomp_workshare_member *ws = &self->ws;
    ws->loop = *loop;
    ws->pending = 0;
    if (self->team->size == 1) { /* whatever the schedule, all chunks are its own */
        if (bz_unlikely(loop->schedule & BOMP_LOOP_SHARES))
            bomp_share_apart(self);
        deal_share(self);
        return;
    }
    bomp_schedule_resolve(&ws->loop, self->current->icv);
    bool runtime = (loop->schedule & BOMP_LOOP_KIND) == BOMP_LOOP_RUNTIME;
    bool is_static = !runtime && (ws->loop.schedule & BOMP_LOOP_KIND) == BOMP_LOOP_STATIC;
    if (!is_static || loop->schedule & (BOMP_LOOP_ORDERED | BOMP_LOOP_SHARES))
        bomp_workshare_enter(self);
    if (runtime)
        agree(ws->at, &ws->loop);
    if (ws->loop.chunk == 0) {
        deal_share(self);
        return;
    }
    ws->chunks = bomp_schedule_chunks(ws->loop.count, ws->loop.chunk);
    ws->position = self->num;
    ws->deal = ws->chunks > 0 ? deal_of(ws) : BOMP_DEAL_NOTHING;
}

void bomp_loop_meet(struct bomp_member *self, const struct bomp_loop *loop) {
    struct bomp_workshare_member *ws = &self->ws;
    ws->place++;
    ws->open = true;
    if (bz_likely(!self->team->cancel.on)) {
        set_deal(self, loop);
        return;
    }
    ws->pending = 0;
    ws->watched = BOMP_DEAL_NOTHING;
    if (!bomp_cancel_gone(self)) {
        set_deal(self, loop);
        ws->watched = ws->deal;
    } else if (loop->schedule & BOMP_LOOP_SHARES) {
        bomp_share_apart(self);
    }
    ws->deal = BOMP_DEAL_WATCHED;
}

void bomp_loop_leave(struct bomp_member *self) {
    bomp_ordered_pass(self);
    if (bz_unlikely(self->ws.doacross != NULL))
        bomp_doacross_leave(self);
    self->ws.place++;
    self->ws.open = false;
    self->ws.deal = BOMP_DEAL_NOTHING;
}

static void meet_installed(struct bomp_member *member) {
    bomp_loop_meet(member, &member->team->ws.loop);
}

void bomp_loop_install(struct bomp_team *team, const struct bomp_loop *loop) {
    team->ws.loop = *loop;
    team->ws.begin = meet_installed;
}

/* ---- for the calling thread ---- */

bool bomp_loop_start(const struct bomp_loop *loop, struct bomp_span *span) {
    struct bomp_member *self = bomp_self();
    bomp_loop_meet(self, loop);
    return bomp_loop_take(self, span);
}

bool bomp_loop_next(struct bomp_span *span) {
    return bomp_loop_take(bomp_self(), span);
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

void bomp_loop_end_nowait(void) {
    bomp_loop_leave(bomp_self());
}

void bomp_loop_end(void) {
    struct bomp_member *self = bomp_self();
    bomp_loop_leave(self);
    (void)bomp_workshare_barrier(self);
}
