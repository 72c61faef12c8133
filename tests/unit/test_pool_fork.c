/* A pool in the child of a fork, and tests that need a child that starts threads. In a process of its own, since
 * qemu-user breaks down when such a child starts threads. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "pool/pool.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "../team_run.h"
#include "in_child.h"
#include "os/os.h"
#include "os/topology.h"
#include "pools.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"

/* These tests use a child with threads of its own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

/* ---- tools ---- */

static blitz_pool *shared;

/* ---- the state in a child ---- */

static bool use_again(void) {
    struct bz_a32 sum = {0};
    bool ok = shared->threads == 0 && shared->external == 0 && shared->unstarted == 4 &&
              bz_thread_cache_size() == 0;
    ok = ok && blitz_submit(shared, raise_word, &sum) == 0 && blitz_wait_idle(shared) == 0 && sum.v == 1;
    ok = ok && blitz_broadcast(shared, nothing, NULL) == 0 && shared->threads == 4;
    ok = ok && blitz_for(0, 1000, 1, count_indices, &sum) == 0 && sum.v == 1001;
    return ok && blitz_pool_destroy(shared) == 0 && blitz_shutdown() == 0;
}

/* New threads allocate as they begin, and AddressSanitizer's allocator stays locked in a child that is forked
 * meanwhile. So all threads run something before a fork. */
static void await_threads(blitz_pool *pool) {
    assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0);
}

static void a_child_makes_its_own_threads(void **state) {
    (void)state;
    struct bz_a32 sum = {0};
    shared = make_pool(4);
    await_threads(shared);
    assert_int_equal(blitz_for(0, 1000, 1, count_indices, &sum), 0);
    await_threads(NULL);
    bz_store_relaxed(&shared->leave_at, 1); /* as in the middle of bz_pool_balance: there is no surplus yet */
    in_child(use_again);
    bz_store_relaxed(&shared->leave_at, 0);
    assert_int_equal(blitz_broadcast(shared, nothing, NULL), 0); /* the parent's are still there */
    assert_int_equal(threads_of(shared), 4);
    assert_int_equal(blitz_pool_destroy(shared), 0);
}

static bool go_on_inside(void) {
    struct bz_a32 sum = {0};
    bool ok = blitz_pool_current() == shared && shared->external == 1 && shared->threads == 0;
    return ok && blitz_for(0, 1000, 1, count_indices, &sum) == 0 && sum.v == 1000;
}

static void fork_inside(void *arg) {
    (void)arg;
    in_child(go_on_inside);
}

static void a_child_may_begin_inside(void **state) {
    (void)state;
    shared = make_pool(3);
    await_threads(shared);
    assert_int_equal(blitz_call(shared, fork_inside, NULL), 0);
    assert_int_equal(blitz_pool_destroy(shared), 0);
}

/* ---- a child forked on a thread that has gone on from the pool ---- */

static bool end_of_shared(void) {
    struct bz_a32 sum = {0};
    bool ok = shared->external == 0 && shared->away == 0;
    ok = ok && blitz_submit(shared, raise_word, &sum) == 0 && blitz_wait_idle(shared) == 0 && sum.v == 1;
    return ok && shared->threads > 0 && blitz_pool_destroy(shared) == 0;
}

struct elsewhere {
    void (*go)(struct elsewhere *elsewhere); /* leaves the pool, and calls fork_there */
    blitz_pool *other;
    unsigned away; /* whether the pool goes on without the thread */
    pid_t child;
    bool ok;
};

static void fork_there(struct elsewhere *elsewhere) {
    elsewhere->child = fork();
    if (elsewhere->child == 0) {
        alarm(HANG_SECONDS);
        elsewhere->ok = shared->external == 1 && shared->away == elsewhere->away &&
                        shared->unstarted == 2 + elsewhere->away;
    }
}

static void go_on(void *elsewhere) {
    ((struct elsewhere *)elsewhere)->go(elsewhere);
}

