/* The accounting of statistics (compat/tools/stats/account.c), by made-up events at made-up times: one tick is one unit.
 * And small parts of its reports. */
#include <pthread.h>

#include "../asserts.h"
#include "tools/common/ticks.h"
#include "tools/stats/account.h"
#include "tools/stats/report.h"
#include "tools/stats/summary.h"

enum { HERE = 0x1000, THERE = 0x2000, INNER = 0x3000, LOOP = 0x4000, NAME = 0x5000, STATIC = 10 };

static struct bomp_stats_thread *one, *other; /* two threads, played by this one */
static struct bomp_stats_task *initial;       /* of the first one */

static int begin(void **state) {
    (void)state;
    bomp_ticks_begin();
    bomp_stats_serial_begin(0, false);
    one = bomp_stats_thread_begin();
    other = bomp_stats_thread_begin();
    one->is_main = true;
    initial = bomp_stats_member_begin(one, 0, NULL, 1, 0);
    return one && other && initial ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    bomp_stats_threads_free();
    return 0;
}

static uint64_t region_count(struct bomp_stats_thread *thread, uintptr_t place, unsigned count) {
    return bomp_stats_places_find(&thread->places[BOMP_STATS_REGIONS], place, 0)->counts[count].v;
}

/* Of both threads together. */
static uint64_t region_sum(uintptr_t place, unsigned count) {
    return region_count(one, place, count) + region_count(other, place, count);
}

static uint64_t task_count(struct bomp_stats_thread *thread, uintptr_t place, unsigned count) {
    return bomp_stats_places_find(&thread->places[BOMP_STATS_TASKS], place, 0)->counts[count].v;
}

static uint64_t work_count(struct bomp_stats_thread *thread, uintptr_t place, unsigned count) {
    return bomp_stats_places_find(&thread->places[BOMP_STATS_WORKS], place, STATIC)->counts[count].v;
}

/* A region of two from 100 to 400: the first member is busy from 110 to 390, the second from 120 to 200, and waits. */
static void test_region(void **state) {
    (void)state;
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 100, HERE);
    struct bomp_stats_task *mine = bomp_stats_member_begin(one, 110, region, 2, 0);
    struct bomp_stats_task *its = bomp_stats_member_begin(other, 120, region, 2, 1);
    bomp_stats_wait_begin(other, 200, BOMP_STATS_BARRIER);
    bomp_stats_wait_begin(one, 390, BOMP_STATS_BARRIER);
    bomp_stats_wait_end(other, 391);
    bomp_stats_member_end(other, 392, its);
    bomp_stats_wait_end(one, 392);
    bomp_stats_member_end(one, 395, mine);
    bomp_stats_region_end(one, 400, region);
    assert_int_equal(region_sum(HERE, BOMP_REGION_CALLS), 1);
    assert_int_equal(region_sum(HERE, BOMP_REGION_WALL), 300);
    assert_int_equal(region_sum(HERE, BOMP_REGION_THREAD_TIME), 600);
    assert_int_equal(region_sum(HERE, BOMP_REGION_BUSY), 280 + 3 + 80 + 1);
    assert_int_equal(region_sum(HERE, BOMP_REGION_BARRIER), 191 + 2);
    assert_int_equal(region_sum(HERE, BOMP_REGION_BUSIEST), 283);
    assert_int_equal(region_sum(HERE, BOMP_REGION_MEAN), (283 + 81) / 2);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_TEAM), 2);
    assert_int_equal(other->waits[BOMP_STATS_BARRIER][BOMP_WAIT_LONGEST].v, 191);
    bomp_stats_member_end(one, 500, initial);
    assert_int_equal(bomp_stats_serial(500), 100 + 100);
}

