#include "sched/coroutine.h"

#include "base/config.h"
#include "os/os.h"
#include "sched/stack.h"
#include "sched/worker.h"

/* Of a worker: each takes address space and at least two pages. */
enum { STACKS_MOST = 1024 };

/* With n suspended coroutines, a new job begins after n divided by this, and one more, have resumed: so all advance. */
enum { YIELDS_PER_NEW = 4 };

/* Rounds of the row after which a worker yields its CPU to other threads: some microseconds. */
enum { CPU_ROUNDS = 64 };

/* ---- the row ---- */

static void row_add(struct bz_worker *self, struct bz_coroutine *coroutine) {
    struct bz_coroutines *coroutines = self->row.coroutines;
    coroutine->next = NULL;
    coroutine->previous = coroutines->last;
    if (coroutines->last)
        coroutines->last->next = coroutine;
    else
        coroutines->first = coroutine;
    coroutines->last = coroutine;
    self->row.suspended++;
}

static struct bz_coroutine *row_take(struct bz_worker *self, struct bz_coroutine *coroutine) {
    struct bz_coroutines *coroutines = self->row.coroutines;
    if (coroutine->previous)
        coroutine->previous->next = coroutine->next;
    else
        coroutines->first = coroutine->next;
    if (coroutine->next)
        coroutine->next->previous = coroutine->previous;
    else
        coroutines->last = coroutine->previous;
    self->row.suspended--;
    return coroutine;
}

/* ---- stacks ---- */

/* Frees unused stacks, on none of which the caller runs, but for that many. */
static void trim(struct bz_coroutines *coroutines, unsigned most) {
    while (coroutines->spare > most) {
        struct bz_coroutine *coroutine = coroutines->unused;
        coroutines->unused = coroutine->next;
        coroutines->spare--;
        coroutines->made--;
        bz_fiber_destroy(&coroutine->fiber);
        bz_os_free(coroutine, sizeof *coroutine);
    }
}

/* `from` is in its place, wherever that is; `to` is in none. Returns when `from` runs again. */
static void change(struct bz_worker *self, struct bz_coroutine *from, struct bz_coroutine *to) {
    self->row.coroutines->running = to;
    self->stack.limit = to->stack_limit;
    bz_fiber_switch(&from->fiber, &to->fiber);
}

static void coroutine_main(void *arg) {
    struct bz_coroutine *coroutine = arg;
    struct bz_worker *self = bz_self; /* for good: a coroutine stays with its worker */
    struct bz_coroutines *coroutines = self->row.coroutines;
    for (;;) {
        bz_os_set_control(coroutine->control);
        bz_worker_run(self, coroutine->job);
        coroutine->next = coroutines->unused;
        coroutines->unused = coroutine;
        coroutines->spare++;
        change(self, coroutine, row_take(self, coroutines->last));
    }
}

static struct bz_coroutine *coroutine_new(struct bz_worker *self) {
    struct bz_coroutines *coroutines = self->row.coroutines;
    struct bz_coroutine *coroutine = coroutines->unused;
    if (coroutine) {
        coroutines->unused = coroutine->next;
        coroutines->spare--;
        return coroutine;
    }
    if (coroutines->made >= STACKS_MOST || !(coroutine = bz_os_alloc(sizeof *coroutine)))
        return NULL;
    if (bz_fiber_init(&coroutine->fiber, bz_stack_size(), coroutine_main, coroutine)) {
        bz_os_free(coroutine, sizeof *coroutine);
        return NULL;
    }
    coroutine->stack_limit = bz_fiber_stack_limit(&coroutine->fiber);
    coroutines->made++;
    return coroutine;
}

bool bz_coroutines_prepare(struct bz_worker *self, const struct bz_coroutines_layer *layer) {
    if (bz_likely(self->row.coroutines))
        return true;
    struct bz_coroutines *coroutines = bz_os_alloc(sizeof *coroutines);
    if (!coroutines)
        return false;
    coroutines->layer = layer;
    coroutines->running = &coroutines->own;
    self->row.coroutines = coroutines;
    return true;
}

void bz_coroutines_destroy(struct bz_coroutines *coroutines) {
    if (!coroutines)
        return;
    trim(coroutines, 0);
    bz_os_free(coroutines, sizeof *coroutines);
}

/* ---- coroutines ---- */

/* Suspends the running one, for `to`. */
static void suspend(struct bz_worker *self, struct bz_coroutine *to, bool open) {
    struct bz_coroutines *coroutines = self->row.coroutines;
    struct bz_coroutine *from = coroutines->running;
    const char *awaits = self->awaited.what;
    from->kept = coroutines->layer->leave(self);
    from->open = open;
    from->stack_limit = self->stack.limit;
    row_add(self, from);
    self->awaited.what = NULL;
    change(self, from, to);
    self->awaited.what = awaits;
    trim(coroutines, BZ_COROUTINES_SPARE);
    coroutines->layer->enter(self, from->kept);
}

bool bz_coroutine_new_is_due(const struct bz_worker *self) {
    return self->row.suspended == 0 || self->row.coroutines->since > self->row.suspended / YIELDS_PER_NEW;
}

bool bz_coroutine_begin(struct bz_worker *self, struct bz_job *job, bool open) {
    struct bz_coroutine *coroutine = coroutine_new(self);
    if (!coroutine)
        return false;
    coroutine->job = job;
    coroutine->control = bz_os_control();
    self->row.coroutines->since = 0;
    suspend(self, coroutine, open);
    return true;
}

void bz_coroutines_yield_cpu(struct bz_worker *self) {
    struct bz_coroutines *coroutines = self->row.coroutines;
    if (++coroutines->round < (self->row.suspended + 1) * CPU_ROUNDS)
        return;
    coroutines->round = 0;
    bz_os_yield();
}

bool bz_coroutine_is_alone(struct bz_worker *self) {
    const struct bz_domain *domain = self->domain;
    if (self->row.suspended != 0 || !self->row.coroutines || bz_deque_size(&self->deque) > 0 ||
        bz_pqueue_count(&domain->pqueue) != 0 ||
        bz_load_relaxed(&domain->count) > 1) /* relaxed: a worker that enters now could have come later */
        return false;
    bz_coroutines_yield_cpu(self);
    return true;
}

bool bz_coroutine_yield(struct bz_worker *self, bool open) {
    self->row.coroutines->since++;
    if (self->row.suspended == 0)
        return false;
    bz_coroutines_yield_cpu(self);
    suspend(self, row_take(self, self->row.coroutines->first), open);
    return true;
}
