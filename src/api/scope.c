#include "api/scope.h"

#include "base/hooks.h"
#include "base/sanitizer.h"
#include "env/error.h"
#include "pool/pool.h"
#include "pool/spawn.h"
#include "pool/token.h"
#include "sched/views.h"

_Static_assert(sizeof(struct bz_scope) <= sizeof(blitz_scope), "a blitz_scope has room for a scope");

static struct bz_scope *scope_of(blitz_scope *scope) {
    return (struct bz_scope *)scope;
}

/* ---- tasks ---- */

/* A task that begins with an empty deque has made all jobs that are in it later: waiters for the scope may steal them. */
static void run_task(struct bz_job *job, struct bz_worker *self) {
    struct bz_spawned *task = (struct bz_spawned *)job;
    struct bz_scope *scope = task->group;
    blitz_fn *fn = task->fn;
    void *arg = task->arg;
    struct bz_place *place = bz_place_of(self);
    struct bz_scope *outer = bz_load_relaxed(&place->serving); /* relaxed: own store */
    bool marked = bz_deque_size(&self->deque) == 0;
    bz_tsan_after(task);
    bz_spawned_free(task, self);
    bz_views_enter(self);
    if (marked)
        bz_store_relaxed(&place->serving, scope); /* relaxed: D1 publishes later pushes after it */
    if (bz_likely(!bz_token_is_cancelled(scope->token)))
        bz_strict_call_if(self, "blitz_scope_spawn", fn, arg);
    else
        bz_watched_skip(fn, arg);
    bz_views_leave(self, "a task of a scope");
    if (marked)
        bz_store_relaxed(&place->serving, outer); /* relaxed: likewise */
    bz_tsan_before(scope);
    bz_scope_end_task(scope);
}

static void run_at_once(const struct bz_scope *scope, blitz_fn *fn, void *arg) {
    if (!bz_token_is_cancelled(scope->token))
        fn(arg);
    else
        bz_watched_skip(fn, arg);
}

/* For another thread than the owner, which must be in a task. */
static void check(const struct bz_scope *scope) {
    static const char verb[] = "blitz_scope_spawn", what[] = "scope";
    if (bz_unlikely(!scope))
        bz_misuse(verb, what, NULL, "must not be NULL");
    if (bz_unlikely(scope->life != BZ_SCOPE_OPEN))
        bz_strict_refuse(verb, what, scope, scope->self == BZ_OVER ? BZ_OVER : NULL, "begun", "waited for");
    if (bz_unlikely(scope->self != BZ_NOBODY && bz_is_outside(bz_self)))
        bz_misuse(verb, what, scope,
                  "belongs to another thread; only that thread and the tasks of the scope may spawn into it");
}

BZ_INLINE void spawn(struct bz_scope *scope, struct bz_worker *self, bool own, blitz_fn *fn, void *arg) {
    struct bz_spawned *task = bz_spawned_new(self, fn, arg);
    if (bz_unlikely(!task)) {
        run_at_once(scope, fn, arg);
        return;
    }
    task->node.job.run = run_task;
    task->group = scope;
    bz_fetch_add_relaxed(&scope->left, 1); /* relaxed: the task is published after it */
    bz_tsan_before(task);
    /* The owner's wait pops its own spawns. A task may end with spawns queued, so they are public. */
    bool pushed = own ? bz_worker_push(self, &task->node.job) : bz_worker_push_public(self, &task->node.job);
    if (!pushed)
        run_task(&task->node.job, self);
}

__attribute__((noinline)) static void spawn_elsewhere(struct bz_scope *scope, struct bz_worker *self,
                                                      blitz_fn *fn, void *arg, const void *site) {
    static struct bz_aflag warned;
    check(scope);
    if (bz_hooks && fn && self)
        bz_watched_make(&fn, &arg, site);
    if (!fn)
        bz_warn_once(&warned, "blitz_scope_spawn: the function is NULL; skipped");
    else if (self && scope->self != BZ_NOBODY)
        spawn(scope, self, scope->self == self, fn, arg);
    else
        run_at_once(scope, fn, arg);
}

void blitz_scope_spawn(blitz_scope *handle, blitz_fn *fn, void *arg) {
    struct bz_scope *scope = scope_of(handle);
    struct bz_worker *self = bz_pool_self();
    if (bz_likely(self && scope && fn && !bz_hooks) && scope->self == self)
        spawn(scope, self, true, fn, arg);
    else
        spawn_elsewhere(scope, self, fn, arg, __builtin_return_address(0));
}

