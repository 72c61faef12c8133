/* Waiting for earlier iterations in a doacross loop.
 *
 * An iteration has a key: the number of its place in the row of all, lexicographically. A member gets its chunks in
 * increasing order and posts in increasing order, so one word says what it is past: its position, which only grows.
 * Nothing is kept for each iteration or chunk, however many there are. To wait for an iteration is to find out in whose
 * hands its chunk is, or was, and to wait until that member's position is beyond its key. In a static loop the owner
 * follows from the schedule. In others, which are all dealt out by the shared count of chunks, it is looked up:
 *
 *   claiming   write CLAIMING to the own chunk word (DA3); take the next chunk c from the count (DA5); write the position;
 *              write c to the chunk word (DA3); raise place c modulo PLACES of the owners to (c, member) (DA2)
 *   looking    read that place (DA1). It says c: found. It says an earlier chunk: not published yet, read again. It says
 *              a later chunk: c's owner may still be at it, far behind the others. Read all chunk words (DA4): the one
 *              that says c is its owner's; if there is none, and none says CLAIMING, c is past.
 *
 * The last step is right because whoever claimed a later chunk read the count that c's owner had raised (DA5), so with the
 * place comes what that one wrote before: its chunk word reads CLAIMING or something younger. A member waits for chunks
 * before its own only, which have been claimed: a look fails only between another one's claim and its publication.
 *
 * The nest of loops may be known before the loop that is divided, which is the outermost one or several of them as one.
 * Whose an iteration is follows from that loop: nobody waits before it is known. How many of the nest's loops it is
 * follows from its count.
 *
 * A member remembers the last iteration of another one that it waited for, whose that is, and how far that one was: it is
 * past all that it ever was past, so most waits of a wavefront read nothing that others write.
 *
 * If the keys would not fit 64 bits, the innermost dimensions are left out. Then iterations share a key, and a position
 * passes it with the last of them. That is later than need be but never wrong: what waits comes later in the row of all
 * than what it waits for, and a member does not wait for its own.
 *
 * A guided loop is dealt out like a dynamic one. Its large first chunks would be run one after the other.
 *
 * Sleeping. A waiter spins for a while, and then
 *
 *   sleeper    read the owner's eventcount (turn.c); raise `wanted` of the owner to the key, the earliest counting most
 *              (DA8); heavy fence; read the position; sleep if neither it nor the eventcount has changed
 *   poster     write the position (DA9); light fence; if `wanted` is reached: take all wishes back (DA8), notify (turn.c)
 *
 * The fences order the wish before the sleeper's look at the position, the position before the poster's look at the
 * wish: one of them sees the other's. Whose wish is taken back without being fulfilled has read the eventcount before, so it
 * does not sleep, or is woken, and wishes again. A member that waits runs no tasks: one of them might wait for what the
 * member holds. Model: tests/model/doacross.pml.
 *
 * Pairing table
 *   DA1 look_up          DA2 publish          whose chunk it is, and all up to its claim
 *   DA4 look_at_all      DA3 claim            all that was done in the chunks before
 *   DA5 claim            DA5 claim            the claims of earlier chunks
 *   DA8 wish             DA8 notify           the look at the eventcount before the wish
 *   DA9 advance          DA10 position_of     what the iteration did
 *   DA11 advance         DA12 announce_wish   the position or the wish: one of them sees the other's */
#include "omp/loop/doacross.h"

#include <stdarg.h>

#include "omp/bomp.h"
#include "omp/icv/schedule.h"
#include "omp/loop/cancel.h"
#include "omp/loop/construct_storage.h"
#include "omp/loop/doacross_nest.h"
#include "omp/loop/turn.h"
#include "omp/loop/workshare.h"
#include "omp/task/task.h"
#include "omp/tool/hooks.h"

enum { NO_CHUNK = 0, CLAIMING = 1, CHUNKS = 2 }; /* of a member's `chunk` */
#define OWNER_BITS 16
_Static_assert(BZ_DOMAIN_MAX <= 1 << OWNER_BITS, "every member has a number in an owner's place");

/* ---- setting up ---- */

/* How a nest is said: dimension number i. */
typedef struct dimension dimension_of(const void *said, unsigned i);

struct layout {
    unsigned size, dimensions, places;
    size_t members_at, owners_at; /* offsets in the block */
    dimension_of *dimension;
    const void *said;
    bool perhaps_end;
};

static size_t line_up(size_t offset) {
    return (offset + BZ_LINE - 1) / BZ_LINE * BZ_LINE;
}

