/* Waiting for earlier iterations in a doacross loop.
 *
 * The key of an iteration is its number in lexicographic order. A member takes chunks and posts in increasing order, so one
 * word, its position, says which of its iterations are past. A waiter finds the iteration's owner, and waits until the
 * owner's position is beyond the key. In a static loop the owner follows from the schedule. Other loops are dealt out by
 * the shared count of chunks, guided ones too: large first chunks would run one after the other.
 *
 *   claim     write CLAIMING to the own chunk word (DA3); take the next chunk c from the count (DA5); write the position;
 *             write c to the chunk word (DA3)
 *   look up   read all chunk words (DA4). The one with c is its owner's. If none has c, and none is CLAIMING, c is past
 *
 * A waiter's own chunk is later than c, and its claim read the count that c's owner had raised (DA5). So the chunk word of
 * c's owner reads CLAIMING or something younger.
 *
 * A member remembers the last foreign iteration that it waited for, its owner, and the owner's position: most waits of a
 * wavefront read nothing that others write.
 *
 * If keys do not fit 64 bits, they leave out the innermost dimensions. A position passes a shared key with the last of its
 * iterations, which all come before the waiting one.
 *
 * Sleeping. A waiter spins, and then
 *
 *   sleeper    read the owner's eventcount (turn.c); lower the owner's wanted key (DA8); heavy fence; read the position;
 *              sleep if neither it nor the eventcount has changed
 *   poster     write the position (DA9); light fence; if `wanted` is reached: clear it (DA8), notify (turn.c)
 *
 * By the fences, the sleeper sees the position or the poster sees the wish. A sleeper whose wish is cleared too early has
 * read the eventcount before, so it does not sleep, or is woken, and wishes again. Model: tests/model/doacross.pml.
 *
 * Pairing table
 *   DA4 look_up          DA3 claim            all that was done in the chunks before
 *   DA5 claim            DA5 claim            the claims of earlier chunks
 *   DA8 announce_wish    DA8 notify           the read of the eventcount before the wish
 *   DA9 advance          DA10 position_of     what the iteration did
 *   DA11 advance         DA12 announce_wish   the position or the wish: one of them sees the other's */
#include "omp/loop/doacross.h"

#include <stdarg.h>

#include "omp/bomp.h"
#include "omp/loop/cancel.h"
#include "omp/loop/construct_storage.h"
#include "omp/loop/doacross_nest.h"
#include "omp/loop/turn.h"
#include "omp/loop/workshare.h"
#include "omp/task/cancelled.h"
#include "omp/task/task.h"
#include "omp/tool/hooks.h"

enum { NO_CHUNK = 0, CLAIMING = 1, CHUNKS = 2 }; /* of a member's `chunk` */

/* ---- setting up ---- */

struct layout {
    unsigned size, dimensions;
    size_t members_at; /* offset in the block */
    const struct dimension *nest;
    bool perhaps_end;
};

static void fill(void *block, const void *arg) {
    const struct layout *layout = arg;
    struct bomp_doacross *doacross = block;
    doacross->size = layout->size;
    doacross->dimensions = layout->dimensions;
    doacross->members = (void *)((char *)block + layout->members_at);
    doacross->perhaps_end = layout->perhaps_end;
    for (unsigned i = 0; i < layout->dimensions; i++)
        doacross->nest[i] = layout->nest[i];
}

static void enter(struct bomp_member *self, unsigned dimensions, const struct dimension *nest,
                  bool perhaps_end) {
    size_t front = sizeof(struct bomp_doacross) + dimensions * sizeof *nest;
    struct layout layout = {self->team->size, dimensions, (front + BZ_LINE - 1) / BZ_LINE * BZ_LINE, nest,
                            perhaps_end};
    self->ws->doacross = NULL;
    self->ws->keys = (struct bomp_doacross_keys){.outer = 0};
    if (bz_unlikely(bomp_hooks))
        self->tool.dimensions = dimensions;
    if (!self->ws->unshared && dimensions > 0)
        self->ws->doacross = bomp_storage_get(
            self, BOMP_STORAGE_DOACROSS,
            layout.members_at + layout.size * sizeof(struct bomp_doacross_member), fill, &layout);
}