/* ---- the wait ---- */

struct scope_wait {
    struct bz_wait wait;
    struct bz_worker *self;
    struct bz_scope *scope;
};

static bool serves(const struct bz_worker *worker, const struct bz_scope *scope) {
    /* relaxed: see run_task */
    return bz_load_relaxed(&bz_place_of((struct bz_worker *)worker)->serving) == scope;
}

static bool is_done(void *arg) {
    struct scope_wait *wait = arg;
    return bz_scope_is_done(wait->scope);
}

/* The job was in the victim's deque while the victim ran a task of the scope. Own jobs below the scope's floor are older. */
static bool is_related(const struct bz_job *job, const void *arg) {
    const struct scope_wait *wait = arg;
    (void)job;
    if (bz_load_acquire(&wait->wait.filter.victim->running.helping)) /* F5: pairs with F4 */
        return false;
    return serves(wait->wait.filter.victim, wait->scope);
}

/* After a failed search: turns to another worker that runs a task of the scope, if any. */
static bool turn_to_another(void *arg) {
    struct scope_wait *wait = arg;
    struct bz_domain *domain = wait->self->domain;
    uint32_t count = bz_load_relaxed(&domain->count); /* relaxed: the slots decide */
    uint32_t start = wait->wait.filter.victim->index;
    for (uint32_t i = 1; i <= count; i++) {
        struct bz_worker *worker =
            bz_load_acquire(&domain->slots[(start + i) % count]); /* W2: pairs with W1 */
        if (worker && worker != wait->self && serves(worker, wait->scope)) {
            wait->wait.filter.victim = worker;
            break;
        }
    }
    return is_done(arg);
}

/* ---- the public verbs ---- */

void blitz_scope_begin_with(blitz_scope *handle, const blitz_options *options) {
    struct bz_scope *scope = scope_of(handle);
    if (bz_unlikely(!scope))
        bz_misuse("blitz_scope_begin", "scope", NULL, "must not be NULL");
    struct bz_worker *self = bz_pool_open();
    scope->self = self ? self : BZ_NOBODY;
    scope->life = BZ_SCOPE_OPEN;
    scope->token = bz_token_in(options, "blitz_scope_begin_with");
    scope->floor = self ? bz_deque_bottom(&self->deque) : 0;
    bz_store_relaxed(&scope->left, 0); /* relaxed: published with its first task */
    if (BLITZ_DEBUG >= 1 && self)
        bz_strict_opened(bz_place_of(self), "blitz_scope_begin", "scope", scope);
}

void blitz_scope_begin(blitz_scope *handle) {
    blitz_scope_begin_with(handle, NULL);
}

static void end(struct bz_scope *scope) {
    scope->self = BZ_OVER;
    scope->life = 0;
}

/* Not by the worker that began it. */
BZ_COLD static void wait_elsewhere(struct bz_scope *scope) {
    static const char verb[] = "blitz_scope_wait", what[] = "scope";
    if (!scope)
        bz_misuse(verb, what, NULL, "must not be NULL");
    if (scope->self != BZ_NOBODY || scope->life != BZ_SCOPE_OPEN)
        bz_strict_refuse(verb, what, scope, scope->self, "begun", "waited for");
    end(scope);
}

void blitz_scope_wait(blitz_scope *handle) {
    struct bz_scope *scope = scope_of(handle);
    struct bz_worker *self = bz_self;
    if (bz_unlikely(!scope || !self || scope->self != self)) {
        wait_elsewhere(scope);
        return;
    }
    if (BLITZ_DEBUG >= 1)
        bz_strict_closed(bz_place_of(self), "blitz_scope_wait", "scope", scope);
    struct scope_wait wait = {.self = self, .scope = scope};
    wait.wait = (struct bz_wait){
        .what = "the tasks of a scope",
        .done = is_done,
        .slow_check = turn_to_another,
        .arg = &wait,
        .filter = {.floor = scope->floor, .may_take = is_related, .arg = &wait, .victim = self},
    };
    bool watched = bz_unlikely(bz_hooks) && !is_done(&wait);
    if (watched)
        bz_hooks->waits(BZ_WATCHED_GROUP, NULL, __builtin_return_address(0));
    bz_worker_wait_until(self, &wait.wait);
    if (watched)
        bz_hooks->goes_on(BZ_WATCHED_GROUP);
    bz_tsan_after(scope);
    end(scope);
    bz_pool_close(self);
}
