#include "sched/deque.h"

#include "base/sanitizer.h"
#include "os/os.h"

static struct bz_buffer *buffer_new(int64_t capacity) {
    if (capacity > INT64_MAX / (int64_t)sizeof(struct bz_slot) / 2)
        return NULL;
    struct bz_buffer *buffer = bz_alloc(sizeof *buffer + (size_t)capacity * sizeof(struct bz_slot));
    if (buffer) {
        buffer->older = NULL;
        buffer->mask = capacity - 1;
        bz_tsan_ignore(buffer->slots, (size_t)capacity * sizeof(struct bz_slot));
    }
    return buffer;
}

static void keep_buffer(struct bz_deque *deque, struct bz_buffer *buffer) {
    deque->buffer_own = buffer;
    deque->mask = buffer->mask;
    deque->slots = buffer->slots;
}

/* An owner without a buffer may read below the bottom before it knows that the deque is empty. */
static struct bz_slot nothing;

void bz_deque_init(struct bz_deque *deque, int64_t capacity) {
    bz_tsan_ignore(deque, sizeof *deque);
    int64_t first = 1; /* the pop of an empty deque lowers the split by one, and it must not be negative */
    *deque = (struct bz_deque){.bottom = {first},
                               .split = first,
                               .limit = first,
                               .mask = capacity - 1,
                               .slots = &nothing,
                               .top_seen = first,
                               .stopped = true,
                               .top = {first},
                               .fast = {BZ_DEQUE_REQUESTED},
                               .public_split = {first}};
}

void bz_deque_destroy(struct bz_deque *deque) {
    for (struct bz_buffer *buffer = deque->buffer_own; buffer;) {
        struct bz_buffer *older = buffer->older;
        bz_free(buffer);
        buffer = older;
    }
    deque->buffer_own = NULL;
}

static bool has_buffer(struct bz_deque *deque) {
    if (deque->buffer_own)
        return true;
    struct bz_buffer *buffer = buffer_new(deque->mask + 1);
    if (!buffer)
        return false;
    keep_buffer(deque, buffer);
    bz_store_relaxed(&deque->buffer, buffer); /* relaxed: a thief reads it after the first job's D1 */
    return true;
}

BZ_COLD bool bz_deque_make_room(struct bz_deque *deque) {
    if (deque->limit == 0 || !has_buffer(deque))
        return false;
    struct bz_buffer *old = deque->buffer_own;
    int64_t capacity = old->mask + 1, bottom = bz_deque_bottom(deque);
    if (deque->mark)
        bz_fetch_or_relaxed(deque->mark, deque->mark_bit); /* relaxed: see bz_deque_mark */
    deque->mark = NULL;
    /* A slot may be written again once top has passed it: acquire, so that the thief's read of the slot came before. */
    int64_t top = bz_load_acquire(&deque->top); /* D2: pairs with D6 */
    deque->limit = top + capacity;
    deque->top_seen = top;
    if (bottom < deque->limit)
        return true;
    struct bz_buffer *new = buffer_new(2 * capacity);
    if (!new)
        return false;
    for (int64_t i = top; i < bottom; i++)
        bz_store_relaxed(&new->slots[i & new->mask], bz_load_relaxed(&old->slots[i & old->mask])); /* by D3 */
    new->older = old;
    keep_buffer(deque, new);
    bz_store_release(&deque->buffer, new); /* D3: pairs with D5 (the copied slots) */
    deque->limit = top + 2 * capacity;
    return true;
}

/* ---- the owner and the public part ---- */

static void request(struct bz_deque *deque) {
    deque->stopped = true;
    bz_store_relaxed(&deque->fast, BZ_DEQUE_REQUESTED); /* relaxed, both: own hint */
    bz_store_relaxed(&deque->bound, 0);
}