static struct dimension dimension_of(const struct bomp_dimension *range) {
    bool up = range->step > 0, any = up ? range->first <= range->last : range->first >= range->last;
    uint64_t first = (uint64_t)range->first, last = (uint64_t)range->last, step = (uint64_t)range->step;
    if (!any || step == 0)
        return (struct dimension){.first = first, .step = 1, .count = 0};
    uint64_t steps = up ? (last - first) / step : (first - last) / -step;
    return (struct dimension){.first = first, .step = step, .count = steps + (steps < UINT64_MAX)};
}

/* ---- the loop ---- */

/* How many outer dimensions have `count` iterations together; 0: no number of them. */
static unsigned outer_of(const struct bomp_doacross *doacross, const struct bomp_doacross_keys *keys,
                         uint64_t count) {
    uint64_t product = 1;
    for (unsigned i = 0; i < doacross->dimensions; i++) {
        bool fits = doacross->nest[i].count > keys->fewer &&
                    !__builtin_mul_overflow(product, count_of(doacross, keys, i), &product);
        if (!fits || product > count)
            return 0;
        if (product == count)
            return i + 1;
    }
    return 0;
}

/* The loop's count says whether dimensions were counted with one iteration too many. */
static void find_outer(const struct bomp_doacross *doacross, uint64_t count,
                       struct bomp_doacross_keys *keys) {
    keys->fewer = doacross->perhaps_end && doacross->nest[0].count != count;
    keys->outer = outer_of(doacross, keys, count);
    if (keys->outer == 0) {
        keys->fewer = false;
        keys->outer = outer_of(doacross, keys, count);
    }
}

static void make_keys(struct bomp_member *self) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    struct bomp_doacross_keys *keys = &self->ws->keys;
    uint64_t all = self->ws->loop.count;
    keys->keyed = keys->outer;
    keys->inner = 1;
    for (unsigned i = keys->outer; i < doacross->dimensions; i++) {
        if (__builtin_mul_overflow(all, count_of(doacross, keys, i), &all))
            break;
        keys->inner *= count_of(doacross, keys, i);
        keys->keyed++;
    }
    keys->exact = keys->keyed == doacross->dimensions;
    keys->in_shares = self->ws->loop.chunk == 0;
    keys->own = keys->other = keys->chunk = UINT64_MAX;
}

void bomp_doacross_meet(struct bomp_member *self, unsigned dimensions, const uint64_t *counts) {
    struct dimension *nest = __builtin_alloca((dimensions + 1) * sizeof *nest);
    for (unsigned i = 0; i < dimensions; i++)
        nest[i] = (struct dimension){.first = 0, .step = 1, .count = counts[i]};
    enter(self, counts[0] > 0 ? dimensions : 0, nest, false);
    if (!self->ws->doacross)
        return;
    self->ws->keys = (struct bomp_doacross_keys){.outer = 1};
    make_keys(self);
}

void bomp_doacross_loop(struct bomp_member *self) {
    find_outer(self->ws->doacross, self->ws->loop.count, &self->ws->keys);
    make_keys(self);
}

void bomp_doacross_static(struct bomp_member *self, uint64_t last, uint64_t chunk) {
    uint64_t count = last < UINT64_MAX ? last + 1 : UINT64_MAX;
    self->ws->loop = (struct bomp_loop){
        .step = 1, .count = count, .chunk = chunk, .schedule = BOMP_LOOP_STATIC | BOMP_LOOP_DOACROSS};
    self->ws->first = bomp_schedule_share(count, self->num, self->team->size).first;
    bomp_workshare_mark(self->ws->at);
    bomp_doacross_loop(self);
}

/* ---- positions ---- */

static struct bz_a32 *eventcount_of(struct bomp_member *self, unsigned owner) {
    return &self->ws->at->eventcounts[owner % BOMP_EVENTCOUNTS];
}

BZ_COLD static void notify(struct bomp_member *self) {
    bz_exchange_acquire(&self->ws->doacross->members[self->num].wanted, 0); /* DA8: pairs with DA8 */
    bomp_turn_notify(eventcount_of(self, self->num));
}

