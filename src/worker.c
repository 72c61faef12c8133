#include "worker.h"

#include "config.h"
#include "os/os.h"
#include "sleep.h"

_Thread_local struct bz_worker *bz_self __attribute__((tls_model("initial-exec")));

int bz_worker_init(struct bz_worker *worker, struct bz_domain *domain, unsigned index) {
    *worker = (struct bz_worker){.domain = domain, .index = index};
    bz_cells_init(&worker->cells);
    bz_rng_seed(&worker->rng, index);
    return bz_deque_init(&worker->deque, BZ_DEQUE_CAPACITY);
}

void bz_worker_retire(struct bz_worker *worker) {
    if (worker->release)
        worker->release(worker->context);
    worker->release = NULL;
    worker->context = NULL;
}

void bz_worker_destroy(struct bz_worker *worker) {
    bz_worker_retire(worker);
    if (worker->apart)
        bz_worker_destroy_apart(worker->apart);
    bz_cells_destroy(&worker->cells);
    bz_deque_destroy(&worker->deque);
}

void bz_worker_wake(struct bz_worker *worker) {
    struct bz_domain *domain = worker->domain;
    if (!bz_core_latch_set(&worker->latch))
        return;
    bz_counters_sub_sleeping(&domain->counters);
    bz_os_futex_wake(&worker->latch.state.v, 1);
}

static struct bz_job *steal_from(struct bz_worker *self, struct bz_worker *victim,
                                 const struct bz_filter *filter) {
    struct bz_job *job = NULL;
    bz_store_relaxed(&self->stats.tries, self->stats.tries.v + 1); /* relaxed: single writer, statistics */
    while (bz_deque_steal(&victim->deque, filter->may_take, filter->arg, &job) == BZ_STEAL_RETRY)
        bz_cpu_relax(); /* somebody else took one: progress was made */
    if (job) {
        self->robbed = victim;
        bz_store_relaxed(&self->stats.stolen, self->stats.stolen.v + 1); /* relaxed: as above */
    }
    return job;
}

/* Looks once at every other worker of the domain, from a random one on. */
static struct bz_job *steal(struct bz_worker *self, const struct bz_filter *filter) {
    uint32_t count = bz_load_acquire(&self->domain->count); /* W2: pairs with W1 */
    if (count < 2)
        return NULL;
    uint32_t start = bz_rng_below(&self->rng, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = start + i < count ? start + i : start + i - count;
        struct bz_worker *victim = bz_load_acquire(&self->domain->slots[at]); /* W2: pairs with W1 */
        if (!victim || victim == self)
            continue;
        struct bz_job *job = steal_from(self, victim, filter);
        if (job)
            return job;
    }
    return NULL;
}

/* The oldest injected job; a few more go to the own deque, for others to steal, newest first so that they are popped in
 * order. What finds no room there runs here and now. */
static struct bz_job *take_injected(struct bz_worker *self) {
    struct bz_inject_node *first = bz_injector_take(&self->domain->injector, BZ_INJECT_BATCH);
    if (!first)
        return NULL;
    struct bz_inject_node *batch[BZ_INJECT_BATCH];
    unsigned n = 0;
    for (struct bz_inject_node *node = first->next; node; node = node->next)
        batch[n++] = node;
    bz_store_relaxed(&self->stats.injected, self->stats.injected.v + n + 1); /* relaxed: statistics */
    while (n > 0)
        if (!bz_worker_push_public(self, &batch[--n]->job))
            bz_worker_run(self, &batch[n]->job);
    return &first->job;
}

/* Whether it is worth a look; the shelf is nearly always empty. */
static inline bool looks_at_shelf(const struct bz_worker *self, const struct bz_filter *filter) {
    return bz_unlikely(bz_shelf_count(&self->domain->shelf) != 0) && !filter->own_only && !filter->victim;
}

bool bz_worker_shelf_offers(struct bz_worker *self, const struct bz_filter *filter) {
    return looks_at_shelf(self, filter) &&
           bz_shelf_offers(&self->domain->shelf, filter->may_take, filter->arg);
}

struct bz_job *bz_worker_find(struct bz_worker *self, const struct bz_filter *filter) {
    struct bz_job *job = NULL;
    if (looks_at_shelf(self, filter) &&
        (job = bz_shelf_take(&self->domain->shelf, filter->may_take, filter->arg)))
        return job;
    if (filter->injected && ++self->ticks % BZ_INJECT_INTERVAL == 0 && (job = take_injected(self)))
        return job;
    if (self->deque.bottom > filter->floor && (job = bz_worker_pop(self)))
        return job;
    if (filter->own_only)
        return NULL;
    if (filter->victim)
        job = filter->victim != self ? steal_from(self, filter->victim, filter) : NULL;
    else
        job = steal(self, filter);
    if (!job && filter->injected)
        job = take_injected(self);
    return job;
}

/* Looks for a job until there is one or the wait is over (NULL). That posters rely on it is not worth two changes of a line
 * that all workers need before it has looked for a while: most waits end before. */
static struct bz_job *look(struct bz_worker *self, struct bz_wait *wait) {
    struct bz_idle idle = {0};
    struct bz_job *job = NULL;
    const struct bz_filter *filter = &wait->filter;
    bool picky = (filter->may_take && !filter->until_over) || filter->victim || filter->own_only;
    bz_store_relaxed(&self->picky, picky); /* relaxed: a hint to wakers */
    /* Its own jobs that the filter keeps from it are for others: it does not look at its deque any more. */
    if (bz_deque_publish_all(&self->deque))
        bz_worker_notify(self);
    bool counted = false;
    while (!bz_wait_over(wait)) {
        if (!picky && !counted && (idle.announced || idle.rounds >= BZ_LOOK_ROUNDS)) {
            bz_domain_start_looking(self->domain);
            counted = true;
        }
        bz_sleep_no_work(self, &idle, wait);
        if (wait->done(wait->arg) || (job = bz_worker_find(self, filter)))
            break;
    }
    if (counted)
        bz_domain_stop_looking(self->domain, self);
    return job;
}

void bz_worker_wait_until(struct bz_worker *self, struct bz_wait *wait) {
    while (!wait->done(wait->arg)) {
        struct bz_job *job = bz_worker_find(self, &wait->filter);
        if (job || (job = look(self, wait)))
            bz_worker_run(self, job);
    }
}