/* Several host threads have regions of their own: time in none of these is outside of all. */
static void test_hosts(void **state) {
    (void)state;
    bomp_stats_serial_begin(0, false);
    struct bomp_stats_region *first = bomp_stats_region_begin(one, 100, HERE);
    struct bomp_stats_region *second = bomp_stats_region_begin(other, 150, HERE);
    bomp_stats_region_end(one, 200, first);
    assert_int_equal(bomp_stats_serial(300), 100);
    bomp_stats_region_end(other, 300, second);
    assert_int_equal(bomp_stats_serial(340), 100 + 40);
    struct bomp_stats_region *third = bomp_stats_region_begin(other, 350, HERE);
    assert_int_equal(bomp_stats_serial(400), 100 + 50);
    bomp_stats_region_end(other, 400, third);
    bomp_stats_serial_begin(500, true); /* a child of a fork in its own region */
    assert_int_equal(bomp_stats_serial(600), 0);
}

/* A member that reports its end with its next region has waited no longer than its region lasted. */
static void test_late_end(void **state) {
    (void)state;
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 0, HERE);
    struct bomp_stats_task *mine = bomp_stats_member_begin(one, 0, region, 2, 0);
    struct bomp_stats_task *its = bomp_stats_member_begin(other, 0, region, 2, 1);
    bomp_stats_wait_begin(other, 50, BOMP_STATS_BARRIER);
    bomp_stats_member_end(one, 100, mine);
    bomp_stats_region_end(one, 100, region);
    bomp_stats_wait_end(other, 100000);
    bomp_stats_member_end(other, 100000, its);
    assert_int_equal(region_sum(HERE, BOMP_REGION_BARRIER), 50);
    assert_int_equal(region_sum(HERE, BOMP_REGION_BUSIEST), 100);
}

/* Time in a nested region does not count for the outer one. */
static void test_nested(void **state) {
    (void)state;
    struct bomp_stats_region *outer = bomp_stats_region_begin(one, 0, HERE);
    struct bomp_stats_task *mine = bomp_stats_member_begin(one, 0, outer, 1, 0);
    struct bomp_stats_region *inner = bomp_stats_region_begin(one, 10, INNER);
    struct bomp_stats_task *within = bomp_stats_member_begin(one, 15, inner, 1, 0);
    bomp_stats_member_end(one, 95, within);
    bomp_stats_region_end(one, 100, inner);
    bomp_stats_member_end(one, 130, mine);
    bomp_stats_region_end(one, 130, outer);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_BUSY), 10 + 30);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_OPENING), 5 + 5);
    assert_int_equal(region_count(one, INNER, BOMP_REGION_BUSY), 80);
    assert_int_equal(region_count(one, INNER, BOMP_REGION_WALL), 90);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_WALL), 130);
}

/* Tasks. */

static struct bomp_stats_task *run(struct bomp_stats_thread *thread, uint64_t from, uint64_t to,
                                   struct bomp_stats_task *task, struct bomp_stats_task *back) {
    bomp_stats_switch(thread, from, back, BOMP_STATS_LEFT, task);
    bomp_stats_switch(thread, to, task, BOMP_STATS_ENDED, back);
    bomp_stats_task_free(thread, task);
    return back;
}

