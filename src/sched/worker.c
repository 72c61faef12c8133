#include "sched/worker.h"

#include "base/config.h"
#include "base/hooks.h"
#include "base/probe.h"
#include "os/os.h"
#include "sched/coroutine.h"
#include "sched/sleep.h"
#include "sched/stack.h"
#include "sched/views.h"

_Thread_local struct bz_worker *bz_self __attribute__((tls_model("initial-exec")));
_Thread_local void *bz_context __attribute__((tls_model("initial-exec")));

void bz_worker_init(struct bz_worker *worker, struct bz_domain *domain, unsigned index) {
    *worker = (struct bz_worker){.domain = domain, .index = index};
    bz_rng_seed(&worker->rng, index);
    bz_deque_init(&worker->deque, BZ_DEQUE_CAPACITY);
    bz_deque_mark(&worker->deque, domain->queued, index);
    if (bz_unlikely(domain->start && bz_hooks)) /* in a pool */
        bz_deque_begin_slow_pops(&worker->deque);
}

void bz_worker_retire(struct bz_worker *worker) {
    if (worker->release)
        worker->release(worker->context);
    worker->release = NULL;
    worker->context = NULL;
    if (worker == bz_self)
        bz_become(worker);
}

void bz_worker_destroy(struct bz_worker *worker) {
    bz_worker_retire(worker);
    bz_stack_destroy(worker->stack.more);
    bz_coroutines_destroy(worker->row.coroutines);
    bz_slabs_destroy(&worker->slabs);
    bz_deque_destroy(&worker->deque);
}

uint32_t bz_worker_set_latch(struct bz_worker *worker) {
    struct bz_domain *domain = worker->domain;
    uint32_t bit = bz_domain_event_bit(worker->index);
    if (worker->predictor &&
        bz_load_relaxed(&worker->sleeper.latch.state) == BZ_LATCH_SLEEPING) /* relaxed, both: hints */
        bz_store_relaxed(&worker->sleeper.woken, bz_os_now_ns());
    if (!bz_core_latch_set(&worker->sleeper.latch))
        return 0;
    bz_counters_sub_sleeping(&domain->counters);
    return bit;
}

void bz_worker_wake(struct bz_worker *worker) {
    struct bz_a32 *eventcount = bz_domain_eventcount(worker->domain, worker->index);
    uint32_t bit = bz_worker_set_latch(worker); /* the worker may be gone afterwards */
    if (bit != 0)
        bz_domain_advance(eventcount, bit);
}

__attribute__((noinline)) struct bz_job *bz_worker_pop_slow(struct bz_worker *self, int64_t bottom) {
    struct bz_job *job = bz_deque_pop_slow(&self->deque, bottom);
    if (bz_deque_wanted(&self->deque))
        bz_worker_answer(self);
    return job;
}

__attribute__((noinline)) struct bz_job *bz_worker_pop_if_slow(struct bz_worker *self, int64_t at,
                                                               bz_may_take *may_take, const void *arg) {
    struct bz_deque *deque = &self->deque;
    if (at >= bz_load_relaxed(&deque->top) && may_take(bz_deque_at(deque, at), arg)) /* relaxed: own store */
        return bz_worker_pop_slow(self, at);
    bz_deque_pop_undo(deque, at);
    return NULL;
}

__attribute__((noinline)) void bz_worker_answer(struct bz_worker *self) {
    if (bz_deque_expose(&self->deque))
        bz_worker_notify(self);
}

__attribute__((noinline)) void bz_worker_put_requested(struct bz_worker *self, struct bz_job *job) {
    if (bz_deque_put_requested(&self->deque, job))
        bz_worker_notify(self);
}

