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
    uint32_t generation;      /* that is complete when the word's differs */
    bool join;                /* only worker 0 waits for the completion */
    const struct bz_a32 *off; /* not zero: the meeting is called off; only in those that can be */
};

static bool is_complete(void *arg) {
    struct meeting *m = arg;
    return generation(bz_load_acquire(&m->barrier->word)) != m->generation; /* B1: pairs with B3 */
}

static void wake_others(const struct meeting *m) {
    uint32_t end = m->join ? 1 : bz_load_relaxed(&m->barrier->size);
    bz_domain_rouse_first(m->self->domain, m->self, end);
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

/* Arrives. True: that has completed the barrier, at once. The generation is for others: one worker alone has no use for
 * it. */
static bool arrive(struct meeting *m) {
    const struct bz_a32 *stirred = &m->self->domain->stirred; /* relaxed, both: as in bz_domain_quiet */
    uint32_t size = bz_load_relaxed(&m->barrier->size);
    if (size == 1 && !bz_load_relaxed(stirred))
        return true;
    uint64_t word = bz_fetch_add_acq_rel(&m->barrier->word, 1); /* B4: pairs with B2 */
    m->generation = generation(word);
    return arrivals(word) + 1 == size && !bz_load_relaxed(stirred) && try_complete(m);
}

static void meet(struct bz_barrier *barrier, struct bz_worker *self, bool join) {
    struct meeting m = {.barrier = barrier, .self = self, .join = join};
    if (arrive(&m))
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

/* ---- meetings that can be called off ---- */

static bool is_off(const struct meeting *m) {
    return bz_load_acquire(m->off) != 0; /* B5: pairs with B7 (who calls it off) */
}

static bool is_over(void *arg) {
    return is_complete(arg) || is_off(arg);
}

static bool try_over(void *arg) {
    return is_off(arg) || try_complete(arg);
}

/* Takes the arrival back, unless the meeting is complete or claimed: who has claimed it relies on all being here. */
static bool leave(const struct meeting *m) {
    uint64_t word = bz_load_acquire(&m->barrier->word); /* B1: pairs with B3 */
    while (generation(word) == m->generation) {
        if (word & CLAIMED) {
            bz_cpu_relax();
            word = bz_load_acquire(&m->barrier->word);                   /* B1: pairs with B3 */
        } else if (bz_cas_acq_rel(&m->barrier->word, &word, word - 1)) { /* B1: pairs with B3, if it fails */
            return true;
        }
    }
    return false;
}

bool bz_barrier_wait_unless(struct bz_barrier *barrier, struct bz_worker *self, const struct bz_a32 *off) {
    struct meeting m = {.barrier = barrier, .self = self, .off = off};
    if (is_off(&m))
        return false;
    if (arrive(&m))
        return true;
    struct bz_wait wait = {.done = is_over, .settle = try_over, .arg = &m};
    bz_worker_wait_until(self, &wait);
    return !leave(&m);
}