/* One at once, one in a taskwait, one undeferred, one by another thread. */
static void test_how_tasks_run(void **state) {
    (void)state;
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 0, HERE);
    struct bomp_stats_task *mine = bomp_stats_member_begin(one, 0, region, 2, 0);
    struct bomp_stats_task *its = bomp_stats_member_begin(other, 0, region, 2, 1);
    run(one, 10, 20, bomp_stats_task_create(one, THERE, 0), mine);
    struct bomp_stats_task *queued = bomp_stats_task_create(one, THERE, 0);
    struct bomp_stats_task *stolen = bomp_stats_task_create(one, THERE, 0);
    bomp_stats_wait_begin(one, 30, BOMP_STATS_TASKWAIT);
    run(one, 31, 41, queued, mine);
    run(other, 35, 55, stolen, its);
    bomp_stats_wait_end(one, 60);
    struct bomp_stats_task *undeferred = bomp_stats_task_create(one, THERE, BOMP_STATS_UNDEFERRED);
    (void)bomp_stats_task_create(one, INNER, 0);
    run(one, 70, 75, undeferred, mine);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_CREATED), 4);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_AT_ONCE), 2);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_STOLEN), 0);
    assert_int_equal(task_count(other, THERE, BOMP_TASK_STOLEN), 1);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_ENDED), 3);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_BODY), 10 + 10 + 5);
    assert_int_equal(task_count(other, THERE, BOMP_TASK_LONGEST), 20);
    assert_int_equal(one->waits[BOMP_STATS_TASKWAIT][BOMP_WAIT_TOTAL].v, 1 + 19);
    bomp_stats_member_end(one, 100, mine);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_TASKS), 5);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_BUSY), 100 - 20);
}

/* A task that waits for its child, which its thread runs meanwhile: own time and inclusive time. */
static void test_task_in_task(void **state) {
    (void)state;
    struct bomp_stats_task *parent = bomp_stats_task_create(one, HERE, 0);
    bomp_stats_switch(one, 10, initial, BOMP_STATS_LEFT, parent);
    struct bomp_stats_task *child = bomp_stats_task_create(one, THERE, 0);
    bomp_stats_wait_begin(one, 15, BOMP_STATS_TASKWAIT);
    run(one, 20, 120, child, parent);
    bomp_stats_wait_end(one, 125);
    bomp_stats_switch(one, 130, parent, BOMP_STATS_ENDED, initial);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_BODY), 5 + 5);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_INCLUSIVE), 120);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_SUSPENDED), 1);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_BODY), 100);
    assert_int_equal(one->waits[BOMP_STATS_TASKWAIT][BOMP_WAIT_TOTAL].v, 10);
}

/* Two tasks of one thread that alternate, not one inside the other. */
static void test_suspended(void **state) {
    (void)state;
    struct bomp_stats_task *a = bomp_stats_task_create(one, HERE, 0);
    struct bomp_stats_task *b = bomp_stats_task_create(one, THERE, 0);
    bomp_stats_switch(one, 10, initial, BOMP_STATS_LEFT, a);
    bomp_stats_switch(one, 20, a, BOMP_STATS_LEFT, b);
    bomp_stats_switch(one, 50, b, BOMP_STATS_LEFT, a);
    bomp_stats_switch(one, 60, a, BOMP_STATS_ENDED, b);
    bomp_stats_switch(one, 90, b, BOMP_STATS_ENDED, initial);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_BODY), 20);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_BODY), 60);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_SUSPENDED), 1);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_SUSPENDED), 1);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_LONGEST), 20);
}

/* Cancelled before its body, and in it. */
static void test_cancelled(void **state) {
    (void)state;
    struct bomp_stats_task *never = bomp_stats_task_create(one, HERE, 0);
    struct bomp_stats_task *cut = bomp_stats_task_create(one, HERE, 0);
    bomp_stats_switch(one, 10, never, BOMP_STATS_CANCELLED, initial);
    bomp_stats_switch(one, 20, initial, BOMP_STATS_LEFT, cut);
    bomp_stats_switch(one, 27, cut, BOMP_STATS_CANCELLED, initial);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_CANCELLED), 2);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_ENDED), 0);
    assert_int_equal(task_count(one, HERE, BOMP_TASK_BODY), 7);
}

/* An undeferred task that is not ready: its creator waits, and may run others meanwhile. */
static void test_awaited(void **state) {
    (void)state;
    struct bomp_stats_task *before = bomp_stats_task_create(one, HERE, 0);
    struct bomp_stats_task *task = bomp_stats_task_create(one, THERE, BOMP_STATS_UNDEFERRED);
    bomp_stats_await(one, 100, task);
    run(one, 110, 150, before, initial);
    run(one, 155, 160, task, initial);
    assert_int_equal(one->waits[BOMP_STATS_DEPEND][BOMP_WAIT_COUNT].v, 1);
    assert_int_equal(one->waits[BOMP_STATS_DEPEND][BOMP_WAIT_TOTAL].v, 10 + 5);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_AT_ONCE), 1);
    assert_int_equal(initial->state.v, BOMP_STATS_BUSY);
}

