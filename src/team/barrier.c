#include "team/barrier.h"

#include "base/config.h"
#include "os/os.h"
#include "wait/competitor.h"
#include "wait/load.h"
#include "wait/spin.h"

#define ONE_PENDING ((uint64_t)1 << 16)
#define ONE_GENERATION ((uint64_t)1 << 32)
_Static_assert(BZ_DOMAIN_MAX < ONE_PENDING, "both counts hold all workers");

static uint32_t generation(uint64_t word) {
    return (uint32_t)(word >> 32);
}
static uint32_t pending(uint64_t word) {
    return (uint32_t)word >> 16;
}
static uint32_t arrivals(uint64_t word) {
    return (uint32_t)word & 0xffff;
}
static uint64_t next_generation(uint64_t word) {
    return (word & ~(ONE_GENERATION - 1)) + ONE_GENERATION;
}

void bz_barrier_abandon(struct bz_barrier *barrier) {
    bz_store_relaxed(&barrier->word,
                     next_generation(bz_load_relaxed(&barrier->word))); /* relaxed, all: the only thread */
    bz_store_relaxed(&barrier->done, next_generation(bz_load_relaxed(&barrier->done)));
}

/* One worker's wait. */
struct meeting {
    struct bz_barrier *barrier;
    struct bz_worker *self;
    uint32_t size;            /* workers that meet; read before it arrives */
    uint64_t arrival;         /* added to the word */
    struct bz_a64 *polled;    /* the barrier's word; or `done`, in groups */
    uint64_t word;            /* its generation, and counts: complete once the generation differs */
    bool join;                /* only worker 0 waits for the completion */
    const void *site;         /* in the program */
    const struct bz_a32 *off; /* or NULL; nonzero: the meeting is called off */
};

static bool is_complete(void *arg) {
    struct meeting *m = arg;
    return generation(bz_load_acquire(m->polled)) != generation(m->word); /* B1: pairs with B3 */
}

static void wake_others(const struct meeting *m) {
    bz_domain_wake_first(m->self->domain, m->self, m->join ? 1 : m->size);
}

/* Completes a meeting that all have reached after some had begun work, if all that work has ended. True: it is complete. */
static bool try_complete(void *arg) {
    struct meeting *m = arg;
    uint64_t word =
        bz_load_acquire(m->polled); /* B2: pairs with B4 and B6 (what was begun before arriving) */
    if (generation(word) != generation(m->word))
        return true;
    if (arrivals(word) != m->size || pending(word) == 0 || !bz_domain_quiet(m->self->domain))
        return false;
    if (!bz_cas_acq_rel(m->polled, &word, next_generation(word))) /* B3: pairs with B1, B3, B8 */
        return generation(word) != generation(m->word);
    wake_others(m);
    return true;
}

/* Reports whether this worker has begun work since its last arrival. */
static inline uint64_t arrival_of(struct bz_worker *self) {
    uint64_t begun = self->quiet.begun.v, has_begun = begun != self->quiet.last_reported;
    self->quiet.last_reported = begun;
    return 1 + has_begun * ONE_PENDING;
}

/* By the last to arrive, which owns the word, if no worker has begun work. */
static inline bool complete(const struct meeting *m) {
    bz_store_release(m->polled, next_generation(m->word)); /* B3: pairs with B1 and B8 */
    wake_others(m);
    return true;
}

/* Arrives in its group, whose last one carries the counts on. The last to arrive at a word resets it. */
static bool arrive_grouped(struct meeting *m) {
    struct bz_barrier *barrier = m->barrier;
    uint32_t first = m->self->index & ~((1u << BZ_GROUP_SHIFT) - 1), rest = m->size - first;
    uint32_t members = rest >> BZ_GROUP_SHIFT == 0 ? rest : 1u << BZ_GROUP_SHIFT;
    struct bz_worker *head = bz_load_relaxed(&m->self->domain->slots[first]); /* relaxed: as size_for */
    uint64_t done = bz_load_relaxed(&barrier->done); /* relaxed: it changes after this arrival */
    uint32_t mine = (uint32_t)m->arrival;
    uint32_t group = bz_fetch_add_acq_rel(&head->group_word, mine) + mine; /* B4: pairs with B4 */
    m->polled = &barrier->done;
    m->word = done | group;
    if (arrivals(group) != members)
        return false;
    bz_store_relaxed(&head->group_word, 0); /* relaxed: before the next addition */
    uint64_t all = bz_fetch_add_acq_rel(&barrier->word, group) + group; /* B4: pairs with B4 */
    if (arrivals(all) != m->size)
        return false;
    bz_store_relaxed(&barrier->word, next_generation(all)); /* relaxed: before `done` */
    m->word = done | (uint32_t)all;
    if (pending(all) == 0)
        return complete(m);
    bz_store_release(&barrier->done, m->word); /* B6: pairs with B2 */
    return false;
}

/* True: it completed the meeting. */
static inline bool arrive(struct meeting *m, bool grouped) {
    m->arrival = arrival_of(m->self);
    if (bz_unlikely(grouped))
        return arrive_grouped(m);
    m->polled = &m->barrier->word;
    m->word = bz_fetch_add_acq_rel(m->polled, m->arrival) + m->arrival; /* B4: pairs with B2 */
    return bz_unlikely((uint32_t)m->word == m->size) && complete(m);
}