/* Under ThreadSanitizer, which does not know the order of stores after a push, the request stays. */
void bz_deque_clear_request(struct bz_deque *deque, int64_t split) {
    deque->stopped = bz_tsan || deque->slow_pops > 0;
    if (deque->stopped)
        return;
    bz_store_relaxed(&deque->bound, deque->limit); /* relaxed, both: ordered by D1 or D15 */
    bz_store_relaxed(&deque->fast, split);
}

/* A request that comes meanwhile makes the swap fail. */
void bz_deque_follow_split(struct bz_deque *deque) {
    int64_t found = bz_load_relaxed(&deque->fast); /* relaxed, both: own store, or there is a request */
    if (found >= 0)
        (void)bz_cas_relaxed(&deque->fast, &found, deque->split);
}

/* A thread that requests now has stored both words, or we see the first, or its second store comes last. */
void bz_deque_restore_bound(struct bz_deque *deque) {
    if (bz_deque_is_requested(deque) || bz_load_relaxed(&deque->bound) == deque->limit) /* relaxed: a hint */
        return;
    (void)bz_exchange_acquire(&deque->bound, deque->limit); /* D17: pairs with D17 */
    if (bz_deque_is_requested(deque))
        bz_store_relaxed(&deque->bound, 0); /* relaxed: as a requesting thread does */
}

BZ_COLD void bz_deque_begin_slow_pops(struct bz_deque *deque) {
    deque->slow_pops++;
    deque->alone = false;
    request(deque);
}

BZ_COLD bool bz_deque_expose(struct bz_deque *deque) {
    int64_t end = bz_deque_bottom(deque), first, next;
    if (end <= deque->split || !bz_deque_is_requested(deque))
        return false;                                     /* the request stays: the next push exposes */
    int64_t seen = bz_load_relaxed(&deque->public_split); /* relaxed: D15 decides */
    do {
        first = bz_deque_split_of(seen);
        next = first + (end - first + 1) / 2;
        for (int64_t i = first; bz_unlikely(bz_tsan) && i < next; i++)
            bz_tsan_before(bz_deque_at(deque, i));
        bz_deque_clear_request(deque, next);
        /* D15: pairs with D5. Either this comes before the exposer's, which then fails, or we see it. */
    } while (!bz_cas_release(&deque->public_split, &seen, next));
    deque->split = next;
    if (next == first)
        request(deque); /* it was all exposed for us */
    return next > first;
}

bool bz_deque_put_requested(struct bz_deque *deque, struct bz_job *job) {
    int64_t b = bz_deque_bottom(deque);
    if (b != deque->split) {
        bz_deque_put(deque, job);
        return bz_deque_expose(deque);
    }
    /* Exposed at once, so that no thief can expose it for us. */
    bz_store_relaxed(&deque->slots[b & deque->mask], job); /* relaxed: published by D1 */
    if (bz_unlikely(bz_tsan))
        bz_tsan_before(job);
    bz_deque_clear_request(deque, b + 1);
    deque->split = b + 1;
    bz_store_release(&deque->public_split, b + 1); /* D1: pairs with D5 */
    /* D8: pairs with D14. After the split, or thieves might have exposed and taken the job and requested the next. */
    bz_store_release(&deque->bottom, b + 1);
    return true;
}

/* Removes an exposer's mark, or learns what it has exposed. */
static void reconcile(struct bz_deque *deque) {
    /* relaxed: an exposer that marks later has its barrier after that, and sees our bottom */
    deque->split = bz_deque_split_of(bz_fetch_and_relaxed(&deque->public_split, ~BZ_DEQUE_ASKED));
}