/* The memory of tasks that other threads end returns to their creator. */
static void test_memory(void **state) {
    (void)state;
    void *first = NULL;
    struct bomp_stats_task *theirs = bomp_stats_member_begin(other, 0, NULL, 1, 0);
    for (int i = 0; i < 10000; i++) {
        struct bomp_stats_task *task = bomp_stats_task_create(one, HERE, 0);
        first = first && first < (void *)task ? first : task;
        assert_true((char *)task < (char *)first + 128 * sizeof *task);
        run(other, 0, 1, task, theirs);
    }
    assert_int_equal(task_count(other, HERE, BOMP_TASK_STOLEN), 10000);
}

/* Waits. */

/* A lock: acquired at once, after a wait, by a test, and again by the same thread. */
static void test_locks(void **state) {
    (void)state;
    bomp_stats_acquire(one, 10, BOMP_STATS_LOCK, NAME, HERE);
    bomp_stats_acquired(one, 10, BOMP_STATS_LOCK, NAME, HERE);
    bomp_stats_acquire(one, 20, BOMP_STATS_LOCK, NAME, HERE);
    bomp_stats_acquired(one, 70, BOMP_STATS_LOCK, NAME, HERE);
    bomp_stats_acquired(one, 80, BOMP_STATS_LOCK, NAME, HERE);
    struct bomp_stats_place *place =
        bomp_stats_places_find(&one->places[BOMP_STATS_MUTEXES], NAME, BOMP_STATS_LOCK);
    assert_int_equal(place->counts[BOMP_MUTEX_ACQUIRED].v, 3);
    assert_int_equal(place->counts[BOMP_MUTEX_WAITED].v, 50);
    assert_int_equal(place->counts[BOMP_MUTEX_LONGEST].v, 50);
    assert_int_equal(place->site.v, HERE);
    assert_int_equal(one->waits[BOMP_STATS_LOCK][BOMP_WAIT_COUNT].v, 2);
    assert_int_equal(initial->state.v, BOMP_STATS_BUSY);
}

/* A barrier right after a loop belongs to the loop; a later one does not. */
static void test_barrier_of_loop(void **state) {
    (void)state;
    uint64_t long_after = 2 * bomp_ticks_in(50000);
    bomp_stats_work_begin(one, 100, LOOP, STATIC);
    bomp_stats_chunk(one);
    bomp_stats_chunk(one);
    bomp_stats_work_end(one, 400);
    bomp_stats_wait_begin(one, 401, BOMP_STATS_BARRIER);
    bomp_stats_wait_end(one, 451);
    bomp_stats_wait_begin(one, 460, BOMP_STATS_BARRIER);
    bomp_stats_wait_end(one, 470);
    assert_int_equal(work_count(one, LOOP, BOMP_WORK_ENTERED), 1);
    assert_int_equal(work_count(one, LOOP, BOMP_WORK_CHUNKS), 2);
    assert_int_equal(work_count(one, LOOP, BOMP_WORK_BUSY), 300);
    assert_int_equal(work_count(one, LOOP, BOMP_WORK_WAITED), 50);
    bomp_stats_work_begin(one, 500, LOOP, STATIC);
    bomp_stats_work_end(one, 501);
    bomp_stats_wait_begin(one, 500 + long_after, BOMP_STATS_BARRIER);
    bomp_stats_wait_end(one, 600 + long_after);
    assert_int_equal(work_count(one, LOOP, BOMP_WORK_WAITED), 50);
}

