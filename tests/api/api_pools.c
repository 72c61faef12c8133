/* api_pools.c: hooks of a pool's threads, their names and pins, and threads that are lent to a pool. */
#define _GNU_SOURCE /* CPU sets, names of threads */
#include <blitz.h>

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../asserts.h"

#define WORKERS 3

static void wait_for_flag(const int *flag) {
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        sched_yield();
}

static void set_flag(int *flag) {
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}

static void nothing(unsigned index, void *arg) {
    (void)index, (void)arg;
}

/* ---- hooks ---- */

static _Thread_local int started;

static struct hooked {
    unsigned starts, stops, wrong;
    unsigned running[64]; /* by index */
} hooked;

static void on_start(unsigned index, void *arg) {
    struct hooked *counts = arg;
    __atomic_fetch_add(&counts->starts, 1, __ATOMIC_RELAXED);
    if (started++ || index != blitz_worker_index() || index >= 64 ||
        __atomic_fetch_add(&counts->running[index], 1, __ATOMIC_RELAXED) != 0)
        __atomic_fetch_add(&counts->wrong, 1, __ATOMIC_RELAXED);
}

static void on_stop(unsigned index, void *arg) {
    struct hooked *counts = arg;
    __atomic_fetch_add(&counts->stops, 1, __ATOMIC_RELAXED);
    if (--started || index != blitz_worker_index() || index >= 64 ||
        __atomic_fetch_sub(&counts->running[index], 1, __ATOMIC_RELAXED) != 1)
        __atomic_fetch_add(&counts->wrong, 1, __ATOMIC_RELAXED);
}

static void expect_start(unsigned index, void *arg) {
    (void)index;
    if (!started)
        __atomic_fetch_add(&((struct hooked *)arg)->wrong, 1, __ATOMIC_RELAXED);
}

static void every_thread_starts_and_stops(void **state) {
    blitz_config config = {.workers = WORKERS, .on_start = on_start, .on_stop = on_stop, .hook_arg = &hooked};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, expect_start, &hooked), 0);
    assert_int_equal(hooked.starts, WORKERS);
    assert_int_equal(blitz_pool_resize(pool, 1), 0);
    while (__atomic_load_n(&hooked.stops, __ATOMIC_ACQUIRE) < WORKERS - 1)
        sched_yield();
    assert_int_equal(blitz_pool_resize(pool, WORKERS + 2), 0);
    assert_int_equal(blitz_broadcast(pool, expect_start, &hooked), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(hooked.starts, 2 * WORKERS + 1);
    assert_int_equal(hooked.stops, 2 * WORKERS + 1);
    assert_int_equal(hooked.wrong, 0);
}

static void use_threads(unsigned index, void *arg) {
    (void)index;
    blitz_pool_resize(arg, 2);
    blitz_broadcast(arg, nothing, NULL);
}

/* A thread that runs a hook does not count as one on its way. */
static void hooks_may_need_threads_themselves(void **state) {
    blitz_pool *other, *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(NULL, &other), 0);
    blitz_config config = {.workers = 1, .on_stop = use_threads, .hook_arg = other};
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(blitz_pool_destroy(other), 0);
}

/* Threads that are slow to stop are no longer workers, and do not keep the pool from its full size. */
struct slow {
    int stopping, go, reached;
};

static void stop_slowly(unsigned index, void *arg) {
    struct slow *slow = arg;
    (void)index;
    __atomic_fetch_add(&slow->stopping, 1, __ATOMIC_ACQ_REL);
    wait_for_flag(&slow->go);
}

static void count_reached(unsigned index, void *arg) {
    (void)index;
    __atomic_fetch_add(&((struct slow *)arg)->reached, 1, __ATOMIC_RELAXED);
}