static void fill(void *block, const void *arg) {
    const struct layout *layout = arg;
    struct bomp_doacross *doacross = block;
    doacross->size = layout->size;
    doacross->dimensions = layout->dimensions;
    doacross->places = layout->places;
    doacross->members = (void *)((char *)block + layout->members_at);
    doacross->owners = (void *)((char *)block + layout->owners_at);
    doacross->perhaps_end = layout->perhaps_end;
    doacross->counted = true;
    for (unsigned i = 0; i < layout->dimensions; i++) {
        struct dimension *dimension = &doacross->nest[i];
        *dimension = layout->dimension(layout->said, i);
        doacross->counted = doacross->counted && dimension->first == 0 && dimension->step == 1;
    }
}

static void enter(struct bomp_member *self, struct layout layout) {
    const unsigned dimensions = layout.dimensions;
    layout.size = self->team->size;
    layout.places = 64;
    self->ws->doacross = NULL;
    self->ws->keys = (struct bomp_doacross_keys){.outer = 0};
    if (bz_unlikely(bomp_hooks))
        self->tool.dimensions = dimensions;
    if (self->ws->unshared || dimensions == 0)
        return;
    while (layout.places < 4 * layout.size)
        layout.places *= 2;
    layout.members_at = line_up(sizeof(struct bomp_doacross) + dimensions * sizeof(struct dimension));
    layout.owners_at = layout.members_at + layout.size * sizeof(struct bomp_doacross_member);
    size_t bytes = layout.owners_at + layout.places * sizeof(struct bz_a64);
    self->ws->doacross = bomp_storage_get(self, BOMP_STORAGE_DOACROSS, bytes, fill, &layout);
}

static struct dimension counted(const void *said, unsigned i) {
    const uint64_t *counts = said;
    return (struct dimension){.first = 0, .step = 1, .count = counts[i]};
}

static struct dimension ranged(const void *said, unsigned i) {
    const struct bomp_dimension *range = (const struct bomp_dimension *)said + i;
    bool up = range->step > 0, any = up ? range->first <= range->last : range->first >= range->last;
    uint64_t first = (uint64_t)range->first, last = (uint64_t)range->last, step = (uint64_t)range->step;
    if (!any || step == 0)
        return (struct dimension){.first = first, .step = 1, .count = 0};
    uint64_t steps = up ? (last - first) / step : (first - last) / -step;
    return (struct dimension){.first = first, .step = step, .count = steps + (steps < UINT64_MAX)};
}

/* ---- the loop ---- */

/* How many dimensions of that many iterations, or of one less, make `count` together; 0: none do. */
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

/* One loop alone cannot be taken for the other kind: its count tells. */
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
    keys->simple = keys->exact && keys->outer == 1 && doacross->counted;
    keys->own = keys->other = keys->chunk = UINT64_MAX;
}

void bomp_doacross_meet(struct bomp_member *self, unsigned dimensions, const uint64_t *counts) {
    enter(self, (struct layout){
                    .dimensions = counts[0] > 0 ? dimensions : 0, .dimension = counted, .said = counts});
    if (!self->ws->doacross)
        return;
    self->ws->keys = (struct bomp_doacross_keys){.outer = 1};
    make_keys(self);
}

void bomp_doacross_loop(struct bomp_member *self) {
    find_outer(self->ws->doacross, self->ws->loop.count, &self->ws->keys);
    make_keys(self);
}