/* b: the bottom, and the newest public job's index. */
static inline struct bz_job *pop_public(struct bz_deque *deque, int64_t b) {
    struct bz_job *job = NULL;
    deque->split = b;
    /* It may overwrite a request: either jobs are still public, or we request below. */
    if (!deque->stopped)
        bz_store_relaxed(&deque->fast, b);     /* relaxed: ordered by D1 */
    bz_store_release(&deque->public_split, b); /* D1: pairs with D5 (still the jobs below b) */
    /* D4: pairs with D7 and D11: either we see the thief's top or it our split. */
    bz_fence_seq_cst();
    int64_t t = bz_load_relaxed(&deque->top);
    deque->top_seen = t;
    if (t <= b) {
        job = bz_deque_at(deque, b);
        if (t < b)
            return job;
        /* relaxed: one of two claims; a thief that reads it has D4 by D7 */
        if (!bz_cas_relaxed(&deque->top, &t, t + 1))
            job = NULL;
    }
    /* Empty: the last taker moved top to b + 1. */
    deque->split = deque->top_seen = b + 1;
    bz_store_relaxed(&deque->public_split, b + 1); /* relaxed, both: nothing lies below */
    bz_store_relaxed(&deque->bottom, b + 1);
    request(deque); /* the next push is public at once */
    return job;
}

__attribute__((noinline)) struct bz_job *bz_deque_pop_slow(struct bz_deque *deque, int64_t bottom) {
    if (deque->alone) {
        bz_deque_pop_undo(deque, bottom);
        return NULL;
    }
    if (bottom >= deque->split)
        reconcile(deque);
    return bottom >= deque->split ? bz_deque_at(deque, bottom) : pop_public(deque, bottom);
}

BZ_COLD void bz_deque_forget_thieves(struct bz_deque *deque) {
    reconcile(deque);
    bz_store_relaxed(&deque->exposer, false); /* relaxed, both: the only thread */
    if (bz_deque_is_requested(deque))
        bz_store_relaxed(&deque->bound, 0); /* a lost thief may not have stored it */
}

/* ---- alone ---- */

/* All jobs below `top` are taken. */
static void begin_at(struct bz_deque *deque, int64_t top) {
    deque->split = deque->top_seen = top;
    bz_store_relaxed(&deque->top, top); /* relaxed, all: alone */
    bz_store_relaxed(&deque->public_split, top);
    bz_store_relaxed(&deque->fast, top);
}

void bz_deque_set_alone(struct bz_deque *deque, bool alone) {
    deque->alone = alone;
    if (!alone) {
        request(deque);
        return;
    }
    deque->stopped = false;
    begin_at(deque, bz_deque_bottom(deque));
}

bool bz_deque_take_out(struct bz_deque *deque, const struct bz_job *job) {
    int64_t newest = bz_deque_bottom(deque) - 1, at = newest;
    while (at >= deque->split && bz_deque_at(deque, at) != job)
        at--;
    if (at < deque->split)
        return false;
    for (; at < newest; at++)
        bz_store_relaxed(&deque->slots[at & deque->mask], bz_deque_at(deque, at + 1)); /* relaxed: alone */
    bz_store_relaxed(&deque->bottom, newest);
    return true;
}

struct bz_job *bz_deque_take_oldest(struct bz_deque *deque, bz_may_take *may_take, const void *arg) {
    int64_t top = deque->split;
    if (top == bz_deque_bottom(deque)) /* it may not have a buffer yet */
        return NULL;
    struct bz_job *job = bz_deque_at(deque, top);
    if (may_take && !may_take(job, arg))
        return NULL;
    begin_at(deque, top + 1);
    return job;
}

/* ---- thieves ---- */

static void request_steal(struct bz_deque *deque) {
    bz_store_relaxed(&deque->fast, BZ_DEQUE_REQUESTED); /* relaxed: before D17 */
    bz_store_release(&deque->bound, 0);                 /* D17: pairs with D17 (that there is a request) */
}

/* Raises the split to the middle of the private part. True also if the owner has written it: perhaps before it could see the
 * request. */