static void a_broadcast_reaches_all_while_others_stop(void **state) {
    struct slow slow = {0};
    blitz_config config = {.workers = WORKERS, .on_stop = stop_slowly, .hook_arg = &slow};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, count_reached, &slow), 0);
    assert_int_equal(slow.reached, WORKERS);
    assert_int_equal(blitz_pool_resize(pool, 1), 0);
    while (__atomic_load_n(&slow.stopping, __ATOMIC_ACQUIRE) < WORKERS - 1)
        sched_yield();
    assert_int_equal(blitz_broadcast(pool, count_reached, &slow), 0);
    assert_int_equal(slow.reached, WORKERS + 1);
    assert_int_equal(blitz_pool_resize(pool, WORKERS), 0);
    assert_int_equal(blitz_broadcast(pool, count_reached, &slow), 0);
    assert_int_equal(slow.reached, 2 * WORKERS + 1);
    set_flag(&slow.go);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(slow.stopping, 2 * WORKERS - 1);
}

/* A thread that a broadcast after a resize did not reach was on its way out: it runs no job submitted after the
 * broadcast. So wherever a job runs, it sees the effects of the broadcast, if on_start repeats it for threads that
 * start later. */
static struct reach {
    int round, strangers, jobs;
    pthread_t submitter; /* also runs jobs if no other thread is available */
} reaching;
static _Thread_local int reached_in;

static void reach_at_start(unsigned index, void *arg) {
    (void)index;
    reached_in = __atomic_load_n(&((struct reach *)arg)->round, __ATOMIC_ACQUIRE);
}

static void forget_at_stop(unsigned index, void *arg) {
    struct timespec moment = {0, 50000};
    (void)index, (void)arg;
    reached_in = -1;
    nanosleep(&moment, NULL);
}

static void expect_reached(void *arg) {
    int round = *(const int *)arg;
    if (reached_in < round && !pthread_equal(pthread_self(), reaching.submitter))
        __atomic_fetch_add(&reaching.strangers, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&reaching.jobs, 1, __ATOMIC_RELAXED);
}

static void jobs_run_where_the_last_broadcast_has_been(void **state) {
    enum { ROUNDS = 400, JOBS = 20 };
    blitz_config config = {.workers = WORKERS, .spin_ns = BLITZ_SPIN_NEVER};
    static int rounds[ROUNDS];
    blitz_pool *pool;
    (void)state;
    config.on_start = reach_at_start, config.on_stop = forget_at_stop, config.hook_arg = &reaching;
    reaching.submitter = pthread_self();
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    for (int i = 0; i < ROUNDS; i++) {
        rounds[i] = i + 1;
        assert_int_equal(blitz_pool_resize(pool, 1 + (unsigned)(i * 7 % 5)), 0);
        __atomic_store_n(&reaching.round, i + 1, __ATOMIC_RELEASE);
        assert_int_equal(blitz_broadcast(pool, reach_at_start, &reaching), 0);
        for (int j = 0; j < JOBS; j++)
            assert_int_equal(blitz_submit(pool, expect_reached, &rounds[i]), 0);
        if (i % 3 == 0)
            assert_int_equal(blitz_wait_idle(pool), 0);
    }
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(reaching.strangers, 0);
    assert_int_equal(reaching.jobs, ROUNDS * JOBS);
}

/* Threads in on_stop that wait in another pool count as away once: the others stay, and run the queue. */
struct apart {
    int stopping, go;
    blitz_future *other;
};

static intptr_t wait_to_go(void *arg) {
    wait_for_flag(&((struct apart *)arg)->go);
    return 1;
}

static void stop_in_another_pool(unsigned index, void *arg) {
    struct apart *apart = arg;
    (void)index;
    __atomic_fetch_add(&apart->stopping, 1, __ATOMIC_ACQ_REL);
    blitz_future_wait(apart->other, NULL);
}

static intptr_t take_2_ms(void *arg) {
    (void)arg;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    return 2;
}

static void threads_that_wait_elsewhere_to_stop_are_away_once(void **state) {
    static struct apart apart;
    blitz_config config = {.workers = WORKERS, .on_stop = stop_in_another_pool, .hook_arg = &apart};
    blitz_pool *other, *pool;
    blitz_future *jobs[10];
    (void)state;
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = 1}, &other), 0);
    assert_int_equal(blitz_future_submit(other, wait_to_go, &apart, NULL, &apart.other), 0);
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0);
    assert_int_equal(blitz_pool_resize(pool, 1), 0);
    while (__atomic_load_n(&apart.stopping, __ATOMIC_ACQUIRE) < WORKERS - 1)
        sched_yield();
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); /* now they wait */
    for (int i = 0; i < 10; i++)
        assert_int_equal(blitz_future_submit(pool, take_2_ms, NULL, NULL, &jobs[i]), 0);
    for (int i = 0; i < 10; i++) {
        intptr_t value = 0;
        assert_int_equal(blitz_future_wait_for(jobs[i], UINT64_C(30000000000), &value), 0);
        assert_int_equal(value, 2);
        blitz_future_drop(jobs[i]);
    }
    assert_int_equal(__atomic_load_n(&apart.stopping, __ATOMIC_ACQUIRE), WORKERS - 1);
    set_flag(&apart.go);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    blitz_future_drop(apart.other);
    assert_int_equal(blitz_pool_destroy(other), 0);
}

