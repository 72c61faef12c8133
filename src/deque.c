#include "deque.h"

#include <errno.h>
#include <stdlib.h>

#include "config.h"
#include "sanitizer.h"

static struct bz_buffer *buffer_new(int64_t capacity) {
    if (capacity > INT64_MAX / (int64_t)sizeof(struct bz_slot) / 2)
        return NULL;
    struct bz_buffer *buffer = malloc(sizeof *buffer + (size_t)capacity * sizeof(struct bz_slot));
    if (buffer) {
        buffer->older = NULL;
        buffer->mask = capacity - 1;
    }
    return buffer;
}

static void keep_buffer(struct bz_deque *deque, struct bz_buffer *buffer) {
    deque->buffer_own = buffer;
    deque->mask = buffer->mask;
    deque->slots = buffer->slots;
}

int bz_deque_init(struct bz_deque *deque, int64_t capacity) {
    struct bz_buffer *buffer = buffer_new(capacity);
    if (!buffer)
        return ENOMEM;
    deque->bottom = deque->split = 0;
    deque->limit = capacity;
    keep_buffer(deque, buffer);
    bz_store_relaxed(&deque->top, 0); /* relaxed: the deque is not shared yet */
    bz_store_relaxed(&deque->hungry, 1);
    bz_store_relaxed(&deque->public_split, 0);
    bz_store_relaxed(&deque->buffer, buffer);
    return 0;
}

void bz_deque_destroy(struct bz_deque *deque) {
    for (struct bz_buffer *buffer = deque->buffer_own; buffer;) {
        struct bz_buffer *older = buffer->older;
        bz_free(buffer);
        buffer = older;
    }
    deque->buffer_own = NULL;
}

BZ_COLD bool bz_deque_make_room(struct bz_deque *deque) {
    struct bz_buffer *old = deque->buffer_own;
    int64_t capacity = old->mask + 1;
    if (deque->limit == 0)
        return false;
    /* A slot may be written again once top has passed it: acquire, so that the thief's read of the slot came before. */
    int64_t top = bz_load_acquire(&deque->top); /* D2: pairs with D6 */
    deque->limit = top + capacity;
    if (deque->bottom < deque->limit)
        return true;
    struct bz_buffer *new = buffer_new(2 * capacity);
    if (!new)
        return false;
    for (int64_t i = top; i < deque->bottom; i++)
        bz_store_relaxed(&new->slots[i & new->mask], bz_load_relaxed(&old->slots[i & old->mask])); /* by D3 */
    new->older = old;
    keep_buffer(deque, new);
    bz_store_release(&deque->buffer, new); /* D3: pairs with D5 (the copied slots) */
    deque->limit = top + 2 * capacity;
    return true;
}

BZ_COLD bool bz_deque_publish(struct bz_deque *deque) {
    int64_t private = deque->bottom - deque->split;
    if (private <= 0 ||
        !bz_load_acquire(&deque->hungry)) /* D9: pairs with D10 (a hungry thief's announcement) */
        return false;                     /* nothing to give: stay hungry, the next push publishes */
    int64_t first = deque->split;
    deque->split += (private + 1) / 2;
    for (int64_t i = first; bz_unlikely(bz_tsan) && i < deque->split; i++)
        bz_tsan_before(bz_load_relaxed(&deque->slots[i & deque->mask])); /* relaxed: own store */
    /* Sated first: what the thief that takes the last of them stores comes later. relaxed: ordered by D1.
     * Under ThreadSanitizer never sated: what comes after a push is not told with it. */
    bz_store_relaxed(&deque->hungry, bz_tsan);
    bz_store_release(&deque->public_split, deque->split); /* D1: pairs with D5 */
    return true;
}