static bool raise_split(struct bz_deque *deque) {
    int64_t first = bz_load_relaxed(&deque->public_split), found = first; /* relaxed: the swap decides */
    int64_t asked = first | BZ_DEQUE_ASKED;
    /* D5: pairs with D1 and D15: our request replaces what the owner had stored in `fast` by then */
    if (!bz_cas_acquire(&deque->public_split, &found, asked))
        return true;
    request_steal(deque);
    bool fenced = bz_fence_others();
    int64_t bottom = bz_load_acquire(&deque->bottom); /* D14: pairs with D8, D12 and D13 */
    int64_t next = fenced && bottom > first ? first + (bottom - first + 1) / 2 : first;
    bool raised = bz_cas_release(&deque->public_split, &asked, next); /* D15: pairs with D5 */
    return !raised || next > first;
}

BZ_COLD bool bz_deque_expose_for(struct bz_deque *deque) {
    if (!bz_deque_may_be_helped(deque) ||
        bz_exchange_acquire(&deque->exposer, true)) /* D16: pairs with D16 */
        return false;
    bool again = raise_split(deque);
    bz_store_release(&deque->exposer, false); /* D16: pairs with D16 */
    return again;
}

enum bz_steal bz_deque_steal_at(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                struct bz_job **job, int64_t *index) {
    int64_t t = bz_load_relaxed(&deque->top); /* relaxed: D7 acquires */
    bz_fence_seq_cst();                       /* D7: pairs with D4 and D6: top before split */
    int64_t s = bz_deque_split_of(bz_load_acquire(&deque->public_split)); /* D5: pairs with D1 and D15 */
    if (t >= s) {
        if (!bz_deque_is_requested(deque))
            request_steal(deque);
        return BZ_STEAL_EMPTY;
    }
    struct bz_buffer *buffer = bz_load_acquire(&deque->buffer); /* D5: pairs with D3 */
    struct bz_job *found = bz_load_relaxed(&buffer->slots[t & buffer->mask]);
    if (may_take) {
        /* A larger buffer has no job at indices taken before. relaxed: D5 orders it after the owner's copy. */
        if (bz_load_relaxed(&deque->top) != t)
            return BZ_STEAL_RETRY;
        if (!may_take(found, arg))
            return BZ_STEAL_REFUSED;
    }
    if (!bz_cas_seq_cst(&deque->top, &t, t + 1)) /* D6: pairs with D2, D6 and D7 */
        return BZ_STEAL_RETRY;
    /* Again: the owner may have popped the others. */
    if (t + 1 >= bz_deque_split_of(bz_load_seq_cst(&deque->public_split))) /* D11: pairs with D4 */
        request_steal(deque);
    *job = found;
    *index = t;
    return BZ_STEAL_TAKEN;
}

/* The index of the newest job that may be taken, or -1. */
static int64_t newest_allowed(const struct bz_deque *deque, bz_may_take *may_take, const void *arg) {
    int64_t top = bz_load_relaxed(&deque->top); /* relaxed: a hint; the pops decide */
    for (int64_t i = bz_deque_bottom(deque) - 1; i >= top; i--)
        if (may_take(bz_load_relaxed(&deque->slots[i & deque->mask]), arg)) /* relaxed: own store */
            return i;
    return -1;
}

bool bz_deque_has_allowed(const struct bz_deque *deque, bz_may_take *may_take, const void *arg) {
    return may_take ? newest_allowed(deque, may_take, arg) >= 0 : bz_deque_size(deque) > 0;
}

struct bz_job *bz_deque_pick(struct bz_deque *deque, bz_may_take *may_take, const void *arg, bool *moved) {
    int64_t index = newest_allowed(deque, may_take, arg), end = bz_deque_bottom(deque), next = end;
    struct bz_job *job;
    if (index < 0)
        return NULL;
    while ((job = bz_deque_pop(deque)) && --next > index)
        ;
    next += job != NULL;
    *moved = next < end;
    /* Their slots still hold them, and there is room. If thieves took all jobs below, each moves up by one slot. */
    for (struct bz_job *above = bz_deque_at(deque, next); next < end; next++) {
        struct bz_job *following = bz_deque_at(deque, next + 1); /* read first: the push may write there */
        bz_deque_push_public(deque, above);
        above = following;
    }
    return job;
}