/* Work belongs to the region where it first ran. */
static void test_work_of_region(void **state) {
    (void)state;
    bomp_stats_work_begin(one, 0, LOOP, STATIC);
    struct bomp_stats_place *work = bomp_stats_places_find(&one->places[BOMP_STATS_WORKS], LOOP, STATIC);
    assert_int_equal(work->site.v, 0);
    const uintptr_t places[] = {HERE, THERE};
    for (int i = 0; i < 2; i++) {
        struct bomp_stats_region *region = bomp_stats_region_begin(one, 0, places[i]);
        struct bomp_stats_task *mine = bomp_stats_member_begin(one, 0, region, 1, 0);
        bomp_stats_work_begin(one, 0, LOOP, STATIC);
        assert_int_equal(work->site.v, HERE);
        bomp_stats_member_end(one, 10, mine);
        bomp_stats_region_end(one, 10, region);
    }
    struct bomp_stats_summary summary;
    assert_true(bomp_stats_summary_make(&summary, 10, 2));
    work = bomp_stats_places_find(&summary.places[BOMP_STATS_WORKS], LOOP, STATIC);
    assert_int_equal(work->site.v, HERE);
    bomp_stats_summary_free(&summary);
}

/* Tables. */

/* More places than fit: the rest are counted together, and none twice. */
static void test_bounded(void **state) {
    (void)state;
    const int places = 3 * BOMP_STATS_PLACES_MAX;
    for (int round = 0; round < 2; round++)
        for (int i = 1; i <= places; i++)
            (void)bomp_stats_task_create(one, (uintptr_t)i * 64, 0);
    struct bomp_stats_places *tasks = &one->places[BOMP_STATS_TASKS];
    assert_int_equal(tasks->count.v, BOMP_STATS_PLACES_MAX);
    assert_int_equal(tasks->refused.v, 2 * (places - BOMP_STATS_PLACES_MAX + 1));
    assert_int_equal(task_count(one, 64, BOMP_TASK_CREATED), 2);
    assert_int_equal(bomp_stats_places_at(tasks, 0)->counts[BOMP_TASK_CREATED].v, tasks->refused.v);
}

/* A thread that starts after another has ended continues its table. */
static void test_threads_come_and_go(void **state) {
    (void)state;
    unsigned tables = 0;
    for (int i = 0; i < 1000; i++) {
        struct bomp_stats_thread *thread = bomp_stats_thread_begin();
        bomp_stats_work_note(thread, LOOP, STATIC);
        bomp_stats_thread_end(thread);
    }
    for (struct bomp_stats_thread *thread = bomp_stats_threads(); thread; thread = thread->next)
        tables++;
    assert_int_equal(tables, 3);
    assert_int_equal(work_count(bomp_stats_threads(), LOOP, BOMP_WORK_ENTERED), 1000);
}

static void *be_a_thread(void *arg) {
    struct bomp_stats_thread *thread = bomp_stats_thread_begin();
    struct bomp_stats_task *mine = bomp_stats_member_begin(thread, 0, arg, 8, 1);
    for (int i = 0; i < 1000; i++)
        run(thread, 0, 1, bomp_stats_task_create(thread, HERE, 0), mine);
    bomp_stats_member_end(thread, 10, mine);
    bomp_stats_thread_end(thread);
    return NULL;
}

