/* stress_help.c: jobs that help while other threads wait for them, and jobs that are taken one at a time.
 *
 * Help: the jobs that a helping job runs are unrelated to the waiters of that job. The waiters must therefore not run
 * them, though they may steal from its worker before and after. A waiter carries a mark, as it might hold a lock.
 * Unrelated work must never find the mark on its thread.
 *
 * Takes: a thread takes one of two jobs that wait for each other, and for a moment holds the whole list. Other threads
 * may find the list empty meanwhile and go to sleep. The taker must then wake one of them for the rest. */
#include "blitz.h"

#include <time.h>

#include "stress.h"

static blitz_pool *pool;

static void pause_a_little(struct stress_rng *rng) {
    for (unsigned n = stress_random(rng, 200); n > 0; n--)
        bz_cpu_relax();
    if (stress_random(rng, 4) == 0)
        sched_yield();
}

/* ---- help ---- */

enum { FORKED = 8, SPAWNED = 2 };

static _Thread_local unsigned waiting; /* this thread waits for a forked job and does not help */
static _Thread_local unsigned rolls;   /* for random generators */

static struct {
    struct bz_a64 met; /* times that unrelated work found a mark */
    struct bz_a64 done;
} seen;

static struct stress_rng next_rng(unsigned kind) {
    return stress_rng(kind * 1009 + ++rolls * 31 + (unsigned)((uintptr_t)&waiting >> 8));
}

static void unrelated_leaf(void *arg) {
    struct stress_rng rng = next_rng(1);
    (void)arg;
    if (waiting)
        bz_fetch_add_relaxed(&seen.met, 1);
    pause_a_little(&rng);
    bz_fetch_add_relaxed(&seen.done, 1);
}

/* Ends while the jobs that it has spawned are still queued. */
static void unrelated_spawner(void *scope) {
    for (unsigned i = 0; i < SPAWNED; i++)
        blitz_scope_spawn(scope, unrelated_leaf, NULL);
    unrelated_leaf(NULL);
}

/* Submitted, so no thread waits for it; its forks can be stolen. */
static void unrelated_forks(void *arg) {
    blitz_frame frames[FORKED];
    (void)arg;
    for (unsigned i = 0; i < FORKED; i++)
        blitz_fork(&frames[i], unrelated_leaf, NULL);
    unrelated_leaf(NULL);
    for (unsigned i = FORKED; i-- > 0;)
        blitz_sync(&frames[i]);
}
static void unrelated_scope(void *arg) {
    blitz_scope scope;
    (void)arg;
    blitz_scope_begin(&scope);
    for (unsigned i = 0; i < 3; i++)
        blitz_scope_spawn(&scope, unrelated_spawner, &scope);
    blitz_scope_wait(&scope);
}

static void related_leaf(void *arg) {
    struct stress_rng rng = next_rng(2);
    (void)arg;
    pause_a_little(&rng);
}

/* Forked; a thread waits for it while it helps. */
static void helper(void *arg) {
    struct stress_rng rng = next_rng(3);
    unsigned outer = waiting;
    (void)arg;
    waiting = 0;
    for (unsigned i = 0; i < 3; i++) {
        blitz_frame frame;
        blitz_fork(&frame, related_leaf, NULL); /* a thread that waits for this function may steal the job */
        blitz_help(pool);
        blitz_sync(&frame);
        pause_a_little(&rng);
    }
    waiting = outer;
}

static void wait_for_helper(void *arg) {
    struct stress_rng rng = next_rng(4);
    unsigned outer = waiting;
    blitz_frame frame;
    (void)arg;
    waiting = 0; /* it was submitted, or runs on a helping thread */
    for (unsigned i = 0; i < 4; i++) {
        blitz_fork(&frame, helper, NULL);
        for (unsigned n = 0; n < 4; n++) /* lets a thief come */
            pause_a_little(&rng);
        waiting = 1;
        blitz_sync(&frame);
        waiting = 0;
    }
    waiting = outer;
    bz_fetch_add_relaxed(&seen.done, 1);
}