static struct bz_job *steal_from(struct bz_worker *self, struct bz_worker *victim,
                                 const struct bz_filter *filter) {
    struct bz_job *job = NULL;
    int64_t index;
    while (bz_deque_steal_at(&victim->deque, filter->may_take, filter->arg, &job, &index) == BZ_STEAL_RETRY)
        bz_cpu_relax(); /* another thread took one: progress was made */
    if (job) {
        self->running.theft = (struct bz_theft){victim, index};
        BZ_PROBE2(steal, self, victim);
        bz_count_relaxed(&self->stats.stolen); /* relaxed, all: statistics */
        self->sleeper.stole = true;
    }
    return job;
}

/* Polls other workers that may have a job, from a random one on; or the filter's victim. */
static struct bz_job *steal(struct bz_worker *self, const struct bz_filter *filter) {
    if (filter->victim == self)
        return NULL;
    bz_count_relaxed(&self->stats.tries);
    if (filter->victim)
        return steal_from(self, filter->victim, filter);
    uint32_t count = bz_load_relaxed(&self->domain->count); /* relaxed: the slots decide */
    if (count < 2)
        return NULL;
    struct bz_job *job = NULL;
    struct bz_walk walk = bz_walk_begin(self->domain, bz_rng_below(&self->rng, count), count);
    for (struct bz_worker *victim; !job && (victim = bz_walk_next(&walk));)
        if (victim != self)
            job = steal_from(self, victim, filter);
    return job;
}

struct bz_job *bz_worker_take_injected(struct bz_worker *self) {
    struct bz_injector *injector = &self->domain->injector;
    struct bz_inject_node *node = bz_injector_take(injector);
    if (!node)
        return NULL;
    bz_count_relaxed(&self->stats.injected);
    if (bz_injector_has_jobs(injector))
        bz_worker_notify(self); /* they were hidden while we took: a search may have missed them */
    return &node->job;
}

static inline bool polls_pqueue(const struct bz_worker *self, const struct bz_filter *filter) {
    return bz_unlikely(bz_pqueue_count(&self->domain->pqueue) != 0) && !filter->own_only && !filter->victim;
}

bool bz_worker_pqueue_has_allowed(struct bz_worker *self, const struct bz_filter *filter) {
    return polls_pqueue(self, filter) &&
           bz_pqueue_has_allowed(&self->domain->pqueue, filter->may_take, filter->arg);
}

/* ---- with coroutines suspended ---- */

/* A filter, and the suspended coroutines' rule. */
struct both {
    const struct bz_filter *filter;
    struct bz_worker *self;
    bool asked, any;  /* the rule is known; it allows some jobs */
    const void *rule; /* these */
    bool kept_out;    /* the rule has refused a job */
};

static bool any_may_begin(struct both *both) {
    struct bz_worker *self = both->self;
    if (!both->asked)
        both->any = self->row.coroutines->layer->may_any_begin(self, &both->rule);
    both->asked = true;
    return both->any;
}

static bool both_allow(const struct bz_job *job, const void *arg) {
    struct both *both = (struct both *)arg;
    const struct bz_filter *filter = both->filter;
    const struct bz_coroutines *coroutines = both->self->row.coroutines;
    if (filter->may_take && !filter->may_take(job, filter->arg))
        return false;
    if (!coroutines || (any_may_begin(both) && coroutines->layer->may_begin(job, both->rule)))
        return true;
    both->kept_out = true;
    return false;
}

/* Whether the rule refuses all jobs, and the filter allows one in its deque: then none need be inspected. */
static bool all_kept_out(struct both *both) {
    const struct bz_worker *self = both->self;
    const struct bz_filter *filter = both->filter;
    return self->row.suspended > 0 && bz_deque_has_allowed(&self->deque, filter->may_take, filter->arg) &&
           !any_may_begin(both);
}

static struct bz_job *pick_newest(struct bz_worker *self, const struct bz_filter *checked) {
    bool moved = false;
    struct bz_job *job = bz_deque_pick(&self->deque, checked->may_take, checked->arg, &moved);
    if (moved) /* thieves may have missed jobs */
        bz_worker_notify(self);
    return job;
}