static int note_place(size_t lo, size_t hi, void *outside) {
    (void)lo, (void)hi;
    if (!blitz_pool_current())
        __atomic_fetch_add((int *)outside, 1, __ATOMIC_RELAXED);
    return 0;
}

static int add_place(size_t lo, size_t hi, void *value, void *ctx) {
    (void)value;
    return note_place(lo, hi, ctx);
}

static void add_nothing(void *left, const void *right, void *ctx) {
    (void)left, (void)right, (void)ctx;
}

/* They may query their worker's number. */
static void bodies_are_inside_however_short_the_loop(void **state) {
    static const int none = 0;
    static const blitz_reduce_op op = {sizeof none, &none, add_place, add_nothing};
    (void)state;
    for (size_t n = 1; n < 40; n++) {
        int outside = 0, value;
        assert_int_equal(blitz_for(0, n, 10, note_place, &outside), 0);
        assert_int_equal(blitz_reduce(0, n, 10, &op, &outside, &value), 0);
        assert_int_equal(outside, 0);
    }
    assert_null(blitz_pool_current());
}

static void count_up(void *arg) {
    __atomic_fetch_add((int *)arg, 1, __ATOMIC_RELAXED);
}

static void the_totals_are_the_workers_sums(void **state) {
    enum { JOBS = 500 };
    blitz_pool *pool;
    blitz_stats total, one, sum = {0};
    int runs = 0;
    (void)state;
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = WORKERS}, &pool), 0);
    for (int i = 0; i < JOBS; i++)
        assert_int_equal(blitz_submit(pool, count_up, &runs), 0);
    assert_int_equal(blitz_wait_idle(pool), 0);
    assert_int_equal(runs, JOBS);
    assert_int_equal(blitz_stats_get(pool, &total), 0);
    for (unsigned i = 0; blitz_stats_worker(pool, i, &one) == 0; i++) {
        sum.tasks += one.tasks;
        sum.injected += one.injected;
    }
    assert_int_equal(total.tasks, JOBS);
    assert_int_equal(sum.tasks, JOBS);
    assert_int_equal(total.injected, sum.injected);
    assert_true(total.injected > 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void an_unknown_flag_is_an_error(void **state) {
    blitz_config config = {.flags = 4};
    blitz_pool *pool = NULL;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), EINVAL);
    assert_int_equal(blitz_configure(&config), EINVAL);
    assert_null(pool);
}

/* ---- names and pins ---- */

struct seen {
    const char *name; /* of the pool */
    unsigned reached, wrong;
    int cpus[64]; /* the CPU that the thread of this index is bound to; -1: more than one */
};

static void note_name(unsigned index, void *arg) {
    struct seen *seen = arg;
    char name[32], expected[32];
    snprintf(expected, sizeof expected, "%s-%u", seen->name, index);
    pthread_getname_np(pthread_self(), name, sizeof name);
    __atomic_fetch_add(&seen->reached, 1, __ATOMIC_RELAXED);
    if (strcmp(name, expected) != 0)
        __atomic_fetch_add(&seen->wrong, 1, __ATOMIC_RELAXED);
}

static void threads_have_names_also_after_a_resize(void **state) {
    blitz_config config = {.workers = 1, .name = "mine"};
    blitz_pool *pool;
    struct seen seen = {.name = "mine"};
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, note_name, &seen), 0);
    assert_int_equal(blitz_pool_resize(pool, WORKERS), 0);
    assert_int_equal(blitz_broadcast(pool, note_name, &seen), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(seen.reached, 1 + WORKERS);
    assert_int_equal(seen.wrong, 0);
}