static inline void advance(struct bomp_member *self, uint64_t position) {
    struct bomp_doacross_member *me = &self->ws->doacross->members[self->num];
    if (position <= self->ws->keys.posted)
        return;
    self->ws->keys.posted = position;
    bz_store_release(&me->position, position); /* DA9: pairs with DA10 */
    /* DA11: pairs with DA12. The position before the wish is read. */
    bz_fence_light();
    uint64_t wanted = bz_load_relaxed(&me->wanted); /* relaxed: the fences order it */
    if (bz_unlikely(wanted != 0) && position > ~wanted)
        notify(self);
}

void bomp_doacross_chunk(struct bomp_member *self, struct bomp_part part) {
    advance(self, part.first * self->ws->keys.inner);
}

void bomp_doacross_leave(struct bomp_member *self) {
    advance(self, UINT64_MAX);
    self->ws->doacross = NULL;
}

/* ---- owners of chunks ---- */

bool bomp_doacross_claim(struct bomp_member *self, uint64_t *chunk) {
    struct bomp_doacross_member *me = &self->ws->doacross->members[self->num];
    self->ws->keys.chunk = UINT64_MAX;
    bz_store_release(&me->chunk, CLAIMING);                 /* DA3: pairs with DA4 */
    *chunk = bz_fetch_add_acq_rel(&self->ws->at->taken, 1); /* DA5: pairs with DA5 */
    if (*chunk >= self->ws->chunks) {
        bz_store_release(&me->chunk, NO_CHUNK); /* DA3: pairs with DA4 */
        advance(self, UINT64_MAX);
        return false;
    }
    advance(self, *chunk * self->ws->loop.chunk * self->ws->keys.inner);
    self->ws->keys.chunk = *chunk;
    bz_store_release(&me->chunk, CHUNKS + *chunk); /* DA3: pairs with DA4 */
    return true;
}

enum lookup { FOUND, PAST, UNCLEAR };

static enum lookup look_up(const struct bomp_doacross *doacross, uint64_t chunk, unsigned *owner) {
    enum lookup result = PAST;
    for (unsigned i = 0; i < doacross->size; i++) {
        uint64_t at = bz_load_acquire(&doacross->members[i].chunk); /* DA4: pairs with DA3 */
        if (at == CHUNKS + chunk) {
            *owner = i;
            return FOUND;
        }
        if (at == CLAIMING)
            result = UNCLEAR;
    }
    return result;
}

/* The member that runs or has run the iteration. PAST: one has. */
static enum lookup find_owner(struct bomp_member *self, uint64_t iteration, unsigned *owner) {
    const struct bomp_workshare_member *ws = self->ws;
    const struct bomp_loop *loop = &ws->loop;
    if ((loop->schedule & BOMP_LOOP_KIND) == BOMP_LOOP_STATIC) {
        *owner = bomp_schedule_owner(loop, iteration, ws->doacross->size);
        return FOUND;
    }
    uint64_t chunk = loop->chunk == 1 ? iteration : iteration / loop->chunk;
    *owner = self->num;
    if (chunk == ws->keys.chunk)
        return FOUND;
    return look_up(ws->doacross, chunk, owner);
}

/* ---- waiting ---- */

static uint64_t position_of(const struct bomp_doacross *doacross, unsigned owner) {
    return bz_load_acquire(&doacross->members[owner].position); /* DA10: pairs with DA9 */
}

/* Whether the owner is past the key. Remembers its position. */
static inline bool is_past(struct bomp_member *self, unsigned owner, uint64_t key) {
    self->ws->keys.position = position_of(self->ws->doacross, owner);
    return self->ws->keys.position > key;
}

/* The same, or cancellation has ended the wait. */
static bool is_over(const struct bomp_turn *turn) {
    struct bomp_member *self = turn->self;
    return is_past(self, turn->owner, turn->key) ||
           (bz_unlikely(self->team->cancel.on) &&
            (bomp_cancel_construct_abandoned(self) || bomp_cancel_gone_num(self->team, turn->owner)));
}

static void announce_wish(const struct bomp_turn *turn) {
    struct bz_a64 *wanted = &turn->self->ws->doacross->members[turn->owner].wanted;
    uint64_t seen = bz_load_relaxed(wanted), wish = ~turn->key;
    while (seen < wish && !bz_cas_release(wanted, &seen, wish)) /* DA8: pairs with DA8 */
        continue;
    bz_fence_heavy(); /* DA12: pairs with DA11. The wish before the position is read */
}

