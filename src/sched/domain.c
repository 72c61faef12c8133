#include "sched/domain.h"

#include <errno.h>

#include "os/os.h"
#include "sched/worker.h"
#include "wait/mutex.h"

/* All domains, for the child of a fork and for leak checkers there. */
static struct {
    struct bz_a32 lock;
    struct bz_domain *first;
} domains;

/* Domains made so far: written by each thread that makes one. */
static struct bz_a64 roots;

static void enlist(struct bz_domain *domain) {
    bz_mutex_lock(&domains.lock);
    domain->previous = NULL;
    domain->next = domains.first;
    if (domain->next)
        domain->next->previous = domain;
    bz_signal_fence(); /* a fork may happen at any moment: `next` before the domain */
    domains.first = domain;
    bz_mutex_unlock(&domains.lock);
}

static void unlist(struct bz_domain *domain) {
    bz_mutex_lock(&domains.lock);
    *(domain->previous ? &domain->previous->next : &domains.first) = domain->next;
    if (domain->next)
        domain->next->previous = domain->previous;
    bz_mutex_unlock(&domains.lock);
}

int bz_domain_init(struct bz_domain *domain, uint32_t capacity, uint64_t spin_ns) {
    if (capacity == 0 || capacity > BZ_DOMAIN_MAX)
        return EINVAL;
    uint32_t words = (capacity + 63) / 64; /* 64 bits hold two eventcounts */
    struct bz_worker_slot *slots = bz_alloc_zero(capacity + 2 * words, sizeof *slots);
    if (!slots)
        return ENOMEM;
    *domain = (struct bz_domain){
        .counters = {{BZ_ONE_JEC}}, /* active, all awake */
        .fenced = {1},
        .capacity = capacity,
        .root = bz_fetch_add_relaxed(&roots, 1) + 1, /* relaxed: the number alone counts */
        .spin_ns = spin_ns,
        .slots = slots,
        .queued = (struct bz_a64 *)(slots + capacity),
    };
    domain->eventcounts = (struct bz_a32 *)(domain->queued + words);
    enlist(domain);
    return 0;
}

void bz_domain_forget(void) {
    bz_store_relaxed(&domains.lock, BZ_MUTEX_FREE);
    struct bz_domain *previous = NULL;
    for (struct bz_domain *domain = domains.first; domain; domain = domain->next) {
        domain->previous = previous; /* which a lost thread had not stored */
        previous = domain;
        bz_store_relaxed(&domain->counters.word, BZ_ONE_JEC);
        bz_store_relaxed(&domain->fenced, 1);
        bz_store_relaxed(&domain->external, 0);
        bz_pqueue_mend(&domain->pqueue);
    }
}

void bz_domain_put_in_child(struct bz_domain *domain, struct bz_pqueue_item *item) {
    bz_pqueue_mend(&domain->pqueue);
    bz_pqueue_put(&domain->pqueue, item);
}

void bz_domain_keep_only(struct bz_domain *domain, struct bz_worker *self) {
    for (uint32_t i = 0; i < domain->capacity; i++)
        bz_store_relaxed(&domain->slots[i], NULL); /* relaxed, all: the only thread */
    bz_store_relaxed(&domain->slots[0], self);
    bz_store_relaxed(&domain->count, 1);
    domain->alone = domain->orphaned = true;
    domain->grouped = false; /* the groups' words count lost threads */
    bz_deque_forget_thieves(&self->deque);
}

void bz_domain_destroy(struct bz_domain *domain) {
    unlist(domain);
    bz_free(domain->slots);
    domain->slots = NULL;
}

void bz_domain_enter(struct bz_domain *domain, struct bz_worker *worker) {
    bz_store_release(&domain->slots[worker->index], worker); /* W1: pairs with W2 */
    if (bz_load_relaxed(&domain->count) <= worker->index)
        bz_store_relaxed(&domain->count, worker->index + 1); /* relaxed: W1 is enough */
}

