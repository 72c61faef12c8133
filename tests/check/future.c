/* Futures (src/api/future.c): the job runs once, on the thread that takes it from the queue or on a waiting thread of
 * the pool. All waiters see its value, none waits forever, and the last holder frees it. The pool has two places. */
#include "check.h"
#include "env/error.h"
#include "pool/pool.h"
#include "pool/spawn.h"
#include "pool/token.h"
#include "sched/stack.h"
#include "sched/views.h"
#include "wait/thread.h"

#include <errno.h>
#include <string.h>

static struct blitz_pool pool;
static struct bz_place places[2];
static struct bz_inject_node *queued; /* by `begin`, before all bodies */
static blitz_future *future;
static struct bz_a32 handles; /* threads that share the handle */
static unsigned ran;

_Thread_local struct bz_worker *bz_self __attribute__((tls_model("initial-exec")));
_Thread_local struct bz_thread_mark bz_thread_mark __attribute__((tls_model("initial-exec")));
uint32_t bz_thread_number_new(void) {
    return bz_thread_mark.number = 1 + (uint32_t)check_self();
}
uint32_t bz_fork_generation(void) {
    return 0;
}

/* ---- the pool ---- */

blitz_pool *bz_pool_or_global(blitz_pool *one, const char *verb) {
    (void)verb;
    return one;
}
bool bz_submit_options_read(const blitz_options *options, unsigned *priority, const blitz_token **token) {
    (void)options;
    *priority = 0;
    *token = NULL;
    return true;
}
int bz_submit(struct blitz_pool *into, struct bz_inject_node *node, const char *verb, uintptr_t named) {
    (void)into;
    (void)verb;
    (void)named;
    queued = node;
    return 0;
}
void bz_submitted_end(struct blitz_pool *one, uint32_t generation) {
    (void)one;
    (void)generation;
}
void bz_pool_leave_outer(void) {
}
void bz_pool_return_to_outer(void) {
}
bool bz_help_once(struct bz_worker *self) {
    (void)self;
    return false;
}
void bz_stack_more(struct bz_worker *self, void (*fn)(void *), void *arg) {
    (void)self;
    fn(arg);
}
static bool start(struct bz_domain *domain) {
    (void)domain;
    return false;
}

/* ---- functions that are never called ---- */

void bz_strict_unsynced(struct bz_place *place, const char *verb, const void *fn) {
    (void)place;
    (void)fn;
    check_fail("unsynced: %s", verb);
}
void bz_domain_posted_slow(struct bz_domain *domain, struct bz_worker *self) {
    (void)domain;
    (void)self;
}
void bz_views_mark(struct bz_worker *self) {
    (void)self;
}
void bz_views_take_none(struct bz_worker *self, const char *where) {
    (void)self;
    (void)where;
}

/* ---- the threads ---- */

static intptr_t job(void *arg) {
    (void)arg;
    ran++;
    return 42;
}

static void make(uint32_t waiters) {
    check_own(&bz_self, sizeof bz_self);
    check_own(&bz_thread_mark, sizeof bz_thread_mark);
    memset(&pool, 0, sizeof pool);
    memset(places, 0, sizeof places);
    ran = 0;
    handles.v = waiters;
    pool.domain.start = start;
    for (unsigned i = 0; i < 2; i++)
        places[i].worker.domain = &pool.domain;
    check_that(blitz_future_submit(&pool, job, NULL, NULL, &future) == 0);
}
static void begin_one(void) {
    make(1);
}
static void begin_two(void) {
    make(2);
}

static void takes(void) {
    bz_self = &places[0].worker;
    queued->job.run(&queued->job, bz_self);
}

static void drop(void) {
    if (bz_fetch_sub_acq_rel(&handles, 1) == 1)
        blitz_future_drop(future);
}
static void waits(void) {
    intptr_t value = 0;
    check_that(blitz_future_wait(future, &value) == 0 && value == 42 && ran == 1);
    drop();
}
static void waits_inside(void) {
    bz_self = &places[1].worker;
    waits();
}
static void waits_a_while(void) {
    intptr_t value = 0;
    int error = blitz_future_wait_for(future, 1000000000, &value);
    check_that(error == ETIMEDOUT || (error == 0 && value == 42 && ran == 1));
    drop();
}
static void asks(void) {
    if (blitz_future_is_done(future))
        check_that(ran == 1);
    drop();
}

static void end(void) {
    check_that(ran == 1);
}

static const struct check_test tests[] = {
    {"outside", begin_one, {takes, waits}, end, 3, 2},
    {"inside", begin_one, {takes, waits_inside}, end, 3, 1},
    {"two", begin_two, {takes, waits, waits}, end, 2, 2},
    {"inside_and_outside", begin_two, {takes, waits_inside, waits}, end, 2, 1},
    {"time", begin_two, {takes, waits_a_while, waits}, end, 2, 1},
    {"asked", begin_one, {takes, asks}, end, -1, 0},
};

int main(int argc, char **argv) {
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