static void an_empty_name_is_the_default(void **state) {
    blitz_config config = {.workers = WORKERS, .name = ""};
    blitz_pool *pool;
    struct seen seen = {.name = "blitz"};
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, note_name, &seen), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(seen.reached, WORKERS);
    assert_int_equal(seen.wrong, 0);
}

static unsigned workers_in_line(blitz_pool *pool) {
    char line[256];
    unsigned workers = UINT_MAX;
    blitz_stats_line(pool, line, sizeof line);
    assert_int_equal(sscanf(line, "%u workers: ", &workers), 1);
    return workers;
}

static void the_line_counts_the_workers_that_are_to_be(void **state) {
    blitz_config config = {.workers = 2};
    blitz_pool *pool;
    struct seen seen = {.name = "blitz"};
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(workers_in_line(pool), 2); /* none has started */
    assert_int_equal(blitz_pool_resize(pool, WORKERS), 0);
    assert_int_equal(blitz_broadcast(pool, note_name, &seen), 0);
    assert_int_equal(workers_in_line(pool), WORKERS);
    assert_int_equal(blitz_pool_resize(pool, 1), 0);
    assert_int_equal(workers_in_line(pool), 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static int only_cpu(void) {
    cpu_set_t set;
    if (pthread_getaffinity_np(pthread_self(), sizeof set, &set) != 0 || CPU_COUNT(&set) != 1)
        return -1;
    int cpu = 0;
    while (!CPU_ISSET(cpu, &set))
        cpu++;
    return cpu;
}

static void note_pin(unsigned index, void *arg) {
    ((struct seen *)arg)->cpus[index % 64] = only_cpu();
}

/* A pool that is pinned reads the CPUs when it is created, whatever its creator's are when its threads start. */
static void threads_are_pinned_where_asked(void **state) {
    blitz_config config = {.workers = WORKERS, .flags = BLITZ_POOL_PINNED};
    blitz_pool *pool;
    struct seen seen = {0};
    cpu_set_t set;
    int ids[CPU_SETSIZE], count = 0;
    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &set))
            ids[count++] = cpu;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    cpu_set_t last;
    CPU_ZERO(&last);
    CPU_SET(ids[count - 1], &last);
    assert_int_equal(sched_setaffinity(0, sizeof last, &last), 0);
    assert_int_equal(blitz_broadcast(pool, note_pin, &seen), 0);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(seen.cpus[i], ids[i % count]);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    config.flags = 0; /* the same threads serve it, and are free again */
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, note_pin, &seen), 0);
    for (int i = 0; i < WORKERS; i++)
        assert_int_equal(seen.cpus[i], count == 1 ? ids[0] : -1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* ---- lent threads ---- */

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void a_lease_ends_with_its_time(void **state) {
    blitz_config config = {.workers = 1};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    uint64_t start = now_ns();
    assert_int_equal(blitz_pool_lend(pool, 5000000), 0);
    assert_true(now_ns() - start >= 5000000);
    assert_null(blitz_pool_current());
    assert_int_equal(blitz_pool_lend(pool, 0), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    config.flags = BLITZ_POOL_SERIAL;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_pool_lend(pool, BLITZ_FOREVER), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* Two jobs that wait for each other end in a pool of one only if a lent thread runs one of them. */
struct lent {
    blitz_pool *pool;
    int begun, go, over;
    int both[2];
};

static void meet(void *arg) {
    struct lent *lent = arg;
    int second = __atomic_exchange_n(&lent->begun, 1, __ATOMIC_ACQ_REL);
    set_flag(&lent->both[second]);
    wait_for_flag(&lent->both[!second]);
}

static void *lend_thread(void *arg) {
    struct lent *lent = arg;
    started = 0;
    int error = blitz_pool_lend(lent->pool, BLITZ_FOREVER);
    set_flag(&lent->over);
    return error ? arg : NULL;
}

static void try_to_lend(void *arg) {
    struct lent *lent = arg;
    lent->go = blitz_pool_lend(lent->pool, 1) == EDEADLK;
}

static void a_lent_thread_works_until_it_is_recalled(void **state) {
    struct hooked counts = {0};
    blitz_config config = {.workers = 1, .on_start = on_start, .on_stop = on_stop, .hook_arg = &counts};
    struct lent lent = {0};
    pthread_t thread;
    void *failed;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &lent.pool), 0);
    assert_int_equal(pthread_create(&thread, NULL, lend_thread, &lent), 0);
    assert_int_equal(blitz_submit(lent.pool, meet, &lent), 0);
    assert_int_equal(blitz_submit(lent.pool, meet, &lent), 0);
    assert_int_equal(blitz_wait_idle(lent.pool), 0);
    assert_int_equal(__atomic_load_n(&lent.over, __ATOMIC_ACQUIRE), 0);
    assert_int_equal(blitz_call(lent.pool, try_to_lend, &lent), 0);
    assert_true(lent.go);
    assert_int_equal(blitz_pool_recall(lent.pool), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
    assert_int_equal(blitz_broadcast(lent.pool, nothing, NULL), 0);
    assert_int_equal(blitz_pool_destroy(lent.pool), 0);
    assert_int_equal(counts.starts, counts.stops);
    assert_true(counts.starts >= 2);
    assert_int_equal(counts.wrong, 0);
}

static void the_end_of_a_pool_is_a_recall(void **state) {
    blitz_config config = {.workers = 1};
    struct lent lent = {0};
    pthread_t thread;
    void *failed;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &lent.pool), 0);
    assert_int_equal(pthread_create(&thread, NULL, lend_thread, &lent), 0);
    assert_int_equal(blitz_submit(lent.pool, meet, &lent), 0);
    assert_int_equal(blitz_submit(lent.pool, meet, &lent), 0);
    assert_int_equal(blitz_pool_destroy(lent.pool), 0);
    assert_int_equal(pthread_join(thread, &failed), 0);
    assert_null(failed);
}

