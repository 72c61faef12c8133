/* Tasks of a scope or a pool, which threads wait for together. */
#include "pool/spawn.h"

#include <errno.h>
#include <limits.h>

#include "base/hooks.h"
#include "base/sanitizer.h"
#include "os/os.h"
#include "pool/pool.h"
#include "pool/token.h"
#include "sched/views.h"
#include "wait/load.h"
#include "wait/thread.h"

struct bz_spawned *bz_spawned_new(struct bz_worker *self, blitz_fn *fn, void *arg) {
    struct bz_spawned *spawned =
        self ? bz_slabs_alloc(&self->slabs, sizeof *spawned) : bz_alloc(sizeof *spawned);
    if (spawned) {
        spawned->fn = fn;
        spawned->arg = arg;
        spawned->node.priority = BZ_INJECT_NORMAL;
        spawned->token = NULL;
        spawned->from_slab = self;
    }
    return spawned;
}

void bz_spawned_free(struct bz_spawned *spawned, struct bz_worker *self) {
    if (spawned->from_slab)
        bz_slabs_free(&self->slabs, spawned);
    else
        bz_free(spawned);
}

/* The pool outlives this call: it ends only after all threads have left. */
void bz_submitted_end(struct blitz_pool *pool, uint32_t generation) {
    bz_tsan_before(&pool->pending);
    if (generation != bz_fork_generation()) /* a child does not count jobs from before the fork */
        return;
    if (bz_fetch_sub_seq_cst(&pool->pending, 1) == 1 && /* Y1: pairs with Y2 and Y3 */
        bz_load_seq_cst(&pool->idle_waiters) > 0) /* Y1: pairs with Y2: or the waiter sees no job left */
        bz_os_futex_wake(&pool->pending.v, INT_MAX);
}

static void run_submitted(struct bz_job *job, struct bz_worker *self) {
    struct bz_spawned *spawned = (struct bz_spawned *)job;
    struct blitz_pool *pool = spawned->group;
    blitz_fn *fn = spawned->fn;
    void *arg = spawned->arg;
    const blitz_token *token = spawned->token;
    uint32_t generation = spawned->generation;
    bz_tsan_after(spawned);
    bz_spawned_free(spawned, self);
    bz_views_enter(self);
    if (generation == bz_fork_generation() && !bz_token_is_cancelled(token)) /* else it is the parent's */
        bz_strict_call(self, "blitz_submit", bz_watched_named(fn, arg), fn, arg);
    else
        bz_watched_skip(fn, arg);
    bz_views_leave(self, "a submitted task");
    bz_submitted_end(pool, generation);
}

bool bz_submit_options_read(const blitz_options *options, unsigned *priority, const blitz_token **token) {
    int asked = options ? options->priority : BLITZ_PRIORITY_NORMAL;
    *token = bz_token_in(options, "blitz_submit_with or blitz_future_submit");
    *priority = asked == BLITZ_PRIORITY_HIGH  ? BZ_INJECT_HIGH
                : asked == BLITZ_PRIORITY_LOW ? BZ_INJECT_LOW
                                              : BZ_INJECT_NORMAL;
    return asked >= BLITZ_PRIORITY_LOW && asked <= BLITZ_PRIORITY_HIGH;
}

static void run_here(void *arg) {
    struct bz_job *job = arg;
    job->run(job, bz_self);
}

int bz_submit(struct blitz_pool *pool, struct bz_inject_node *node, const char *verb, uintptr_t named) {
    uint32_t generation = bz_fork_generation();
    bz_fetch_add_relaxed(&pool->pending, 1); /* relaxed: before the job can end, by its injection */
    bz_tsan_before(node);
    if (!pool->serial) {
        bz_pool_inject(pool, node);
        return 0;
    }
    int error = bz_pool_run(pool, run_here, &node->job, verb, named);
    if (error)
        bz_submitted_end(pool, generation);
    return error;
}

static int submit(blitz_pool *pool, blitz_fn *fn, void *arg, const blitz_options *options, const void *site) {
    uintptr_t named = (uintptr_t)fn;
    unsigned priority;
    const blitz_token *token;
    if (!fn || !bz_submit_options_read(options, &priority, &token))
        return EINVAL;
    if (!(pool = bz_pool_or_global(pool, "blitz_submit")))
        return ENOMEM;
    if (bz_unlikely(bz_hooks))
        bz_watched_make(&fn, &arg, site);
    struct bz_worker *self = bz_pool_self();
    if (self && bz_pool_of(self) != pool)
        self = NULL; /* slab objects must not leave their pool */
    struct bz_spawned *spawned = bz_spawned_new(self, fn, arg);
    if (!spawned) {
        bz_watched_skip(fn, arg);
        return ENOMEM;
    }
    spawned->node.job.run = run_submitted;
    spawned->node.priority = priority;
    spawned->group = pool;
    spawned->token = token;
    spawned->generation = bz_fork_generation();
    int error = bz_submit(pool, &spawned->node, "blitz_submit", named);
    if (error) {
        bz_watched_skip(fn, arg);
        bz_spawned_free(spawned, self);
    }
    return error;
}

int blitz_submit_with(blitz_pool *pool, blitz_fn *fn, void *arg, const blitz_options *options) {
    return submit(pool, fn, arg, options, __builtin_return_address(0));
}

int blitz_submit(blitz_pool *pool, blitz_fn *fn, void *arg) {
    return submit(pool, fn, arg, NULL, __builtin_return_address(0));
}

void bz_sleep_until_zero(struct bz_a32 *count) {
    bz_awake_add(-1);
    for (uint32_t left; (left = bz_load_seq_cst(count)) > 0;) /* X4: pairs with X3; Y2: pairs with Y1 */
        bz_os_futex_wait(&count->v, left);
    bz_awake_add(1);
}

int blitz_wait_idle(blitz_pool *pool) {
    if (!(pool = bz_pool_or_global(pool, "blitz_wait_idle")))
        return ENOMEM;
    if (bz_pool_is_inside(pool, "blitz_wait_idle"))
        return EDEADLK;
    if (bz_load_acquire(&pool->pending) == 0) { /* Y3: pairs with Y1 */
        bz_tsan_after(&pool->pending);
        return 0;
    }
    bz_note_wait("a pool's tasks", NULL);
    bz_watched_waits(BZ_WATCHED_GROUP, NULL, __builtin_return_address(0));
    bz_pool_leave_outer();
    bz_fetch_add_seq_cst(&pool->idle_waiters, 1); /* Y2: pairs with Y1 */
    bz_sleep_until_zero(&pool->pending);
    bz_fetch_sub_relaxed(&pool->idle_waiters, 1); /* relaxed: too high a count costs a wake */
    bz_pool_return_to_outer();
    bz_watched_goes_on(BZ_WATCHED_GROUP);
    bz_note_wait(NULL, NULL);
    bz_tsan_after(&pool->pending);
    return 0;
}