/* Known without a clock. */
static inline struct bz_wait_facts facts_of(const struct meeting *m) {
    struct bz_wait_facts facts = {.class = BZ_WAIT_BARRIER,
                                  .policy = m->self->spin_policy,
                                  .chosen_ns = m->self->domain->spin_ns,
                                  .crowded = bz_crowded(),
                                  .competitor = bz_competitor_wants_parks()};
    if (bz_unlikely(facts.crowded)) {
        facts.some_here = m->size - arrivals(m->word) >= bz_cpu_count();
        facts.skips = m->self->hold_skips > 0;
    }
    return facts;
}

/* Spins on the word for a moment, unless there is work: threads with equal parts take about the same time, and a search
 * for work puts a hundred instructions between two polls. If keeping the CPU in a crowd fails, some members are missing on
 * this CPU, as in a team that is not spread evenly. */
static void spin(const struct bz_wait *wait, const struct meeting *m) {
    struct bz_worker *self = m->self;
    if (pending(m->word) != 0 || self->domain->spin_ns == 0)
        return;
    const struct bz_wait_facts facts = facts_of(m);
    uint32_t polls = bz_wait_brief(&facts);
    if (bz_wait_yields_first(&facts))
        (void)bz_competitor_yield(false);
    else if (facts.skips)
        self->hold_skips--;
    else if (polls > 0 && !wait->done(wait->arg) && !bz_spin_briefly(wait->done, wait->arg, polls, 1) &&
             facts.crowded)
        self->hold_skips = BZ_RETRY_TIMES;
}

/* A job found before the completion is of this meeting: a worker that sees a later job sees the completion (D1, D5). */
static bool is_from_before(const struct bz_job *job, const void *meeting) {
    (void)job;
    return !is_complete((void *)meeting);
}

/* An only worker runs the oldest jobs first: newer ones may wait for them. */
static void run_in_order(const struct meeting *m) {
    const struct bz_filter filter = {.oldest = true};
    struct bz_worker *self = m->self;
    struct bz_job *job;
    while (self->row.suspended == 0 &&
           !(m->off && bz_load_relaxed(m->off)) && /* relaxed: it is checked again */
           (job = bz_worker_find_anywhere(self, &filter)))
        bz_worker_run(self, job);
}

static bool is_off(const struct meeting *m) {
    return bz_load_acquire(m->off) != 0; /* B5: pairs with B7 (the thread that calls it off) */
}

static bool is_over(void *arg) {
    return is_complete(arg) || is_off(arg);
}

static bool try_over(void *arg) {
    return is_off(arg) || try_complete(arg);
}

__attribute__((noinline)) static void wait_for_others(struct meeting m) {
    struct bz_wait wait = {.done = m.off ? is_over : is_complete,
                           .slow_check = m.off ? try_over : try_complete,
                           .arg = &m,
                           .site = m.site,
                           .filter = {.may_take = is_from_before, .arg = &m, .until_over = true},
                           .what = m.join ? "the end of the region" : "a barrier"};
    if (m.size == 1)
        run_in_order(&m);
    if (wait.slow_check(&m))
        return;
    spin(&wait, &m);
    bz_worker_wait_until(m.self, &wait);
    if (bz_competitor_is_known() && m.self->index < 2) /* two are enough */
        bz_competitor_waited();
}

/* Constant until this worker has arrived. */
static inline uint32_t size_for(const struct bz_worker *self) {
    return bz_load_relaxed(&self->domain->count); /* relaxed: published with the start of the run */
}

static inline void meet(struct bz_barrier *barrier, struct bz_worker *self, bool join, const void *site) {
    struct meeting m = {.barrier = barrier, .self = self, .size = size_for(self), .join = join, .site = site};
    bool alone = m.size == 1 && self->quiet.begun.v == self->quiet.last_reported; /* without work */
    if (!alone && !arrive(&m, self->domain->grouped))
        wait_for_others(m);
}

void bz_barrier_wait(struct bz_barrier *barrier, struct bz_worker *self, const void *site) {
    meet(barrier, self, false, site);
}

void bz_barrier_join(struct bz_barrier *barrier, struct bz_worker *self, const void *site) {
    meet(barrier, self, true, site);
}

/* ---- meetings that can be called off ---- */

/* Takes the arrival and its report back. False: the meeting is complete, or about to be. */
static bool leave(const struct meeting *m) {
    uint64_t word = bz_load_acquire(&m->barrier->word); /* B8: pairs with B3 */
    while (generation(word) == generation(m->word)) {
        if (arrivals(word) == m->size && pending(word) == 0) {
            bz_os_yield();                             /* the last one has been interrupted */
            word = bz_load_acquire(&m->barrier->word); /* B8: pairs with B3 */
        } else if (bz_cas_acq_rel(&m->barrier->word, &word,
                                  word - m->arrival)) { /* B8: pairs with B3, if it fails */
            m->self->quiet.last_reported -= m->arrival >= ONE_PENDING;
            return true;
        }
    }
    return false;
}

bool bz_barrier_wait_unless(struct bz_barrier *barrier, struct bz_worker *self, const struct bz_a32 *off) {
    struct meeting m = {.barrier = barrier, .self = self, .size = size_for(self), .off = off};
    if (is_off(&m))
        return false;
    if (arrive(&m, false))
        return true;
    wait_for_others(m);
    return !leave(&m);
}
