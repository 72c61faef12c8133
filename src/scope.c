#include "scope.h"

#include "error.h"
#include "pool.h"
#include "sanitizer.h"
#include "spawn.h"
#include "token.h"
#include "views.h"

_Static_assert(sizeof(struct bz_scope) <= sizeof(blitz_scope), "a scope has room for what it is");

static struct bz_scope *scope_of(blitz_scope *scope) {
    return (struct bz_scope *)scope;
}

/* ---- tasks ---- */

/* While a worker that had nothing else queued runs a task of a scope, whatever is in its deque was made by that task:
 * those who wait for the scope may steal there. */
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
        bz_store_relaxed(&place->serving,
                         scope); /* relaxed: what the task pushes is published after it, by D1 */
    if (bz_likely(!bz_token_is_cancelled(scope->token)))
        fn(arg);
    bz_views_leave(self, "a task of a scope");
    if (marked)
        bz_store_relaxed(&place->serving, outer); /* relaxed: likewise before what is pushed afterwards */
    bz_tsan_before(scope);
    bz_count_latch_down(&scope->left); /* the scope may be gone after this line */
}

void blitz_scope_spawn(blitz_scope *handle, blitz_fn *fn, void *arg) {
    static struct bz_aflag warned;
    struct bz_scope *scope = scope_of(handle);
    struct bz_worker *self = bz_pool_self();
    if (!fn) {
        bz_warn_once(&warned, "blitz_scope_spawn: the function is NULL, skipped");
        return;
    }
    struct bz_spawned *task = scope->self && self ? bz_spawned_new(self, fn, arg) : NULL;
    if (!task) {
        if (!bz_token_is_cancelled(scope->token))
            fn(arg);
        return;
    }
    task->node.job.run = run_task;
    task->group = scope;
    bz_count_latch_up(&scope->left, 1);
    bz_tsan_before(task);
    /* The scope's owner will look at its deque; a task may end with its spawns still queued, so they are public. */
    bool pushed = self == scope->self ? bz_worker_push(self, &task->node.job)
                                      : bz_worker_push_public(self, &task->node.job);
    if (!pushed)
        run_task(&task->node.job, self);
}

/* ---- the wait ---- */

struct scope_wait {
    struct bz_wait wait;
    struct bz_worker *self;
    struct bz_scope *scope;
};

static bool serves(const struct bz_worker *worker, const struct bz_scope *scope) {
    return bz_load_relaxed(&bz_place_of((struct bz_worker *)worker)->serving) ==
           scope; /* relaxed: see run_task */
}

static bool is_done(void *arg) {
    struct scope_wait *wait = arg;
    return bz_count_latch_probe(&wait->scope->left);
}

/* The job was in the victim's deque while the victim ran a task of the scope. Own jobs older than the scope (below its
 * floor) stay where they are; if a task of the scope was stolen, so were they before. */
static bool is_related(const struct bz_job *job, const void *arg) {
    const struct scope_wait *wait = arg;
    (void)job;
    if (bz_load_acquire(&wait->wait.filter.victim->helping)) /* F5: pairs with F4 */
        return false;
    return serves(wait->wait.filter.victim, wait->scope);
}

/* Asked after a fruitless look: turns to another worker that runs one of the tasks, if there is one. */
static bool turn_to_another(void *arg) {
    struct scope_wait *wait = arg;
    struct bz_domain *domain = wait->self->domain;
    uint32_t count = bz_load_acquire(&domain->count); /* W2: pairs with W1 */
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

void blitz_scope_begin_until(blitz_scope *handle, const blitz_token *token) {
    struct bz_scope *scope = scope_of(handle);
    scope->self = bz_pool_open();
    scope->token = token;
    scope->floor = scope->self ? bz_deque_bottom(&scope->self->deque) : 0;
    bz_count_latch_init(&scope->left, scope->self, 0);
}

void blitz_scope_begin(blitz_scope *handle) {
    blitz_scope_begin_until(handle, NULL);
}

void blitz_scope_wait(blitz_scope *handle) {
    struct bz_scope *scope = scope_of(handle);
    struct bz_worker *self = scope->self;
    if (!self)
        return;
    struct scope_wait wait = {.self = self, .scope = scope};
    wait.wait = (struct bz_wait){
        .done = is_done,
        .settle = turn_to_another,
        .arg = &wait,
        .filter = {.floor = scope->floor, .may_take = is_related, .arg = &wait, .victim = self},
    };
    bz_worker_wait_until(self, &wait.wait);
    bz_tsan_after(scope);
    bz_pool_close(self);
}