__attribute__((noinline)) struct bz_job *bz_deque_pop_public(struct bz_deque *deque) {
    int64_t b = deque->bottom - 1;
    struct bz_job *job = NULL;
    deque->split = b;
    bz_store_release(&deque->public_split, b); /* D1: pairs with D5 (still the jobs below b) */
    /* D4: pairs with D7 and D11: either we see the thief's top or it our split. */
    bz_fence_seq_cst();
    int64_t t = bz_load_relaxed(&deque->top);
    if (t <= b) {
        job = bz_load_relaxed(&deque->slots[b & deque->mask]); /* relaxed: own store */
        if (t < b) {
            deque->bottom = b;
            return job;
        }
        if (!bz_cas_seq_cst(&deque->top, &t,
                            t + 1)) /* D6: pairs with D6 (the thief that wants the last one) */
            job = NULL;
    }
    /* Empty now: the indices meet at top, which the last taker moved to b + 1. */
    deque->bottom = deque->split = b + 1;
    bz_store_release(&deque->public_split, b + 1); /* D1: pairs with D5 */
    bz_store_relaxed(&deque->hungry,
                     1); /* relaxed: own hint; the next push is the only job: public at once */
    return job;
}

enum bz_steal bz_deque_steal_at(struct bz_deque *deque, bz_may_take *may_take, const void *arg,
                                struct bz_job **job, int64_t *index) {
    int64_t t = bz_load_acquire(&deque->top);          /* D8: pairs with D6 */
    bz_fence_seq_cst();                                /* D7: pairs with D4: top before split */
    int64_t s = bz_load_acquire(&deque->public_split); /* D5: pairs with D1 */
    if (t >= s) {
        if (!bz_load_relaxed(&deque->hungry))    /* relaxed: a hint */
            bz_store_release(&deque->hungry, 1); /* D10: pairs with D9 */
        return BZ_STEAL_EMPTY;
    }
    struct bz_buffer *buffer = bz_load_acquire(&deque->buffer); /* D5: pairs with D3 */
    struct bz_job *found = bz_load_relaxed(&buffer->slots[t & buffer->mask]);
    if (may_take) {
        /* A buffer that has grown meanwhile holds nothing at indices that were taken before. relaxed: D5 orders it after
         * the owner's look at top when it copied. */
        if (bz_load_relaxed(&deque->top) != t)
            return BZ_STEAL_RETRY;
        if (!may_take(found, arg))
            return BZ_STEAL_REFUSED;
    }
    if (!bz_cas_seq_cst(&deque->top, &t, t + 1)) /* D6: pairs with D2, D6 and D8 */
        return BZ_STEAL_RETRY;
    /* Looked at again: the owner may have popped the others that we saw. */
    if (t + 1 >= bz_load_seq_cst(&deque->public_split)) /* D11: pairs with D4 */
        bz_store_release(&deque->hungry, 1);            /* D10: pairs with D9 */
    *job = found;
    *index = t;
    return BZ_STEAL_TAKEN;
}

/* The index of the newest one that may be taken, or -1. Thieves may be taking the oldest meanwhile. */
static int64_t newest_allowed(const struct bz_deque *deque, bz_may_take *may_take, const void *arg) {
    int64_t top = bz_load_relaxed(&deque->top); /* relaxed: a hint; the pops decide */
    for (int64_t i = deque->bottom - 1; i >= top; i--)
        if (may_take(bz_load_relaxed(&deque->slots[i & deque->mask]), arg)) /* relaxed: own store */
            return i;
    return -1;
}

struct bz_job *bz_deque_pick(struct bz_deque *deque, bz_may_take *may_take, const void *arg, bool *moved) {
    struct bz_job *few[BZ_PICK_FEW], **above = few;
    int64_t index = newest_allowed(deque, may_take, arg);
    size_t count = 0;
    if (index < 0)
        return NULL;
    int64_t pops = deque->bottom - index;
    if (pops > BZ_PICK_FEW && !(above = malloc((size_t)pops * sizeof(struct bz_job *))))
        return NULL;
    struct bz_job *job = bz_deque_pop(deque);
    while (job && --pops > 0) {
        above[count++] = job;
        job = bz_deque_pop(deque);
    }
    *moved = count > 0;
    while (count > 0) /* there is room: they were here before */
        bz_deque_push_public(deque, above[--count]);
    if (above != few)
        free(above);
    return job;
}