static __attribute__((noinline)) void wait_until_past(struct bomp_member *self, unsigned owner,
                                                      uint64_t key) {
    struct bomp_turn turn = {.self = self,
                             .is_over = is_over,
                             .announce = announce_wish,
                             .eventcount = eventcount_of(self, owner),
                             .sleepers = &self->ws->at->sleepers,
                             .owner = owner,
                             .key = key,
                             .what = "an iteration that it depends on"};
    bomp_turn_wait(&turn);
}

/* ---- for the calling thread ---- */

/* The name of an iteration for ThreadSanitizer, which few others in flight share. */
static const void *tsan_key(const struct bomp_doacross *doacross, uint64_t key) {
    uint64_t words = doacross->size * sizeof(struct bomp_doacross_member) / sizeof(uint64_t);
    return (const uint64_t *)(const void *)doacross->members + key % words;
}

/* Whether an awaited iteration is the member's own: the last one found to be, or one of its share, as it waits for none
 * after that. Numbers this far off may be wrong (unwrap). */
#define SHARE_MOST (UINT64_C(1) << 31)

static inline bool is_own(const struct bomp_member *self, uint64_t iteration) {
    const struct bomp_doacross_keys *keys = &self->ws->keys;
    return iteration == keys->own || (keys->in_shares && iteration - self->ws->first < SHARE_MOST);
}

void bomp_doacross_begin(unsigned dimensions, const struct bomp_dimension *nest, bool perhaps_end) {
    struct bomp_member *self = bomp_self();
    struct dimension *read = __builtin_alloca((dimensions + 1) * sizeof *read);
    for (unsigned i = 0; i < dimensions; i++)
        read[i] = dimension_of(&nest[i]);
    (void)bomp_construct_enter(self); /* if cancelled, the nest is not shared */
    enter(self, dimensions, read, perhaps_end);
    if (self->ws->doacross)
        self->ws->open = BOMP_OPEN_UNTIL;
}

static void post(struct bomp_member *self, const uint64_t *index) {
    struct bomp_doacross *doacross = self->ws->doacross;
    struct spot spot;
    if (!find_spot(self, index, &spot))
        return;
    bz_tsan_before(tsan_key(doacross, spot.key));
    advance(self, spot.key + self->ws->keys.exact);
}

/* Until the owner is published. PAST also if the loop is cancelled. */
BZ_COLD static enum lookup retry_find_owner(struct bomp_member *self, uint64_t iteration, unsigned *owner) {
    struct bz_spin spin = bz_spin_for_turn(self->worker);
    enum lookup result = UNCLEAR;
    while (result == UNCLEAR) {
        if (bz_unlikely(self->team->cancel.on) && bomp_cancel_construct_abandoned(self))
            return PAST;
        if (!bz_spin_on(&spin)) /* its owner is about to publish it */
            bz_os_yield();
        result = find_owner(self, iteration, owner);
    }
    return result;
}

/* The iteration's member, which is remembered; the caller itself: nothing to wait for. */
BZ_INLINE unsigned owner_of(struct bomp_member *self, const struct spot *spot) {
    struct bomp_doacross_keys *keys = &self->ws->keys;
    unsigned owner;
    if (spot->iteration == keys->other)
        return keys->owner;
    enum lookup result = find_owner(self, spot->iteration, &owner);
    if (bz_unlikely(result == UNCLEAR))
        result = retry_find_owner(self, spot->iteration, &owner);
    if (result == PAST)
        return self->num;
    if (owner == self->num) {
        keys->own = spot->iteration;
        return owner;
    }
    keys->other = spot->iteration;
    keys->position = 0;
    return keys->owner = owner;
}

BZ_INLINE bool find_awaited(struct bomp_member *self, const uint64_t *index, struct spot *spot) {
    if (bz_unlikely(self->ws->keys.outer == 0))
        bz_fatal("a doacross wait without a loop of its iterations");
    return find_spot(self, index, spot);
}