/* ---- jobs that one thread has taken ---- */

static int begun, gate;

static void wait_until(const int *word, int value) {
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) < value)
        sched_yield();
}

static void pass_gate(void *arg) {
    (void)arg;
    __atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
    wait_until(&gate, 1);
}

/* Until the other job runs. */
static intptr_t find_the_other(void *arg) {
    __atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
    wait_until(&begun, 3);
    return (intptr_t)arg;
}

static void wait_inside(void *arg) {
    blitz_pool *pool = arg;
    blitz_future *futures[2];
    intptr_t value;
    assert_int_equal(blitz_submit(pool, pass_gate, NULL), 0);
    wait_until(&begun, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(blitz_future_submit(pool, find_the_other, (void *)(intptr_t)i, NULL, &futures[i]),
                         0);
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
    wait_until(&begun, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(blitz_future_wait(futures[i], &value), 0);
        assert_int_equal(value, i);
        blitz_future_drop(futures[i]);
    }
}

/* The pool's thread takes both jobs at once while no thread slot is free. It runs the first; a thread that waits for
 * that one frees a slot for a thread that runs the second. */
static void who_waits_makes_room_for_what_others_have_queued(void **state) {
    blitz_config config = {.workers = 2};
    blitz_pool *pool;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, wait_inside, pool), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_starts_and_stops),
        cmocka_unit_test(hooks_may_need_threads_themselves),
        cmocka_unit_test(a_broadcast_reaches_all_while_others_stop),
        cmocka_unit_test(jobs_run_where_the_last_broadcast_has_been),
        cmocka_unit_test(threads_that_wait_elsewhere_to_stop_are_away_once),
        cmocka_unit_test(bodies_are_inside_however_short_the_loop),
        cmocka_unit_test(the_totals_are_the_workers_sums),
        cmocka_unit_test(an_unknown_flag_is_an_error),
        cmocka_unit_test(threads_have_names_also_after_a_resize),
        cmocka_unit_test(an_empty_name_is_the_default),
        cmocka_unit_test(the_line_counts_the_workers_that_are_to_be),
        cmocka_unit_test(threads_are_pinned_where_asked),
        cmocka_unit_test(a_lease_ends_with_its_time),
        cmocka_unit_test(a_lent_thread_works_until_it_is_recalled),
        cmocka_unit_test(the_end_of_a_pool_is_a_recall),
        cmocka_unit_test(who_waits_makes_room_for_what_others_have_queued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
