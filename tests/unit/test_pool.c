/* test_pool.c: pool.h: when threads start and leave, where external threads work, and behaviour without a free place or
 * memory; test_pool_threads.c has no threads, stress_pool.c has pools under load. */
#include "pool/pool.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "../team_run.h"
#include "in_child.h"
#include "os/os.h"
#include "pools.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/fence.h"

/* Some tests fork a child with threads of its own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

/* ---- what is replaced (linked with --wrap=NAME) ---- */

static struct bz_aflag no_blocks;

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    return bz_load_relaxed(&no_blocks) ? NULL : __real_bz_os_alloc(size);
}

/* ---- tools ---- */

static bool is_raised(struct bz_a32 *word) {
    return bz_load_acquire(word) > 0;
}

/* ---- threads ---- */

static void a_pool_starts_no_thread_before_there_is_work(void **state) {
    (void)state;
    unsigned cached = bz_thread_cache_size();
    blitz_pool *pool = make_pool(8);
    assert_int_equal(threads_of(pool), 0);
    assert_int_equal(pool->unstarted, 8);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(bz_thread_cache_size(), cached);
}

struct seen {
    blitz_pool *pool;
    pthread_t caller;
    struct bz_a32 elsewhere, indices;
    unsigned most_threads;
};

static void check_running_thread(void *arg) {
    struct seen *seen = arg;
    if (!pthread_equal(pthread_self(), seen->caller))
        bz_fetch_add_relaxed(&seen->elsewhere, 1);
}

static void use_all_verbs(void *arg) {
    struct seen *seen = arg;
    blitz_scope scope;
    blitz_join(check_running_thread, seen, check_running_thread, seen);
    blitz_for(0, 1000, 1, count_indices, &seen->indices);
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, check_running_thread, seen);
    blitz_scope_wait(&scope);
    unsigned threads = threads_of(seen->pool);
    seen->most_threads = threads > seen->most_threads ? threads : seen->most_threads;
}

static void a_pool_of_one_runs_all_on_the_caller(void **state) {
    (void)state;
    struct seen seen = {.pool = make_pool(1), .caller = pthread_self()};
    for (unsigned i = 0; i < 100; i++)
        assert_int_equal(blitz_call(seen.pool, use_all_verbs, &seen), 0);
    assert_int_equal(seen.elsewhere.v, 0);
    assert_int_equal(seen.indices.v, 100000);
    assert_int_equal(threads_of(seen.pool), 0);
    assert_int_equal(seen.pool->places, 1);
    assert_int_equal(blitz_pool_destroy(seen.pool), 0);
}

static void an_external_thread_counts_as_one_of_the_workers(void **state) {
    (void)state;
    struct seen seen = {.pool = make_pool(3), .caller = pthread_self()};
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(blitz_call(seen.pool, use_all_verbs, &seen), 0);
    assert_true(seen.most_threads <= 2);
    assert_int_equal(blitz_pool_destroy(seen.pool), 0);
}

#define FORKS 5

/* Only waits for its own forks, which a thief cannot get by a steal request. */
static void fork_and_be_busy(void *arg) {
    struct bz_a32 *done = arg;
    blitz_frame frames[FORKS];
    bz_store_relaxed(done, 0);
    for (int i = 0; i < FORKS; i++)
        blitz_fork(&frames[i], raise_word, done);
    while (bz_load_relaxed(done) < FORKS) /* a hang ends the test */
        bz_cpu_relax();
    for (int i = FORKS; i-- > 0;)
        blitz_sync(&frames[i]);
}

static void others_run_what_a_busy_job_forked(void **state) {
    (void)state;
    if (bz_load_relaxed(&bz_fence_symmetric)) /* no barrier on other threads: they cannot */
        skip();
    for (unsigned workers = 2; workers <= 4; workers++) {
        struct bz_a32 done;
        blitz_pool *pool = make_pool(workers);
        for (unsigned i = 0; i < 100; i++)
            assert_int_equal(blitz_call(pool, fork_and_be_busy, &done), 0);
        assert_int_equal(blitz_pool_destroy(pool), 0);
    }
}