void bz_domain_limit(struct bz_domain *domain, uint32_t count) {
    for (uint32_t i = 0; i < domain->capacity; i++) {
        struct bz_worker *worker = bz_load_relaxed(&domain->slots[i]); /* relaxed: own store */
        if (!worker)
            continue;
        bz_store_relaxed(&worker->quiet.begun, 0); /* relaxed: no thread counts while the domain is quiet */
        bz_store_relaxed(&worker->quiet.ended, 0);
        worker->quiet.last_reported = 0;
    }
    bz_store_relaxed(&domain->count, count); /* relaxed: published with the start of the next run */
}

static bool is_asleep(const struct bz_worker *worker) {
    uint32_t state = bz_load_relaxed(&worker->sleeper.latch.state); /* relaxed: a hint */
    return state == BZ_LATCH_SLEEPING || state == BZ_LATCH_SLEEPY;
}

bool bz_domain_wake_if_asleep(struct bz_worker *worker) {
    if (!is_asleep(worker))
        return false;
    bz_worker_wake(worker);
    return true;
}

void bz_domain_advance(struct bz_a32 *eventcount, uint32_t bits) {
    (void)bz_fetch_add_release(eventcount, 1); /* S12: pairs with S13 */
    bz_os_futex_wake_all_as(&eventcount->v, bits);
}

/* One call wakes 32 workers. In the child of a fork the only worker may be in another slot. */
bool bz_domain_wake_all(const struct bz_domain *domain, const struct bz_worker *self, uint32_t count) {
    struct bz_a32 *eventcount = NULL;
    uint32_t bits = 0;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        struct bz_worker *worker = bz_load_acquire(&domain->slots[i]); /* W2: pairs with W1 */
        if (!worker || worker == self || !is_asleep(worker))
            continue;
        struct bz_a32 *its = bz_domain_eventcount(domain, worker->index);
        if (bits != 0 && its != eventcount) {
            bz_domain_advance(eventcount, bits);
            bits = 0;
        }
        eventcount = its;
        bits |= bz_worker_set_latch(worker);
        any = true;
    }
    if (bits != 0)
        bz_domain_advance(eventcount, bits);
    return any;
}

BZ_COLD void bz_domain_wake_first_slow(struct bz_domain *domain, struct bz_worker *self, uint32_t count) {
    bz_fence_seq_cst(); /* S4: pairs with S3: either a sleeper is counted here or it sees the event */
    if (bz_counters_sleeping(bz_counters_post(&domain->counters)) ==
        0) /* a post: later calls are fast again */
        return;
    if (bz_domain_wake_all(domain, self, count))
        self->spin_policy = BZ_YIELD_LATE;
}

static bool wake_any(struct bz_domain *domain, struct bz_worker *self, bool filtered) {
    uint32_t count = bz_load_relaxed(&domain->count); /* relaxed: the slots decide */
    uint32_t start = self ? self->index : 0;
    for (uint32_t i = 1; i <= count; i++) {
        struct bz_worker *worker =
            bz_load_acquire(&domain->slots[(start + i) % count]); /* W2: pairs with W1 */
        if (worker && worker != self && bz_load_relaxed(&worker->sleeper.filtered) == filtered &&
            bz_domain_wake_if_asleep(worker)) {
            if (self)
                bz_count_relaxed(&self->stats.wakes); /* relaxed: statistics */
            return true;
        }
    }
    return false;
}

BZ_COLD void bz_domain_posted_slow(struct bz_domain *domain, struct bz_worker *self) {
    /* S4: pairs with S3, S5 and S8; S7: pairs with S8. A sleeper, a thread that can be started and a worker that stops its
     * search are each counted here or see the job. */
    bz_fence_seq_cst();
    uint64_t word = bz_counters_post(&domain->counters);
    unsigned sleeping = bz_counters_sleeping(word);
    if (sleeping == 0)
        return;
    /* A searching worker finds a single job; for a backlog another one wakes. */
    bool backlog = self && bz_deque_size(&self->deque) + bz_pqueue_count(&domain->pqueue) > 1;
    if (bz_counters_inactive(word) > sleeping && !backlog)
        return;
    if (wake_any(domain, self, false) || (domain->start && domain->start(domain)))
        return;
    wake_any(domain, self, true); /* filtered waiters last */
}