static struct bz_job *pick_oldest(struct bz_worker *self, const struct bz_filter *checked) {
    struct bz_job *job = NULL;
    if (self->deque.alone)
        return bz_deque_take_oldest(&self->deque, checked->may_take, checked->arg);
    if (bz_deque_expose_all(&self->deque))
        bz_worker_notify(self);
    while (bz_deque_steal(&self->deque, checked->may_take, checked->arg, &job) == BZ_STEAL_RETRY)
        bz_cpu_relax();
    return job;
}

static struct bz_job *pick_own(struct bz_worker *self, const struct bz_filter *checked) {
    struct bz_job *job = checked->oldest ? pick_oldest(self, checked) : NULL;
    if (!job)
        job = pick_newest(self, checked);
    return job || checked->oldest ? job : pick_oldest(self, checked);
}

/* ---- searching ---- */

/* Urgent jobs come before its own but for one search in BZ_INJECT_FAIR, others in one of BZ_INJECT_INTERVAL. */
static struct bz_job *take_before_own(struct bz_worker *self) {
    unsigned turn = ++self->stats.turns;
    bool urgent = bz_injector_has_priority(&self->domain->injector, BZ_INJECT_HIGH);
    bool takes = bz_unlikely(urgent) ? turn % BZ_INJECT_FAIR != 0 : turn % BZ_INJECT_INTERVAL == 0;
    return bz_unlikely(takes) ? bz_worker_take_injected(self) : NULL;
}

static inline struct bz_job *pop_own(struct bz_worker *self, const struct bz_filter *filter) {
    int64_t index = bz_deque_bottom(&self->deque) - 1;
    struct bz_job *job = index >= filter->floor ? bz_worker_pop(self) : NULL;
    if (bz_unlikely(self->views.top) && job)
        (void)bz_views_set_aside(self, index);
    return job;
}

/* picks: own jobs are inspected one by one. */
BZ_INLINE struct bz_job *find(struct bz_worker *self, const struct bz_filter *filter, bool picks) {
    struct bz_job *job = NULL;
    if (polls_pqueue(self, filter) &&
        (job = bz_pqueue_take(&self->domain->pqueue, filter->may_take, filter->arg)))
        return job;
    if (!picks && filter->injected && (job = take_before_own(self)))
        return job;
    job = picks ? pick_own(self, filter) : pop_own(self, filter);
    if (!job && !filter->own_only)
        job = steal(self, filter);
    return job || !filter->injected || filter->own_only ? job : bz_worker_take_injected(self);
}

BZ_COLD struct bz_job *bz_worker_find_anywhere(struct bz_worker *self, const struct bz_filter *filter) {
    if (filter->own_only && !filter->may_take)
        return bz_deque_bottom(&self->deque) > filter->floor ? bz_worker_pop(self) : NULL;
    struct both both = {.filter = filter, .self = self};
    if (all_kept_out(&both)) {
        self->row.coroutines->layer->kept_out(self);
        return NULL;
    }
    struct bz_filter checked = *filter;
    checked.may_take = both_allow;
    checked.arg = &both;
    struct bz_job *job = find(self, &checked, true);
    if (!job && both.kept_out)
        self->row.coroutines->layer->kept_out(self);
    return job;
}

struct bz_job *bz_worker_find(struct bz_worker *self, const struct bz_filter *filter) {
    if (bz_unlikely(self->row.suspended != 0 || (filter->floor == BZ_FLOOR_MIXED && !filter->own_only)))
        return bz_worker_find_anywhere(self, filter);
    return find(self, filter, false);
}

/* ---- exposing from outside ---- */

/* If jobs are public, thieves take these first, or the filter refuses them and all behind them. */
static bool expose_for(struct bz_worker *self, struct bz_worker *victim) {
    if (victim == self || bz_deque_has_public(&victim->deque) || !bz_deque_expose_for(&victim->deque))
        return false;
    bz_worker_notify(self); /* there may be enough for others */
    return true;
}