/* Many at once: nothing is lost, and the last one to leave the region sees all counts. */
static void test_real_threads(void **state) {
    (void)state;
    enum { THREADS = 8 };
    struct bomp_stats_summary summary;
    pthread_t threads[THREADS];
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 0, HERE);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, be_a_thread, region), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    bomp_stats_region_end(one, 1000000, region);
    assert_true(bomp_stats_summary_make(&summary, 1000000, 2));
    struct bz_a64 *tasks = bomp_stats_places_find(&summary.places[BOMP_STATS_TASKS], HERE, 0)->counts;
    struct bz_a64 *regions = bomp_stats_places_find(&summary.places[BOMP_STATS_REGIONS], HERE, 0)->counts;
    assert_int_equal(tasks[BOMP_TASK_CREATED].v, 8000);
    assert_int_equal(tasks[BOMP_TASK_ENDED].v, 8000);
    assert_int_equal(tasks[BOMP_TASK_AT_ONCE].v, 8000);
    assert_int_equal(regions[BOMP_REGION_CALLS].v, 1);
    assert_int_equal(regions[BOMP_REGION_THREADS].v, 8);
    assert_true(regions[BOMP_REGION_BUSIEST].v >= regions[BOMP_REGION_MEAN].v);
    bomp_stats_summary_free(&summary);
}

/* The program ends inside a region: the current region and task count until then. */
static void test_end_in_region(void **state) {
    (void)state;
    struct bomp_stats_summary summary;
    const uint64_t tick = 1000000;
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 100 * tick, HERE);
    (void)bomp_stats_member_begin(one, 100 * tick, region, 2, 0);
    (void)bomp_stats_member_begin(other, 100 * tick, region, 2, 1);
    bomp_stats_wait_begin(other, 300 * tick, BOMP_STATS_BARRIER);
    assert_true(bomp_stats_summary_make(&summary, 500 * tick, 2));
    double ns = bomp_ns_per_tick() * (double)tick;
    struct bz_a64 *counts = bomp_stats_places_find(&summary.places[BOMP_STATS_REGIONS], HERE, 0)->counts;
    assert_int_equal(counts[BOMP_REGION_CALLS].v, 1);
    assert_true(counts[BOMP_REGION_WALL].v / ns > 399 && counts[BOMP_REGION_WALL].v / ns < 401);
    assert_true(counts[BOMP_REGION_BUSY].v / ns > 599 && counts[BOMP_REGION_BUSY].v / ns < 601);
    assert_true(counts[BOMP_REGION_BARRIER].v / ns > 199 && counts[BOMP_REGION_BARRIER].v / ns < 201);
    assert_true(summary.serial / ns > 99 && summary.serial / ns < 101);
    bomp_stats_summary_free(&summary);
}

/* The child of a fork begins at 0, in its current region. */
static void test_fork(void **state) {
    (void)state;
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 0, HERE);
    struct bomp_stats_task *mine = bomp_stats_member_begin(one, 0, region, 1, 0);
    run(one, 10, 20, bomp_stats_task_create(one, THERE, 0), mine);
    bomp_stats_threads_forked(one, 1000);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_CREATED), 0);
    run(one, 1010, 1030, bomp_stats_task_create(one, THERE, 0), mine);
    bomp_stats_member_end(one, 1100, mine);
    bomp_stats_region_end(one, 1100, region);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_CREATED), 1);
    assert_int_equal(task_count(one, THERE, BOMP_TASK_BODY), 20);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_BUSY), 100);
    assert_int_equal(region_count(one, HERE, BOMP_REGION_WALL), 100);
    assert_false(other->is_used.v);
    struct bomp_stats_summary summary;
    assert_true(bomp_stats_summary_make(&summary, 1100, 2));
    assert_int_equal(summary.tables, 1);
    bomp_stats_summary_free(&summary);
    assert_ptr_equal(bomp_stats_thread_begin(), other);
    assert_true(bomp_stats_summary_make(&summary, 1100, 2));
    assert_int_equal(summary.tables, 2);
    bomp_stats_summary_free(&summary);
}