/* In the child, the thread returns from there into the pool, and from the pool to the outside. */
static void fork_from_shared(struct elsewhere elsewhere) {
    int status = -1;
    shared = make_pool(3);
    assert_int_equal(blitz_call(shared, go_on, &elsewhere), 0);
    if (elsewhere.child == 0)
        _exit(elsewhere.ok && end_of_shared() ? 0 : 1);
    assert_true(elsewhere.child > 0 && waitpid(elsewhere.child, &status, 0) == elsewhere.child);
    assert_int_equal(status, 0);
    assert_int_equal(blitz_pool_destroy(shared), 0);
}

static void fork_as_leader(unsigned index, void *elsewhere) {
    if (index == 0)
        fork_there(elsewhere);
}

static void go_to_a_team(struct elsewhere *elsewhere) {
    unsigned size = 2;
    team_run(bz_team_enter(bz_self, &size), nothing, NULL); /* as in await_threads */
    team_run(bz_team_enter(bz_self, &size), fork_as_leader, elsewhere);
}

static void a_child_of_a_team_in_an_entered_pool_counts_there(void **state) {
    (void)state;
    fork_from_shared((struct elsewhere){.go = go_to_a_team});
}

static void isolate(struct elsewhere *elsewhere) {
    struct bz_worker *self = bz_self;
    assert_non_null(bz_worker_isolate(self));
    fork_there(elsewhere);
    bz_worker_come_back(self);
}

static void a_child_of_an_external_thread_that_is_isolated_counts_in_its_pool(void **state) {
    (void)state;
    fork_from_shared((struct elsewhere){.go = isolate});
}

static void fork_in_the_other(void *elsewhere) {
    fork_there(elsewhere);
}

static void go_to_the_other(struct elsewhere *elsewhere) {
    assert_int_equal(blitz_call(elsewhere->other, fork_in_the_other, elsewhere), 0);
}

static void a_child_is_away_where_it_came_from(void **state) {
    (void)state;
    blitz_pool *other = make_pool(2);
    fork_from_shared((struct elsewhere){.go = go_to_the_other, .other = other, .away = 1});
    assert_int_equal(blitz_pool_destroy(other), 0);
}

static bool use_the_place(void) {
    struct bz_a32 sum = {0};
    struct bz_place *place = bz_place_of(shared->domain.slots[0].v);
    bool ok = blitz_broadcast(shared, nothing, NULL) == 0 && place->is_thread && shared->places == 1;
    while (ok && bz_load_relaxed(&place->worker.sleeper.latch.state) != BZ_LATCH_SLEEPING)
        bz_os_yield();
    ok = ok && blitz_submit(shared, raise_word, &sum) == 0 && blitz_wait_idle(shared) == 0 && sum.v == 1;
    return ok && blitz_pool_destroy(shared) == 0;
}

/* A place was being made: it is in its slot, and not yet counted. A worker that takes it can be woken. */
static void a_child_counts_a_place_that_was_just_made(void **state) {
    (void)state;
    struct bz_a32 sum = {0};
    shared = make_pool(1);
    assert_int_equal(blitz_call(shared, raise_word, &sum), 0); /* a place without a worker */
    bz_store_relaxed(&shared->domain.count, 0);
    in_child(use_the_place);
    bz_store_relaxed(&shared->domain.count, 1);
    assert_int_equal(blitz_pool_destroy(shared), 0);
}

/* ---- a child without memory ---- */

static bool no_memory;

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    return no_memory ? NULL : __real_bz_os_alloc(size);
}

static bool use_without_memory(void) {
    struct bz_a32 sum = {0};
    bool refused = blitz_submit(shared, raise_word, &sum) == ENOMEM;
    no_memory = false;
    return refused && blitz_submit(shared, raise_word, &sum) == 0 && blitz_wait_idle(shared) == 0 &&
           sum.v == 1 && blitz_pool_destroy(shared) == 0;
}

/* All places are lost threads', and there is no memory for another one. */
static void a_child_without_memory_refuses_jobs(void **state) {
    (void)state;
    shared = make_pool(1);
    await_threads(shared);
    no_memory = true;
    in_child(use_without_memory);
    no_memory = false;
    assert_int_equal(blitz_pool_destroy(shared), 0);
}

/* ---- a child that ends in a job ---- */