bool bz_worker_expose_others(struct bz_worker *self, const struct bz_filter *filter) {
    if (filter->own_only)
        return false;
    if (filter->victim)
        return expose_for(self, filter->victim);
    uint32_t count = bz_load_relaxed(&self->domain->count); /* relaxed: the slots decide */
    bool any = false;
    struct bz_walk walk = bz_walk_begin(self->domain, bz_rng_below(&self->rng, count), count);
    for (struct bz_worker *victim; !(any && !filter->may_take) && (victim = bz_walk_next(&walk));)
        any |= expose_for(self, victim);
    return any;
}

static struct bz_job *find_hidden(struct bz_worker *self, const struct bz_filter *filter,
                                  const struct bz_idle *idle) {
    struct bz_job *job = bz_worker_find(self, filter);
    if (job || !bz_idle_exposes(idle) || !bz_worker_expose_others(self, filter))
        return job;
    return bz_worker_find(self, filter);
}

/* ---- waiting ---- */

/* Whether any job may run in the wait. */
static bool is_open(const struct bz_filter *filter) {
    return (!filter->may_take || filter->until_over) && !filter->victim && !filter->own_only;
}

void bz_worker_note_wait(struct bz_worker *self, const struct bz_spin *spin) {
    self->spin_policy = spin->handed_over ? BZ_YIELD_EARLY : BZ_YIELD_USUAL;
    self->doublings = spin->handed_over ? 0 : (uint8_t)spin->doublings;
    self->handed_over = spin->handed_over ? self->handed_over + 1 : 0;
    if (self->handed_over > 0 && self->handed_over % BZ_MEETINGS == 0)
        bz_placement_meet(&self->placement);
}

/* Until there is a job or the wait is over (NULL). It counts as searching, since posters rely on it, unless it is a filtered
 * waiter; but only after a while: that changes a line that all workers need. */
static struct bz_job *search(struct bz_worker *self, struct bz_wait *wait) {
    struct bz_idle idle = {.spin = {.facts.policy = self->spin_policy, .doublings = self->doublings}};
    struct bz_job *job = NULL;
    const struct bz_filter *filter = &wait->filter;
    bool filtered = !is_open(filter);
    bz_store_relaxed(&self->sleeper.filtered, filtered); /* relaxed: a hint to wakers */
    /* Jobs there that its filter refuses are for others. */
    if (bz_deque_expose_all(&self->deque))
        bz_worker_notify(self);
    bool counted = false, failed = false;
    self->awaited.what = wait->what;
    while (!bz_wait_over(wait)) {
        if (!counted && !filtered && (idle.announced || idle.spin.rounds >= BZ_POLLS)) {
            bz_counters_add_inactive(&self->domain->counters);
            counted = true;
        }
        bz_sleep_no_work(self, &idle, wait);
        failed = true;
        if (wait->done(wait->arg) || (job = find_hidden(self, filter, &idle)))
            break;
    }
    if (failed)
        bz_worker_note_wait(self, &idle.spin);
    if (idle.woken && filter->injected)
        self->spin_policy = BZ_YIELD_EARLY; /* its waker may wait for this job, and for this CPU */
    if (counted)
        bz_domain_stop_searching(self->domain, self);
    bz_sleep_learn(self, &idle);
    return job;
}

void bz_worker_wait_until(struct bz_worker *self, struct bz_wait *wait) {
    while (!wait->done(wait->arg)) {
        struct bz_job *job = bz_worker_find(self, &wait->filter);
        if (job || (self->row.suspended == 0 && (job = search(self, wait)))) {
            self->awaited.what = NULL;
            if (bz_unlikely(self->views.aside))
                bz_views_run(self, job);
            else
                bz_worker_run(self, job);
        }
        if (bz_unlikely(self->row.suspended != 0)) { /* they end before it may sleep */
            self->awaited.what = wait->what;
            bz_coroutine_yield(self, is_open(&wait->filter));
        }
    }
    self->awaited.what = NULL;
}