/* Events out of order: the end of a member also ends those inside it, and unknown ones do nothing. */
static void test_odd_events(void **state) {
    (void)state;
    struct bomp_stats_region *region = bomp_stats_region_begin(one, 0, HERE);
    struct bomp_stats_task *mine = bomp_stats_member_begin(one, 0, region, 1, 0);
    struct bomp_stats_task *within = bomp_stats_member_begin(one, 5, NULL, 1, 0);
    bomp_stats_member_end(one, 10, mine);
    assert_ptr_equal(one->current.v, initial);
    bomp_stats_member_end(one, 20, within);
    assert_ptr_equal(one->current.v, initial);
    bomp_stats_wait_end(one, 30);
    bomp_stats_region_end(one, 40, NULL);
    bomp_stats_switch(one, 50, NULL, BOMP_STATS_LEFT, NULL);
    bomp_stats_wait_begin(one, 60, BOMP_STATS_TASKWAIT);
    bomp_stats_wait_end(one, 70);
    assert_int_equal(one->waits[BOMP_STATS_TASKWAIT][BOMP_WAIT_COUNT].v, 0);
}

/* A thread without memory for a member: its events are not counted. */
static void test_no_member(void **state) {
    (void)state;
    struct bomp_stats_task *task = bomp_stats_task_create(other, THERE, 0);
    bomp_stats_switch(other, 10, NULL, BOMP_STATS_LEFT, task);
    for (enum bomp_stats_state wait = BOMP_STATS_BARRIER; wait <= BOMP_STATS_TASKWAIT; wait++) {
        bomp_stats_wait_begin(other, 20, wait);
        bomp_stats_wait_end(other, 30);
    }
    bomp_stats_work_begin(other, 40, LOOP, STATIC);
    bomp_stats_chunk(other);
    bomp_stats_work_end(other, 50);
    bomp_stats_switch(other, 60, task, BOMP_STATS_ENDED, NULL);
    assert_int_equal(task_count(other, THERE, BOMP_TASK_ENDED), 1);
    assert_int_equal(other->waits[BOMP_STATS_TASKWAIT][BOMP_WAIT_COUNT].v, 0);
}

/* Parts of reports. */

static void test_times(void **state) {
    static const struct {
        uint64_t ns;
        const char *shown;
    } cases[] = {{0, "0 ns"},
                 {999, "999 ns"},
                 {1000, "1.00 us"},
                 {12345, "12.3 us"},
                 {123456, "123 us"},
                 {1234567, "1.23 ms"},
                 {999999999, "1000 ms"},
                 {1000000000, "1.00 s"},
                 {90061000000, "90.1 s"},
                 {1234567890123, "1235 s"}};
    struct bomp_text text = {0};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bomp_stats_print_time(&text, cases[i].ns);
        assert_string_equal(text.bytes, cases[i].shown);
        text.length = 0;
    }
    bomp_text_free(&text);
}

static void test_values(void **state) {
    static const struct {
        const char *value;
        bool asks;
        const char *file;
    } cases[] = {{NULL, false, NULL},        {"", false, NULL},
                 {"0", false, NULL},         {"false", false, NULL},
                 {"1", true, NULL},          {"yes", true, NULL},
                 {"a.json", true, "a.json"}, {"/tmp/%p.json", true, "/tmp/%p.json"},
                 {".json", false, NULL},     {"stats.txt", false, NULL},
                 {"2", false, NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *file;
        assert_int_equal(bomp_stats_asked(cases[i].value, &file), cases[i].asks);
        assert_int_equal(file == NULL, cases[i].file == NULL);
        if (file)
            assert_string_equal(file, cases[i].file);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_region),         TEST(test_hosts),         TEST(test_late_end),
        TEST(test_nested),         TEST(test_how_tasks_run), TEST(test_task_in_task),
        TEST(test_suspended),      TEST(test_cancelled),     TEST(test_awaited),
        TEST(test_memory),         TEST(test_locks),         TEST(test_barrier_of_loop),
        TEST(test_work_of_region), TEST(test_bounded),       TEST(test_threads_come_and_go),
        TEST(test_real_threads),   TEST(test_end_in_region), TEST(test_fork),
        TEST(test_odd_events),     TEST(test_no_member),     TEST(test_times),
        TEST(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