static void a_submitted_job_starts_a_thread(void **state) {
    (void)state;
    struct bz_a32 done = {0};
    blitz_pool *pool = make_pool(1);
    assert_int_equal(blitz_submit(pool, raise_word, &done), 0);
    rig_until(is_raised(&done));
    assert_int_equal(threads_of(pool), 1);
    assert_int_equal(blitz_wait_idle(pool), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void keep_policy(void *arg) {
    bz_store_release((struct bz_a32 *)arg, 1 + (uint32_t)bz_self->spin_policy);
}

static void a_thread_that_was_woken_for_a_job_then_yields_early(void **state) {
    (void)state;
    blitz_pool *pool = make_pool(1);
    struct bz_a32 policy = {0};
    assert_int_equal(blitz_submit(pool, keep_policy, &policy), 0);
    rig_until(is_raised(&policy));
    struct bz_worker *worker = pool->domain.slots[0].v;
    rig_until(bz_load_relaxed(&worker->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    bz_store_relaxed(&policy, 0);
    assert_int_equal(blitz_submit(pool, keep_policy, &policy), 0);
    rig_until(is_raised(&policy));
    assert_int_equal(policy.v, 1 + BZ_YIELD_EARLY);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

struct stay {
    blitz_pool *pool;
    struct bz_a32 done;
    uint32_t submitted;
    bool alone;
};

static void stay_until_alone(void *arg) {
    struct stay *stay = arg;
    do {
        assert_int_equal(blitz_submit(stay->pool, raise_word, &stay->done), 0);
        stay->submitted++;
        bz_os_yield();
    } while (threads_of(stay->pool) > 0);
}

/* The pool of one has a thread of its own, and now an external one that stays. */
static void a_thread_makes_room_for_an_external_one_that_stays(void **state) {
    (void)state;
    struct stay stay = {.pool = make_pool(1), .submitted = 1};
    assert_int_equal(blitz_submit(stay.pool, raise_word, &stay.done), 0);
    rig_until(is_raised(&stay.done));
    assert_int_equal(blitz_call(stay.pool, stay_until_alone, &stay), 0);
    assert_int_equal(blitz_wait_idle(stay.pool), 0);
    assert_int_equal(stay.done.v, stay.submitted);
    assert_int_equal(blitz_pool_destroy(stay.pool), 0);
}

static void stay_for_a_moment(void *arg) {
    struct stay *stay = arg;
    uint64_t end = bz_os_now_ns() + 300000;
    while (!stay->alone && bz_os_now_ns() < end) {
        assert_int_equal(blitz_submit(stay->pool, raise_word, &stay->done), 0);
        stay->submitted++;
        bz_os_yield();
        stay->alone = threads_of(stay->pool) == 0;
    }
}

/* No entry is long, and after each one the pool's thread finds that the pool is not over its size. */
static void a_thread_makes_room_for_an_external_one_that_comes_again_and_again(void **state) {
    (void)state;
    struct stay stay = {.pool = make_pool(1), .submitted = 1};
    assert_int_equal(blitz_submit(stay.pool, raise_word, &stay.done), 0);
    rig_until(is_raised(&stay.done));
    unsigned entries = 0;
    do {
        assert_true(++entries < 500);
        assert_int_equal(blitz_call(stay.pool, stay_for_a_moment, &stay), 0);
        assert_int_equal(blitz_wait_idle(stay.pool), 0);
        for (uint64_t end = bz_os_now_ns() + 50000; bz_os_now_ns() < end;)
            bz_os_yield();
    } while (!stay.alone);
    assert_int_equal(stay.done.v, stay.submitted);
    assert_int_equal(blitz_pool_destroy(stay.pool), 0);
}

static void submit_and_leave(void *arg) {
    blitz_submit(blitz_pool_current(), raise_word, arg);
}

/* While the external thread is the only worker no other can take the job; then the pool needs a thread. */
static void an_external_thread_strands_no_job(void **state) {
    (void)state;
    struct bz_a32 done = {0};
    blitz_pool *pool = make_pool(1);
    assert_int_equal(blitz_call(pool, submit_and_leave, &done), 0);
    rig_until(is_raised(&done));
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void a_smaller_pool_sends_threads_home(void **state) {
    (void)state;
    blitz_pool *pool = make_pool(4);
    assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0);
    assert_int_equal(threads_of(pool), 4);
    assert_int_equal(blitz_pool_resize(pool, 1), 0);
    rig_until(threads_of(pool) == 1);
    unsigned cached = bz_thread_cache_size();
    assert_int_equal(blitz_pool_resize(pool, 3), 0);
    assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0);
    assert_int_equal(threads_of(pool), 3);
    assert_int_equal(bz_thread_cache_size(), cached); /* the same threads again */
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* A hook uses the team that its thread's jobs used, for regions of its own. */
static void run_nothing(unsigned index, void *arg) {
    (void)index, (void)arg;
}

static void use_team(unsigned index, void *arg) {
    unsigned size = 2;
    struct bz_team *team = bz_team_enter(bz_self, &size);
    (void)index;
    *(struct bz_team **)arg = team;
    if (team)
        team_run(team, run_nothing, NULL);
}

static void expect_team(unsigned index, void *arg) {
    struct bz_team **team = arg, *again = *team;
    use_team(index, &again);
    *team = again == *team ? NULL : again;
}

static void a_hook_finds_its_thread_as_jobs_left_it(void **state) {
    struct bz_team *team = NULL;
    blitz_config config = {.workers = 1, .on_stop = expect_team, .hook_arg = &team};
    blitz_pool *pool;
    (void)state;
    unsigned cached = bz_thread_cache_size();
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, use_team, &team), 0);
    assert_non_null(team);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_null(team);
    assert_true(bz_thread_cache_size() <= cached + 2);
}

static void pools_in_a_row_use_the_same_threads(void **state) {
    (void)state;
    unsigned cached = 0;
    for (unsigned i = 0; i < 10; i++) {
        blitz_pool *pool = make_pool(4);
        assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0);
        assert_int_equal(blitz_pool_destroy(pool), 0);
        if (i == 0)
            cached = bz_thread_cache_size();
    }
    assert_int_equal(bz_thread_cache_size(), cached);
}

static void keep_name(unsigned index, void *arg) {
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    snprintf(arg, 32, "%u %s", index, name);
}

static void threads_are_named_after_the_pool(void **state) {
    (void)state;
    char text[32] = "";
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&(blitz_config){.workers = 1, .name = "cook"}, &pool), 0);
    assert_int_equal(blitz_broadcast(pool, keep_name, text), 0);
    assert_string_equal(text, "0 cook-0");
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* ---- external threads ---- */

static void keep_worker(void *arg) {
    *(struct bz_worker **)arg = bz_self;
}

static void an_entry_ends_where_it_began(void **state) {
    (void)state;
    struct bz_worker *inside, *solo = bz_worker_adopt();
    blitz_pool *pool = make_pool(2);
    assert_int_equal(blitz_call(pool, keep_worker, &inside), 0);
    assert_ptr_equal(bz_self, solo);
    assert_ptr_not_equal(inside, solo);
    assert_ptr_equal(bz_pool_of(inside), pool);
    assert_int_equal(inside->stack.limit, solo->stack.limit);
    assert_null(blitz_pool_current());
    assert_int_equal(pool->external, 0);
    assert_int_equal(pool->unstarted + pool->threads, 2);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void *enter(void *arg) {
    struct bz_a32 sum = {0};
    blitz_call(arg, raise_word, &sum);
    return NULL;
}

static void places_are_used_again(void **state) {
    (void)state;
    blitz_pool *pool = make_pool(2);
    for (unsigned i = 0; i < 100; i++) {
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, enter, pool), 0);
        pthread_join(thread, NULL);
    }
    assert_int_equal(pool->places, 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* A frame keeps its thread inside, from the first fork to the last sync. */
static void a_future_keeps_its_thread_inside(void **state) {
    (void)state;
    struct bz_a32 runs = {0};
    blitz_frame first, second;
    assert_null(blitz_pool_current());
    blitz_fork(&first, raise_word, &runs);
    blitz_fork(&second, raise_word, &runs);
    assert_non_null(blitz_pool_current());
    blitz_sync(&first); /* the older one first */
    assert_non_null(blitz_pool_current());
    blitz_sync(&second);
    assert_null(blitz_pool_current());
    assert_int_equal(runs.v, 2);
    assert_int_equal(blitz_shutdown(), 0);
}

/* ---- between pools ---- */

struct two_pools {
    blitz_pool *first, *second;
    struct bz_a32 done;
    bool is_deadlock;
};

static void wait_for_the_first(void *arg) {
    struct two_pools *two = arg;
    assert_int_equal(two->first->away, 1);
    two->is_deadlock = blitz_wait_idle(two->first) == EDEADLK;
    assert_int_equal(blitz_submit(two->first, raise_word, &two->done), 0);
    rig_until(is_raised(&two->done));
}

static void go_to_the_second(void *arg) {
    struct two_pools *two = arg;
    assert_int_equal(blitz_call(two->second, wait_for_the_first, two), 0);
    assert_int_equal(two->first->away, 0);
    assert_ptr_equal(blitz_pool_current(), two->first);
}

static void a_pool_goes_on_without_an_absent_thread(void **state) {
    (void)state;
    struct two_pools two = {.first = make_pool(1), .second = make_pool(1)};
    assert_int_equal(blitz_call(two.first, go_to_the_second, &two), 0);
    assert_true(two.is_deadlock); /* it would enter the first pool again */
    assert_int_equal(blitz_pool_destroy(two.first), 0);
    assert_int_equal(blitz_pool_destroy(two.second), 0);
}

/* ---- broadcast ---- */

struct roll {
    struct bz_a32 calls[16];
    struct bz_a32 wrong;
};

static void call_roll(unsigned index, void *arg) {
    struct roll *roll = arg;
    bz_fetch_add_relaxed(&roll->calls[index], 1);
    if (blitz_worker_index() != index)
        bz_fetch_add_relaxed(&roll->wrong, 1);
}

static void broadcast_inside(void *arg) {
    *(int *)arg = blitz_broadcast(blitz_pool_current(), nothing, NULL);
}

static void a_broadcast_reaches_each_thread_once(void **state) {
    (void)state;
    struct roll roll = {.wrong = {0}};
    int error = 0;
    blitz_pool *pool = make_pool(5);
    assert_int_equal(blitz_broadcast(pool, call_roll, &roll), 0);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(roll.calls[i].v, i < 5);
    assert_int_equal(roll.wrong.v, 0);
    assert_int_equal(blitz_call(pool, broadcast_inside, &error), 0);
    assert_int_equal(error, EDEADLK);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

/* ---- shortages ---- */

static void a_full_pool_refuses_calls(void **state) {
    (void)state;
    struct bz_a32 runs = {0};
    blitz_pool *pool = make_pool(1);
    assert_int_equal(blitz_broadcast(pool, nothing, NULL), 0); /* its place is taken */
    unsigned places = pool->places;
    pool->places = BZ_POOL_PLACES;
    assert_int_equal(blitz_call(pool, raise_word, &runs), EAGAIN);
    assert_int_equal(runs.v, 0);
    pool->places = places;
    assert_int_equal(blitz_call(pool, raise_word, &runs), 0);
    assert_int_equal(runs.v, 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static bool work_without_memory(void) {
    struct bz_a32 runs = {0};
    blitz_frame frame;
    blitz_scope scope;
    blitz_pool *pool;
    bz_store_relaxed(&no_blocks, true);
    bool ok = blitz_pool_create(NULL, &pool) == ENOMEM && blitz_call(NULL, raise_word, &runs) == ENOMEM &&
              blitz_submit(NULL, raise_word, &runs) == ENOMEM && blitz_pool_workers(NULL) == 0;
    blitz_join(raise_word, &runs, raise_word, &runs);
    blitz_fork(&frame, raise_word, &runs);
    blitz_sync(&frame);
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, raise_word, &runs);
    blitz_scope_wait(&scope);
    ok = ok && blitz_for(0, 10, 0, count_indices, &runs) == 0;
    return ok && runs.v == 14;
}

static intptr_t raise_and_return(void *arg) {
    raise_word(arg);
    return 1;
}

/* A submitted task runs, on the submitting thread if there is no other. */
static bool submit_without_memory(void) {
    struct bz_a32 runs = {0};
    blitz_future *future = NULL;
    intptr_t value = 0;
    blitz_pool *pool = make_pool(4);
    bz_store_relaxed(&no_blocks, true);
    bool ok = true;
    for (int i = 0; i < 100; i++)
        ok = ok && blitz_submit(pool, raise_word, &runs) == 0;
    ok = ok && blitz_future_submit(pool, raise_and_return, &runs, NULL, &future) == 0 &&
         blitz_future_wait(future, &value) == 0 && value == 1 && blitz_wait_idle(pool) == 0;
    blitz_future_drop(future);
    return ok && bz_load_acquire(&runs) == 101 && blitz_pool_destroy(pool) == 0;
}

static void without_memory_what_is_submitted_runs(void **state) {
    (void)state;
#ifdef EMULATED
    skip(); /* the child starts threads */
#endif
    in_child(submit_without_memory);
}

static void without_memory_verbs_still_work(void **state) {
    (void)state;
    in_child(work_without_memory);
}

struct report {
    blitz_pool *pool;
    pthread_t ender;
    struct bz_aflag ended;
    unsigned pools;
    bool early; /* the pool ended while the report had it */
};

static void *end_pool(void *arg) {
    struct report *report = arg;
    blitz_pool_destroy(report->pool);
    bz_store_release(&report->ended, true);
    return NULL;
}

static void note_pool(const char *line, void *arg) {
    struct report *report = arg;
    (void)line;
    report->pools++;
    if (report->pool && report->pools == 1) {
        pthread_create(&report->ender, NULL, end_pool, report);
        usleep(50000);
        report->early = bz_load_acquire(&report->ended);
    }
}

static void a_pool_does_not_end_within_a_report(void **state) {
    struct report report = {.pool = make_pool(1)}, after = {.pool = NULL};
    (void)state;
    bz_stats_each_pool(note_pool, &report);
    assert_true(report.pools > 0);
    pthread_join(report.ender, NULL);
    assert_false(report.early);
    bz_stats_each_pool(note_pool, &after);
    assert_int_equal(after.pools, report.pools - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_starts_no_thread_before_there_is_work),
        cmocka_unit_test(a_pool_of_one_runs_all_on_the_caller),
        cmocka_unit_test(an_external_thread_counts_as_one_of_the_workers),
        cmocka_unit_test(others_run_what_a_busy_job_forked),
        cmocka_unit_test(a_submitted_job_starts_a_thread),
        cmocka_unit_test(a_thread_that_was_woken_for_a_job_then_yields_early),
        cmocka_unit_test(a_thread_makes_room_for_an_external_one_that_stays),
        cmocka_unit_test(a_thread_makes_room_for_an_external_one_that_comes_again_and_again),
        cmocka_unit_test(an_external_thread_strands_no_job),
        cmocka_unit_test(a_smaller_pool_sends_threads_home),
        cmocka_unit_test(a_hook_finds_its_thread_as_jobs_left_it),
        cmocka_unit_test(pools_in_a_row_use_the_same_threads),
        cmocka_unit_test(threads_are_named_after_the_pool),
        cmocka_unit_test(an_entry_ends_where_it_began),
        cmocka_unit_test(places_are_used_again),
        cmocka_unit_test(a_future_keeps_its_thread_inside),
        cmocka_unit_test(a_pool_goes_on_without_an_absent_thread),
        cmocka_unit_test(a_broadcast_reaches_each_thread_once),
        cmocka_unit_test(a_full_pool_refuses_calls),
        cmocka_unit_test(without_memory_what_is_submitted_runs),
        cmocka_unit_test(without_memory_verbs_still_work),
        cmocka_unit_test(a_pool_does_not_end_within_a_report),
    };
    return cmocka_run_group_tests(tests, pools_setup, NULL);
}