static bool has_work(const struct bz_domain *domain) {
    if (bz_injector_has_jobs(&domain->injector) || bz_pqueue_count(&domain->pqueue) > 0)
        return true;
    struct bz_walk walk =
        bz_walk_begin(domain, 0, bz_load_relaxed(&domain->count)); /* relaxed: the slots decide */
    for (struct bz_worker *worker; (worker = bz_walk_next(&walk));)
        if (bz_deque_has_public(&worker->deque) || bz_deque_may_be_helped(&worker->deque))
            return true;
    return false;
}

BZ_COLD void bz_domain_chain_wake(struct bz_domain *domain, struct bz_worker *self) {
    bz_fence_seq_cst(); /* S8: pairs with S4 and S7 */
    if (!has_work(domain) || wake_any(domain, self, false) || (domain->start && domain->start(domain)))
        return;
    /* Two filtered waiters could wake each other forever. */
    if (!self->sleeper.filtered.v)
        wake_any(domain, self, true);
}

BZ_COLD void bz_domain_recheck(struct bz_domain *domain, struct bz_worker *self) {
    bz_domain_fence_sleeper(domain); /* S5: pairs with S4: a poster that missed the new worker is seen here */
    if (has_work(domain))
        bz_domain_posted_slow(domain, self);
}

void bz_domain_inject(struct bz_domain *domain, struct bz_inject_node *node) {
    bz_injector_push(&domain->injector, node);
    bz_domain_posted_slow(domain, NULL);
}

void bz_domain_put(struct bz_domain *domain, struct bz_worker *self, struct bz_pqueue_item *item) {
    bz_pqueue_put(&domain->pqueue, item);
    bz_domain_posted_slow(domain, self);
}

void bz_domain_put_from_outside(struct bz_domain *domain, struct bz_pqueue_item *item) {
    bz_pqueue_put(&domain->pqueue, item);
    bz_fence_seq_cst(); /* S4: pairs with S3: either a sleeper is counted here or it sees the job */
    if (bz_counters_sleeping(bz_load_relaxed(&domain->counters.word)) == 0)
        return;
    (void)bz_domain_wake_all(domain, NULL, bz_load_relaxed(&domain->count)); /* relaxed: the slots decide */
}

void bz_domain_wait_external(struct bz_domain *domain) {
    while (bz_load_acquire(&domain->external) != 0) /* W4: pairs with W3 */
        bz_os_yield();
}

/* With one thread left: units that others took never end. */
static bool is_empty(const struct bz_domain *domain) {
    struct bz_worker *self = bz_load_relaxed(&domain->slots[0]); /* relaxed: the caller */
    return bz_deque_size(&self->deque) == 0 && bz_pqueue_count(&domain->pqueue) == 0;
}

bool bz_domain_quiet(const struct bz_domain *domain) {
    if (bz_unlikely(domain->alone))
        return is_empty(domain);
    uint32_t count = bz_load_relaxed(&domain->count); /* relaxed: published with the start of the run */
    uint64_t ended = 0, begun = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct bz_worker *worker = bz_load_acquire(&domain->slots[i]); /* W2: pairs with W1 */
        ended += worker ? bz_load_acquire(&worker->quiet.ended) : 0;   /* Q1: pairs with Q2 */
    }
    for (uint32_t i = 0; i < count; i++) {
        struct bz_worker *worker = bz_load_acquire(&domain->slots[i]); /* W2: pairs with W1 */
        begun += worker ? bz_load_relaxed(&worker->quiet.begun) : 0;   /* relaxed: made visible by Q1 */
    }
    return begun == ended;
}
