#include "barrier.h"

#include "sleep.h"

#define ONE_GENERATION ((uint64_t)1 << 32)
#define CLAIMED ((uint64_t)1 << 31) /* beside the arrivals: no number of workers */

static uint32_t generation(uint64_t word) {
    return (uint32_t)(word >> 32);
}
static uint32_t arrivals(uint64_t word) {
    return (uint32_t)word;
}
static uint64_t next_generation(uint64_t word) {
    return (word & ~(ONE_GENERATION - 1)) + ONE_GENERATION;
}

void bz_barrier_init(struct bz_barrier *barrier, uint32_t size) {
    bz_store_relaxed(&barrier->word, 0); /* relaxed: not shared yet */
    bz_barrier_resize(barrier, size);
}

void bz_barrier_resize(struct bz_barrier *barrier, uint32_t size) {
    bz_store_relaxed(&barrier->size, size); /* relaxed: published with whatever lets the workers in */
}

/* One worker's wait. */
struct meeting {
    struct bz_barrier *barrier;
    struct bz_worker *self;
    uint32_t generation; /* that is complete when the word's differs */
    bool join;           /* only worker 0 waits for the completion */
};

static bool is_complete(void *arg) {
    struct meeting *m = arg;
    return generation(bz_load_acquire(&m->barrier->word)) != m->generation; /* B1: pairs with B3 */
}

static void wake_others(const struct meeting *m) {
    struct bz_domain *domain = m->self->domain;
    bz_fence_seq_cst(); /* S4: pairs with S3: either a sleeper is counted here or it sees the new generation */
    if (bz_counters_sleeping(bz_load_relaxed(&domain->counters.word)) == 0)
        return;
    uint32_t end = m->join ? 1 : bz_load_relaxed(&m->barrier->size);
    for (uint32_t i = 0; i < end; i++) {
        struct bz_worker *worker = bz_load_acquire(&domain->slots[i]); /* W2: pairs with W1 */
        if (worker != m->self)
            bz_domain_rouse(worker);
    }
}

/* Completes the barrier if everybody is here and nothing is left to do. True when it is complete, by whomever. Several may
 * get here at once. Whoever clears the flag claims the completion first: a second one, late, would clear what the work of
 * the next generation has set. */
static bool try_complete(void *arg) {
    struct meeting *m = arg;
    struct bz_domain *domain = m->self->domain;
    uint64_t word =
        bz_load_acquire(&m->barrier->word); /* B2: pairs with B4 (what was begun before arriving) */
    if (generation(word) != m->generation)
        return true;
    if (arrivals(word) != bz_load_relaxed(&m->barrier->size) || !bz_domain_quiet(domain))
        return false;
    if (bz_load_relaxed(&domain->stirred)) {
        if (!bz_cas_acq_rel(&m->barrier->word, &word, word | CLAIMED)) /* B1: pairs with B3, if it fails */
            return generation(word) != m->generation;
        word |= CLAIMED;
        bz_store_relaxed(&domain->stirred, 0); /* relaxed: nobody begins work before B1 has seen B3 */
    }
    if (!bz_cas_seq_cst(&m->barrier->word, &word, next_generation(word))) /* B3: pairs with B1 and B3 */
        return generation(word) != m->generation;
    wake_others(m);
    return true;
}

static void meet(struct bz_barrier *barrier, struct bz_worker *self, bool join) {
    uint64_t word = bz_fetch_add_acq_rel(&barrier->word, 1); /* B4: pairs with B2 */
    struct meeting m = {barrier, self, generation(word), join};
    if (arrivals(word) + 1 == bz_load_relaxed(&barrier->size) && !bz_load_relaxed(&self->domain->stirred) &&
        try_complete(&m))
        return;
    struct bz_wait wait = {.done = is_complete, .settle = try_complete, .arg = &m};
    bz_worker_wait_until(self, &wait);
}

void bz_barrier_wait(struct bz_barrier *barrier, struct bz_worker *self) {
    meet(barrier, self, false);
}

void bz_barrier_join(struct bz_barrier *barrier, struct bz_worker *self) {
    meet(barrier, self, true);
}