void bomp_doacross_static(struct bomp_member *self, const struct bomp_loop *loop) {
    self->ws->loop = *loop;
    self->ws->loop.schedule |= BOMP_LOOP_DOACROSS;
    self->ws->first = bomp_schedule_share(loop->count, self->num, self->team->size).first;
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

/* The member is past its iterations with smaller keys. */
static inline void advance(struct bomp_member *self, uint64_t position) {
    struct bomp_doacross_member *me = &self->ws->doacross->members[self->num];
    if (position <= self->ws->keys.posted)
        return;
    self->ws->keys.posted = position;
    bz_store_release(&me->position, position); /* DA9: pairs with DA10 */
    /* DA11: pairs with DA12. The position before the look at the wish, or a sleeper's wish is neither seen nor fulfilled. */
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

/* ---- whose chunk is it ---- */

static uint64_t round_of(const struct bomp_doacross *doacross, uint64_t chunk) {
    return (chunk / doacross->places + 1) << OWNER_BITS >> OWNER_BITS;
}

static struct bz_a64 *place_of(const struct bomp_doacross *doacross, uint64_t chunk) {
    return &doacross->owners[chunk & (doacross->places - 1)];
}

static void publish(struct bomp_doacross *doacross, uint64_t chunk, unsigned owner) {
    struct bz_a64 *place = place_of(doacross, chunk);
    uint64_t word = round_of(doacross, chunk) << OWNER_BITS | owner;
    uint64_t seen = bz_load_relaxed(place);                    /* relaxed: only compared */
    while (seen < word && !bz_cas_acq_rel(place, &seen, word)) /* DA2: pairs with DA1 */
        continue;
}

bool bomp_doacross_claim(struct bomp_member *self, uint64_t *chunk) {
    struct bomp_doacross *doacross = self->ws->doacross;
    struct bomp_doacross_member *me = &doacross->members[self->num];
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
    publish(doacross, *chunk, self->num);
    return true;
}

enum look { FOUND, PAST, UNCLEAR };

/* The place of the chunk says a later one. */
BZ_COLD static enum look look_at_all(const struct bomp_doacross *doacross, uint64_t chunk, unsigned *owner) {
    enum look look = PAST;
    for (unsigned i = 0; i < doacross->size; i++) {
        uint64_t at = bz_load_acquire(&doacross->members[i].chunk); /* DA4: pairs with DA3 */
        if (at == CHUNKS + chunk) {
            *owner = i;
            return FOUND;
        }
        if (at == CLAIMING)
            look = UNCLEAR;
    }
    return look;
}

static enum look look_up(const struct bomp_doacross *doacross, uint64_t chunk, unsigned *owner) {
    uint64_t word = bz_load_acquire(place_of(doacross, chunk)); /* DA1: pairs with DA2 */
    uint64_t round = round_of(doacross, chunk);
    *owner = (unsigned)(word & ((1 << OWNER_BITS) - 1));
    if (bz_likely(word >> OWNER_BITS == round))
        return FOUND;
    return word >> OWNER_BITS > round ? look_at_all(doacross, chunk, owner) : UNCLEAR;
}

/* Who runs the iteration of the loop, or has run it. PAST: somebody has. */
static enum look find_owner(struct bomp_member *self, uint64_t iteration, unsigned *owner) {
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

/* Whether the other one that the member waits for is past that; how far it is is remembered. */
static inline bool is_past(struct bomp_member *self, unsigned owner, uint64_t key) {
    self->ws->keys.position = position_of(self->ws->doacross, owner);
    return self->ws->keys.position > key;
}

static void wish(struct bomp_doacross_member *owner, uint64_t key) {
    uint64_t seen = bz_load_relaxed(&owner->wanted);
    while (seen < ~key && !bz_cas_release(&owner->wanted, &seen, ~key)) /* DA8: pairs with DA8 */
        continue;
}

/* Or there is nothing to wait for any more. */
static bool is_over(struct bomp_member *self, unsigned owner, uint64_t key) {
    return is_past(self, owner, key) ||
           (bz_unlikely(self->team->cancel.on) &&
            (bomp_cancel_construct_abandoned(self) || bomp_cancel_gone_num(self->team, owner)));
}

static bool is_past_or_over(const struct bomp_turn *turn) {
    return is_over(turn->self, turn->owner, turn->key);
}

static bool announce_wish(const struct bomp_turn *turn) {
    wish(&turn->self->ws->doacross->members[turn->owner], turn->key);
    bz_fence_heavy(); /* DA12: pairs with DA11. The wish before the look at the position */
    return false;
}

static __attribute__((noinline)) void wait_until_past(struct bomp_member *self, unsigned owner,
                                                      uint64_t key) {
    struct bomp_turn turn = {.self = self,
                             .is_over = is_past_or_over,
                             .announce = announce_wish,
                             .eventcount = eventcount_of(self, owner),
                             .sleepers = &self->ws->at->sleepers,
                             .owner = owner,
                             .key = key,
                             .what = "an iteration that it depends on"};
    bomp_turn_wait(&turn);
}

/* ---- for the calling thread ---- */

/* What ThreadSanitizer knows an iteration by: hardly any other one in flight has the same. */
static const void *tsan_key(const struct bomp_doacross *doacross, uint64_t key) {
    return place_of(doacross, key);
}

/* Whether an iteration that it waits for is its own: of its share, since it waits for none behind that, or the one that it
 * has found to be. One that far behind the share's first is looked at more closely (unwrap). */
#define SHARE_MOST (UINT64_C(1) << 31)

static inline bool is_own(const struct bomp_member *self, uint64_t iteration) {
    const struct bomp_doacross_keys *keys = &self->ws->keys;
    return iteration == keys->own || (keys->in_shares && iteration - self->ws->first < SHARE_MOST);
}

void bomp_doacross_begin(unsigned dimensions, const struct bomp_dimension *nest, bool perhaps_end) {
    struct bomp_member *self = bomp_self();
    (void)bomp_construct_enter(self); /* cancelled: it has it for itself */
    enter(self, (struct layout){
                    .dimensions = dimensions, .dimension = ranged, .said = nest, .perhaps_end = perhaps_end});
    if (self->ws->doacross)
        self->ws->open = BOMP_OPEN_UNTIL;
}

static void post(struct bomp_member *self, const uint64_t *index) {
    struct bomp_doacross *doacross = self->ws->doacross;
    struct spot spot;
    if (bz_likely(self->ws->keys.simple))
        spot.key = key_of(self, index);
    else if (!find_any_spot(self, index, &spot))
        return;
    bz_tsan_before(tsan_key(doacross, spot.key));
    advance(self, spot.key + self->ws->keys.exact);
}

/* Until it is said who the owner is. PAST, too, where the loop is cancelled. */
BZ_COLD static enum look look_until_clear(struct bomp_member *self, uint64_t iteration, unsigned *owner) {
    struct bz_spin spin = bz_spin_for_turn(self->worker);
    enum look look = UNCLEAR;
    while (look == UNCLEAR) {
        if (bz_unlikely(self->team->cancel.on) && bomp_cancel_construct_abandoned(self))
            return PAST;
        if (!bz_spin_on(&spin)) /* its owner is about to say so */
            bz_os_yield();
        look = find_owner(self, iteration, owner);
    }
    return look;
}

/* Who has it in hand, or has had it; the member itself: there is nothing to wait for. It is remembered. */
BZ_INLINE unsigned owner_of(struct bomp_member *self, const struct spot *spot) {
    struct bomp_doacross_keys *keys = &self->ws->keys;
    unsigned owner;
    if (spot->iteration == keys->other)
        return keys->owner;
    enum look look = find_owner(self, spot->iteration, &owner);
    if (bz_unlikely(look == UNCLEAR))
        look = look_until_clear(self, spot->iteration, &owner);
    if (look == PAST)
        return self->num;
    if (owner == self->num) {
        keys->own = spot->iteration;
        return owner;
    }
    keys->other = spot->iteration;
    keys->position = 0;
    return keys->owner = owner;
}

/* False: nobody runs it. */
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

/* ---- for tools the construct is a mutex that no thread keeps ---- */

/* What names it: the position that it is about. */
static const void *name_of(const struct bomp_member *self, unsigned owner) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    return doacross ? (const void *)&doacross->members[owner].position : (const void *)self->ws;
}

/* Returns where the program is. */
BZ_COLD static const void *notify_acquire(const struct bomp_member *self, unsigned owner, const void *site) {
    const void *code = bomp_code_or(site);
    bomp_hooks->mutex->acquire(ompt_mutex_ordered, 0, true, name_of(self, owner), code);
    return code;
}

/* What comes between both is the iteration that is waited for or posted; type 0: none. */
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

static __attribute__((noinline)) void wait_for_many(struct bomp_member *self, unsigned dimensions,
                                                    uint64_t first, va_list rest, const void *site) {
    uint64_t *index = __builtin_alloca(dimensions * sizeof *index);
    index[0] = first;
    for (unsigned i = 1; i < dimensions; i++)
        index[i] = va_arg(rest, uint64_t);
    wait_at(self, index, site);
}

/* In a nest, or for tools. */
static inline void wait_for_values(struct bomp_member *self, uint64_t first, va_list rest, const void *site) {
    const struct bomp_doacross *doacross = self->ws->doacross;
    unsigned dimensions = doacross ? doacross->dimensions : self->tool.dimensions;
    uint64_t index[2] = {first};
    if (dimensions == 2)
        index[1] = va_arg(rest, uint64_t);
    if (dimensions > 2)
        wait_for_many(self, dimensions, first, rest, site);
    else if (dimensions > 0)
        wait_at(self, index, site);
}

/* In a team of one nobody waits: that way out is the first, and straight. */
BZ_LINE_START
void bomp_doacross_wait_for(uint64_t first, ...) {
    struct bomp_member *self = bomp_self_if_any();
    va_list rest;
    if (bz_unlikely(!self))
        return;
    if (bz_likely(!bomp_hooks)) {
        if (bz_likely(!self->ws->doacross))
            return;
        if (self->ws->keys.simple && is_own(self, first))
            return;
    }
    va_start(rest, first);
    wait_for_values(self, first, rest, BOMP_SITE);
    va_end(rest);
}