static void wait_for_scope(void *arg) {
    struct stress_rng rng = next_rng(5);
    unsigned outer = waiting;
    blitz_scope scope;
    (void)arg;
    waiting = 0;
    blitz_scope_begin(&scope);
    for (unsigned i = 0; i < 4; i++)
        blitz_scope_spawn(&scope, helper, NULL);
    pause_a_little(&rng);
    waiting = 1;
    blitz_scope_wait(&scope);
    waiting = outer;
    bz_fetch_add_relaxed(&seen.done, 1);
}

static void run_help(unsigned thread, void *arg) {
    struct stress_rng rng = stress_rng(thread);
    (void)arg;
    for (unsigned i = 0; i < stress_scaled(500); i++) {
        stress_check(blitz_submit(pool, i % 2 ? wait_for_helper : wait_for_scope, NULL) == 0);
        for (unsigned n = 0; n < 6; n++)
            stress_check(blitz_submit(pool, n % 2 ? unrelated_forks : unrelated_scope, NULL) == 0);
        if (stress_random(&rng, 16) == 0)
            stress_check(blitz_wait_idle(pool) == 0);
    }
}

static void help(unsigned workers) {
    blitz_config config = {.workers = workers};
    stress_part("help in work that is waited for");
    stress_check(blitz_pool_create(&config, &pool) == 0);
    seen.met.v = seen.done.v = 0;
    stress_run(2, run_help, NULL);
    stress_check(blitz_pool_destroy(pool) == 0);
    stress_check(seen.done.v == 2 * (uint64_t)stress_scaled(500) * (1 + 6 * 9));
    stress_check(seen.met.v == 0);
}

/* ---- takes ---- */

enum { LISTED = 3000, LATE_SECONDS = 60 };

static struct { struct bz_a32 busy, go, come, done; } list;

static void be_busy(void *arg) {
    (void)arg;
    bz_fetch_add_relaxed(&list.busy, 1);
    while (!bz_load_acquire(&list.go))
        bz_cpu_relax();
}

/* One of the two first jobs, which wait for each other. This worker never starts the other one: the second worker must
 * wake up for it. */
static void meet(void *arg) {
    time_t start = time(NULL);
    (void)arg;
    bz_fetch_add_acq_rel(&list.come, 1);
    for (unsigned spins = 0; bz_load_acquire(&list.come) < 2; spins++)
        if (spins % 128 == 127) {
            sched_yield();
            stress_check(time(NULL) - start < LATE_SECONDS);
        }
    bz_fetch_add_relaxed(&list.done, 1);
}

static void nothing(void *arg) {
    (void)arg;
    bz_fetch_add_relaxed(&list.done, 1);
}

/* While both workers are busy a list builds up. The first worker that is free then holds it for a while. */
static void takes(int priority) {
    blitz_config config = {.workers = 2, .spin_ns = BLITZ_SPIN_NEVER};
    blitz_options options = {.priority = priority};
    stress_part("jobs that are taken one by one");
    stress_check(blitz_pool_create(&config, &pool) == 0);
    for (unsigned i = 0; i < stress_scaled(100); i++) {
        bz_store_relaxed(&list.busy, 0);
        bz_store_relaxed(&list.go, 0);
        bz_store_relaxed(&list.come, 0);
        bz_store_relaxed(&list.done, 0);
        for (unsigned j = 0; j < 2; j++)
            stress_check(blitz_submit(pool, be_busy, NULL) == 0);
        while (bz_load_relaxed(&list.busy) < 2)
            sched_yield();
        for (unsigned j = 0; j < LISTED; j++)
            stress_check(blitz_submit_with(pool, j < 2 ? meet : nothing, NULL, &options) == 0);
        bz_store_release(&list.go, 1);
        stress_check(blitz_wait_idle(pool) == 0);
        stress_check(list.done.v == LISTED);
    }
    stress_check(blitz_pool_destroy(pool) == 0);
}

int main(int argc, char **argv) {
    stress_begin(argc, argv);
    for (unsigned i = 0; i < stress.iter; i++, stress.seed++) {
        help(2 + i % 3);
        help(stress.threads);
        takes(BLITZ_PRIORITY_LOW);
        takes(BLITZ_PRIORITY_HIGH);
    }
    puts("done");
}