BZ_INLINE void wait_for(struct bomp_member *self, unsigned owner, uint64_t key) {
    if (owner == self->num || key < self->ws->keys.position || is_past(self, owner, key))
        return;
    wait_until_past(self, owner, key);
}

/* ---- for tools: the construct is a mutex, named by the address of the position ---- */

static const void *name_of(const struct bomp_member *self, unsigned owner) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    return doacross ? (const void *)&doacross->members[owner].position : (const void *)self->ws;
}

/* Returns the place in the program. */
BZ_COLD static const void *notify_acquire(const struct bomp_member *self, unsigned owner, const void *site) {
    const void *code = bomp_code_or(site);
    bomp_hooks->mutex->acquire(ompt_mutex_ordered, 0, true, name_of(self, owner), code);
    return code;
}

/* Also reports the awaited or posted iteration; type 0: none. */
BZ_COLD static void notify_acquired(struct bomp_member *self, unsigned owner, const uint64_t *index,
                                    ompt_dependence_type_t type, const void *code) {
    bomp_hooks->mutex->acquired(ompt_mutex_ordered, 1, name_of(self, owner), code);
    if (type)
        bomp_hooks->work->iteration(self, index, type);
}

BZ_COLD static void notify_released(const struct bomp_member *self, unsigned owner, const void *code) {
    bomp_hooks->mutex->released(ompt_mutex_ordered, 0, name_of(self, owner), code);
}

/* ---- entry ---- */

BZ_LINE_START
void bomp_doacross_post(const uint64_t *index) {
    struct bomp_member *self = bomp_self_if_any();
    const void *code = NULL;
    if (bz_unlikely(!self))
        return;
    if (bz_unlikely(bomp_hooks)) {
        code = notify_acquire(self, self->num, BOMP_SITE);
        notify_acquired(self, self->num, index, ompt_dependence_type_source, code);
    }
    if (bz_unlikely(self->ws->doacross))
        post(self, index);
    if (bz_unlikely(bomp_hooks))
        notify_released(self, self->num, code);
}

static inline void wait_at(struct bomp_member *self, const uint64_t *index, const void *site) {
    struct bomp_doacross *doacross = self->ws->doacross;
    struct spot spot;
    const void *code = NULL;
    bool exists = doacross && find_awaited(self, index, &spot);
    unsigned owner = exists && !is_own(self, spot.iteration) ? owner_of(self, &spot) : self->num;
    if (bz_unlikely(bomp_hooks))
        code = notify_acquire(self, owner, site);
    if (exists) {
        wait_for(self, owner, spot.key);
        bz_tsan_after(tsan_key(doacross, spot.key));
    }
    if (bz_unlikely(bomp_hooks)) {
        bool exact = exists || !doacross;
        notify_acquired(self, owner, index, exact ? ompt_dependence_type_sink : 0, code);
        notify_released(self, owner, code);
    }
}

void bomp_doacross_wait(const uint64_t *index) {
    struct bomp_member *self = bomp_self_if_any();
    if (self && (self->ws->doacross || bz_unlikely(bomp_hooks)))
        wait_at(self, index, BOMP_SITE);
}

/* In a nest, or for tools. */
static __attribute__((noinline)) void wait_for_values(struct bomp_member *self, uint64_t first, va_list rest,
                                                      const void *site) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    unsigned dimensions = doacross ? doacross->dimensions : self->tool.dimensions;
    uint64_t *index = __builtin_alloca((dimensions + 1) * sizeof *index);
    index[0] = first;
    for (unsigned i = 1; i < dimensions; i++)
        index[i] = va_arg(rest, uint64_t);
    if (dimensions > 0)
        wait_at(self, index, site);
}

/* A team of one returns first, without a taken branch. */
BZ_LINE_START
void bomp_doacross_wait_for(uint64_t first, ...) {
    struct bomp_member *self = bomp_self_if_any();
    va_list rest;
    if (bz_unlikely(!self))
        return;
    if (bz_likely(!bomp_hooks)) {
        if (bz_likely(!self->ws->doacross))
            return;
        if (is_own(self, first)) /* of GCC alone: its loop is the outermost dimension, numbered from 0 */
            return;
    }
    va_start(rest, first);
    wait_for_values(self, first, rest, BOMP_SITE);
    va_end(rest);
}