static void shut_down(void) {
    if (blitz_pool_destroy(shared) != 0)
        _exit(1);
}

/* A child that ends on a thread of the pool: the main thread's stack no longer holds its pointers there. */
static int ends_in_a_thread;

int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return ends_in_a_thread;
}

static void fork_and_return(void *arg) {
    pid_t *child = arg;
    *child = fork();
    if (*child == 0) {
        ends_in_a_thread = 1;
        alarm(HANG_SECONDS);
        atexit(shut_down);
    }
}

/* Its thread has nothing to return to. The child does not wait for the parent's submissions. */
static void a_child_that_begins_in_a_job_ends_with_it(void **state) {
    (void)state;
    pid_t child = -1;
    int status = -1;
    shared = make_pool(2);
    fflush(NULL);
    assert_int_equal(blitz_submit(shared, fork_and_return, &child), 0);
    assert_int_equal(blitz_wait_idle(shared), 0);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    assert_int_equal(blitz_pool_destroy(shared), 0);
}

/* ---- the CPUs of the process, which only a child may change ---- */

/* The pool's size at a call 150 ms after the process's CPUs have changed; the pool follows within 100 ms. */
static unsigned size_on(blitz_pool *pool, const cpu_set_t *cpus) {
    struct bz_a32 done = {0};
    if (sched_setaffinity(getpid(), sizeof *cpus, cpus) != 0)
        return 0;
    usleep(150000);
    return blitz_call(pool, raise_word, &done) == 0 && done.v == 1 ? blitz_pool_workers(pool) : 0;
}

static bool follow_the_cpus(void) {
    cpu_set_t all, one;
    unsigned usual = bz_topology_default_workers();
    blitz_pool *pool = make_pool(0);
    bool right = blitz_pool_workers(pool) == usual && sched_getaffinity(0, sizeof all, &all) == 0;
    CPU_ZERO(&one);
    for (unsigned cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    right &= size_on(pool, &one) == 1 && size_on(pool, &all) == usual;
    usleep(150000);
    right &= sched_setaffinity(getpid(), sizeof one, &one) == 0;
    usleep(150000);
    struct bz_a32 done = {0}; /* a submitted job comes from outside as well */
    right &= blitz_submit(pool, raise_word, &done) == 0;
    bz_mutex_lock(&pool->lock);
    right &= bz_load_relaxed(&pool->size) == 1;
    bz_mutex_unlock(&pool->lock);
    right &= blitz_pool_workers(pool) == 1; /* no more until the CPUs are read again */
    usleep(150000);
    right &= sched_setaffinity(getpid(), sizeof all, &all) == 0;
    usleep(150000);
    right &= blitz_call(pool, raise_word, &done) == 0;
    bz_mutex_lock(&pool->lock);
    right &= bz_load_relaxed(&pool->size) == 1;
    bz_mutex_unlock(&pool->lock);
    right &= blitz_pool_workers(pool) == usual;
    right &= blitz_pool_resize(pool, 3) == 0 && size_on(pool, &one) == 3;
    right &= blitz_pool_resize(pool, 0) == 0 && blitz_pool_workers(pool) == 1 && size_on(pool, &all) == usual;
    return right && blitz_pool_destroy(pool) == 0;
}

static void the_default_size_follows_the_cpus(void **state) {
    (void)state;
    in_child(follow_the_cpus);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_size_follows_the_cpus),
        cmocka_unit_test(a_child_makes_its_own_threads),
        cmocka_unit_test(a_child_may_begin_inside),
        cmocka_unit_test(a_child_of_a_team_in_an_entered_pool_counts_there),
        cmocka_unit_test(a_child_of_an_external_thread_that_is_isolated_counts_in_its_pool),
        cmocka_unit_test(a_child_is_away_where_it_came_from),
        cmocka_unit_test(a_child_counts_a_place_that_was_just_made),
        cmocka_unit_test(a_child_without_memory_refuses_jobs),
        cmocka_unit_test(a_child_that_begins_in_a_job_ends_with_it),
    };
    return cmocka_run_group_tests(tests, pools_setup, NULL);
}
