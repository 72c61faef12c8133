/* test_domain.c: domain.h: which workers are woken, without threads. The test makes a worker look asleep; a wake sets
 * its latch. */
#include "sched/domain.h"

#include <errno.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "base/config.h"
#include "pool/pool.h"

/* Memory as the domain sees it (linked with --wrap=bz_alloc_zero). */
static bool no_memory;

void *__real_bz_alloc_zero(size_t count, size_t size);
void *__wrap_bz_alloc_zero(size_t count, size_t size);
void *__wrap_bz_alloc_zero(size_t count, size_t size) {
    return no_memory ? NULL : __real_bz_alloc_zero(count, size);
}

enum { WORKERS = 4 };

static struct rig rig;
static struct bz_job job;

static int setup(void **state) {
    (void)state;
    rig_init(&rig, WORKERS, 0);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    rig_destroy(&rig);
    return 0;
}

static struct bz_worker *worker(unsigned index) {
    return &rig.workers[index];
}

static uint64_t word(void) {
    return rig.domain.counters.word.v;
}

static void searches(void) {
    bz_counters_add_inactive(&rig.domain.counters);
}

static void sleeps(unsigned index, bool filtered) {
    worker(index)->sleeper.latch.state.v = BZ_LATCH_SLEEPING;
    worker(index)->sleeper.filtered.v = filtered;
    rig.domain.counters.word.v += BZ_ONE_SLEEPING + BZ_ONE_INACTIVE;
}

static void posts(unsigned index) {
    assert_true(bz_deque_push_public(&worker(index)->deque, &job));
    bz_domain_posted(&rig.domain, worker(index));
}

/* Which workers have been woken: one bit each. */
static unsigned woken(void) {
    unsigned set = 0;
    for (unsigned i = 0; i < WORKERS; i++)
        set |= (worker(i)->sleeper.latch.state.v == BZ_LATCH_SET) << i;
    return set;
}

/* ---- making and entering ---- */

static void its_size_has_limits(void **state) {
    (void)state;
    struct bz_domain domain;
    assert_int_equal(bz_domain_init(&domain, 0, 0), EINVAL);
    assert_int_equal(bz_domain_init(&domain, BZ_DOMAIN_MAX + 1, 0), EINVAL);
    no_memory = true;
    int error = bz_domain_init(&domain, 8, 0);
    no_memory = false;
    assert_int_equal(error, ENOMEM);
    assert_int_equal(bz_domain_init(&domain, BZ_DOMAIN_MAX, 0), 0);
    bz_domain_destroy(&domain);
}

static void a_new_domain_is_active_and_empty(void **state) {
    (void)state;
    struct bz_domain domain = {.host = true};
    assert_int_equal(bz_domain_init(&domain, 3, 77), 0);
    assert_true(bz_counters_all_awake(domain.counters.word.v));
    assert_int_equal(bz_counters_inactive(domain.counters.word.v), 0);
    assert_int_equal(domain.count.v, 0);
    assert_int_equal(domain.spin_ns, 77);
    assert_false(domain.host);
    assert_true(bz_domain_quiet(&domain));
    assert_false(bz_injector_has_jobs(&domain.injector));
    bz_domain_posted(&domain, NULL); /* no sleeper */
    bz_domain_destroy(&domain);
}

static void workers_enter_at_their_index(void **state) {
    (void)state;
    struct bz_domain domain;
    struct bz_worker *two = bz_os_alloc(2 * sizeof *two);
    bz_domain_init(&domain, 8, 0);
    bz_worker_init(&two[0], &domain, 5);
    bz_worker_init(&two[1], &domain, 2);
    bz_domain_enter(&domain, &two[0]);
    assert_int_equal(domain.count.v, 6);
    bz_domain_enter(&domain, &two[1]);
    assert_int_equal(domain.count.v, 6);
    assert_ptr_equal(domain.slots[5].v, &two[0]);
    assert_ptr_equal(domain.slots[2].v, &two[1]);
    assert_null(domain.slots[0].v);
    bz_worker_destroy(&two[0]);
    bz_worker_destroy(&two[1]);
    bz_os_free(two, 2 * sizeof *two);
    bz_domain_destroy(&domain);
}

/* ---- searches for jobs ---- */

enum { MANY_WORKERS = 150 };

/* The walk from `start` over [0, count) visits each marked worker once, in the order of their numbers from `start` and
 * around. */
static void check_walk(const struct bz_domain *domain, uint32_t start, uint32_t count, const bool *marked) {
    struct bz_walk walk = bz_walk_begin(domain, start, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (start + i) % count;
        if (marked[at])
            assert_int_equal(bz_walk_next(&walk)->index, at);
    }
    assert_null(bz_walk_next(&walk));
    assert_null(bz_walk_next(&walk));
}

static void workers_with_queued_jobs_are_searched(void **state) {
    static const unsigned queue[] = {0, 1, 63, 64, 127, 128, MANY_WORKERS - 1};
    static const uint32_t starts[] = {0, 1, 2, 62, 63, 64, 65, 100, 128, 129};
    bool marked[MANY_WORKERS] = {false};
    struct rig many;
    (void)state;
    rig_init(&many, MANY_WORKERS, 0);
    for (unsigned i = 0; i < sizeof queue / sizeof queue[0]; i++) {
        struct bz_worker *worker = &many.workers[queue[i]];
        for (unsigned k = 0; k < sizeof starts / sizeof starts[0]; k++) {
            check_walk(&many.domain, starts[k], MANY_WORKERS, marked);
            check_walk(&many.domain, starts[k], 130, marked);
        }
        check_walk(&many.domain, 1, 2, marked);
        check_walk(&many.domain, 0, 64, marked);
        assert_true(bz_deque_push(&worker->deque, &job));
        assert_ptr_equal(bz_deque_pop(&worker->deque), &job);
        marked[queue[i]] = true;
    }
    rig_destroy(&many);
}

static unsigned ran;

static void run_job(struct bz_job *run, struct bz_worker *self) {
    (void)run;
    (void)self;
    ran++;
}

/* All have queued jobs; one still has a job, and no worker is notified of it. */
static void init_where_one_has_a_job(struct rig *many, unsigned owner) {
    rig_init(many, MANY_WORKERS, 0);
    job.run = run_job;
    for (unsigned i = 0; i < MANY_WORKERS; i++) {
        assert_true(bz_deque_push(&many->workers[i].deque, &job));
        assert_ptr_equal(bz_deque_pop(&many->workers[i].deque), &job);
    }
    assert_true(bz_deque_push_public(&many->workers[owner].deque, &job));
}

static bool has_run(void *before) {
    return ran != *(unsigned *)before;
}

static void a_search_polls_all_that_had_jobs(void **state) {
    (void)state;
    for (unsigned i = 1; i <= 20; i++) {
        struct rig many;
        unsigned before = ran;
        struct bz_wait wait = {.done = has_run, .arg = &before};
        init_where_one_has_a_job(&many, i * 7);
        bz_worker_wait_until(&many.workers[0], &wait); /* if it sleeps, then forever */
        assert_int_equal(ran, before + 1);
        rig_destroy(&many);
    }
}

static void a_helping_thread_polls_all(void **state) {
    (void)state;
    for (unsigned i = 1; i <= 20; i++) {
        struct rig many;
        unsigned before = ran;
        init_where_one_has_a_job(&many, i * 7);
        assert_true(bz_help_once(&many.workers[0]));
        assert_int_equal(ran, before + 1);
        assert_false(bz_help_once(&many.workers[0]));
        rig_destroy(&many);
    }
}

/* ---- posting ---- */

static void a_post_among_the_busy_changes_nothing(void **state) {
    (void)state;
    uint64_t before = word();
    posts(0);
    searches();
    posts(0);
    assert_int_equal(word(), before + BZ_ONE_INACTIVE);
}

static void a_post_notifies_workers_that_announced(void **state) {
    (void)state;
    searches();
    uint32_t jec = bz_counters_announce(&rig.domain.counters);
    posts(0);
    assert_false(bz_counters_is_sleepy(word()));
    assert_false(bz_counters_try_sleep(&rig.domain.counters, jec, true));
    assert_int_equal(bz_counters_sleeping(word()), 0);
}

static void a_post_wakes_one_sleeper(void **state) {
    (void)state;
    sleeps(1, false);
    sleeps(2, false);
    sleeps(3, false);
    posts(0);
    assert_int_equal(woken(), 1u << 1);
    assert_int_equal(bz_counters_sleeping(word()), 2);
    assert_int_equal(bz_counters_inactive(word()), 3); /* the woken one searches now */
    assert_int_equal(worker(0)->stats.wakes.v, 1);
}

static void the_search_for_a_sleeper_begins_behind_the_poster(void **state) {
    (void)state;
    sleeps(0, false);
    sleeps(1, false);
    sleeps(3, false);
    posts(2);
    assert_int_equal(woken(), 1u << 3);
    worker(3)->sleeper.latch.state.v = BZ_LATCH_UNSET;
    rig.domain.counters.word.v -= BZ_ONE_INACTIVE; /* it found work */
    posts(3);
    assert_int_equal(woken(), 1u << 0);
}

static void sleepers_are_left_alone_while_a_worker_searches(void **state) {
    (void)state;
    sleeps(1, false);
    searches();
    posts(0);
    assert_int_equal(woken(), 0);
    posts(0); /* two jobs: a backlog */
    assert_int_equal(woken(), 1u << 1);
}

static void a_sleepy_worker_counts_as_a_sleeper(void **state) {
    (void)state;
    sleeps(2, false);
    worker(2)->sleeper.latch.state.v = BZ_LATCH_SLEEPY; /* counted, not yet parked */
    posts(0);
    assert_int_equal(woken(), 1u << 2);
    assert_int_equal(bz_counters_sleeping(word()), 1); /* its own to subtract */
}

static void unfiltered_workers_are_woken_first(void **state) {
    (void)state;
    sleeps(1, true);
    sleeps(2, true);
    sleeps(3, false);
    posts(0);
    assert_int_equal(woken(), 1u << 3);
    worker(3)->sleeper.latch.state.v = BZ_LATCH_UNSET;
    rig.domain.counters.word.v -= BZ_ONE_INACTIVE;
    posts(0);
    assert_int_equal(woken(), 1u << 1);
}

static unsigned started;
static bool can_start;

static bool start_thread(struct bz_domain *domain) {
    assert_ptr_equal(domain, &rig.domain);
    started += can_start;
    return can_start;
}

static void a_thread_that_is_not_there_yet_is_started(void **state) {
    (void)state;
    rig.domain.start = start_thread;
    started = 0;
    can_start = true;
    rig.domain.counters.word.v += 2 * (BZ_ONE_SLEEPING + BZ_ONE_INACTIVE);
    sleeps(1, true);
    sleeps(2, false);
    posts(0);
    assert_int_equal(woken(), 1u << 2); /* first, a worker that exists */
    assert_int_equal(started, 0);
    worker(2)->sleeper.latch.state.v = BZ_LATCH_UNSET;
    rig.domain.counters.word.v -= BZ_ONE_INACTIVE;
    posts(0);
    assert_int_equal(started, 1);
    assert_int_equal(woken(), 0);
    can_start = false;
    posts(0);
    assert_int_equal(woken(), 1u << 1); /* last, a filtered waiter */
}

static void an_injected_job_wakes_a_sleeper(void **state) {
    (void)state;
    struct bz_inject_node nodes[2] = {{.next = NULL}};
    sleeps(3, false);
    uint32_t jec = bz_counters_announce(&rig.domain.counters);
    bz_domain_inject(&rig.domain, &nodes[0]);
    assert_int_equal(woken(), 1u << 3);
    assert_false(bz_counters_try_sleep(&rig.domain.counters, jec, true));
    sleeps(2, false);
    bz_domain_inject(&rig.domain, &nodes[1]); /* worker 3 searches already */
    assert_int_equal(woken(), 1u << 3);
    assert_ptr_equal(bz_injector_take(&rig.domain.injector), &nodes[0]);
}

/* ---- wake chaining ---- */

static void the_last_to_stop_searching_wakes_for_remaining_jobs(void **state) {
    (void)state;
    searches();
    searches();
    sleeps(3, false);
    posts(0);
    assert_int_equal(woken(), 0); /* two are searching */
    bz_domain_stop_searching(&rig.domain, worker(1));
    assert_int_equal(woken(), 0); /* one still is */
    bz_domain_stop_searching(&rig.domain, worker(2));
    assert_int_equal(woken(), 1u << 3);
    assert_int_equal(worker(2)->stats.wakes.v, 1);
}

static void no_worker_is_woken_when_no_job_is_left(void **state) {
    (void)state;
    searches();
    sleeps(3, false);
    posts(0);
    assert_ptr_equal(bz_deque_pop(&worker(0)->deque), &job);
    bz_domain_stop_searching(&rig.domain, worker(1));
    assert_int_equal(woken(), 0);
    assert_int_equal(bz_counters_sleeping(word()), 1);
    assert_int_equal(bz_counters_inactive(word()), 1);
}

static void an_injected_job_is_passed_on(void **state) {
    (void)state;
    struct bz_inject_node node = {.next = NULL};
    searches();
    sleeps(3, false);
    bz_domain_inject(&rig.domain, &node);
    assert_int_equal(woken(), 0);
    bz_domain_stop_searching(&rig.domain, worker(1));
    assert_int_equal(woken(), 1u << 3);
}

static void passing_on_may_start_a_thread(void **state) {
    (void)state;
    rig.domain.start = start_thread;
    started = 0;
    can_start = true;
    rig.domain.counters.word.v += BZ_ONE_SLEEPING + BZ_ONE_INACTIVE;
    searches();
    posts(0);
    bz_domain_stop_searching(&rig.domain, worker(1));
    assert_int_equal(started, 1);
}

static void filtered_waiters_do_not_wake_each_other_in_turns(void **state) {
    (void)state;
    sleeps(2, true);
    posts(0);
    assert_int_equal(woken(), 1u << 2);
    sleeps(3, true);
    worker(2)->sleeper.latch.state.v = BZ_LATCH_UNSET;
    bz_domain_stop_searching(&rig.domain, worker(2)); /* the job remains, and this worker may not run it */
    assert_int_equal(woken(), 0);
    searches();
    bz_domain_stop_searching(&rig.domain, worker(1)); /* not filtered: only worker 3 may be able to run it */
    assert_int_equal(woken(), 1u << 3);
}

/* ---- waking one worker if it is asleep ---- */

static void only_sleepers_are_woken(void **state) {
    (void)state;
    assert_false(bz_domain_wake_if_asleep(worker(1)));
    assert_int_equal(worker(1)->sleeper.latch.state.v, BZ_LATCH_UNSET);
    sleeps(1, false);
    assert_true(bz_domain_wake_if_asleep(worker(1)));
    assert_int_equal(bz_counters_sleeping(word()), 0);
    assert_false(bz_domain_wake_if_asleep(worker(1))); /* SET already */
    assert_int_equal(bz_counters_sleeping(word()), 0);
}

/* ---- waking many ---- */

static struct rig many;

static unsigned set_among(unsigned from, unsigned to) {
    unsigned set = 0;
    for (unsigned i = from; i < to; i++)
        set += many.workers[i].sleeper.latch.state.v == BZ_LATCH_SET;
    return set;
}

/* All workers sleep but the leader and `awake`. */
static void many_sleep(unsigned count, unsigned awake) {
    rig_init(&many, count, 0);
    many.workers[awake].sleeper.latch.state.v = BZ_LATCH_UNSET;
    for (unsigned i = 1; i < count; i++)
        if (i != awake) {
            many.workers[i].sleeper.latch.state.v = BZ_LATCH_SLEEPING;
            many.domain.counters.word.v += BZ_ONE_SLEEPING + BZ_ONE_INACTIVE;
        }
}

/* More than one eventcount's worth of sleepers. */
static void all_sleepers_are_woken_but_for_the_caller(void **state) {
    (void)state;
    enum { COUNT = 67, AWAKE = 32 };
    many_sleep(COUNT, AWAKE);
    many.workers[1].sleeper.latch.state.v = BZ_LATCH_SLEEPY;
    many.domain.counters.word.v -= BZ_ONE_SLEEPING; /* it subtracts itself */
    uint32_t advanced[3];
    for (unsigned i = 0; i < 3; i++)
        advanced[i] = many.domain.eventcounts[i].v;
    assert_true(bz_domain_wake_all(&many.domain, &many.workers[0], COUNT));
    assert_int_equal(set_among(0, COUNT), COUNT - 2);
    assert_int_equal(bz_counters_sleeping(many.domain.counters.word.v), 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(many.domain.eventcounts[i].v, advanced[i] + 1);
    assert_false(bz_domain_wake_all(&many.domain, &many.workers[0], COUNT));
    rig_destroy(&many);
}

/* ---- quiescence ---- */

static void a_domain_is_quiet_when_all_that_began_has_ended(void **state) {
    (void)state;
    assert_true(bz_domain_quiet(&rig.domain));
    bz_worker_begin(worker(0));
    bz_worker_begin(worker(0));
    bz_worker_begin(worker(2));
    assert_false(bz_domain_quiet(&rig.domain));
    bz_worker_end(worker(3)); /* ended on any worker */
    bz_worker_end(worker(3));
    assert_false(bz_domain_quiet(&rig.domain));
    bz_worker_end(worker(0));
    assert_true(bz_domain_quiet(&rig.domain));
}

static void a_limit_takes_workers_out_and_resets_the_sums(void **state) {
    (void)state;
    bz_worker_begin(worker(3));
    bz_worker_end(worker(0));
    assert_true(bz_domain_quiet(&rig.domain));
    worker(3)->quiet.last_reported = 1;
    bz_domain_limit(&rig.domain, 2);
    assert_int_equal(worker(3)->quiet.last_reported,
                     0); /* or the first unit would look as if already reported */
    assert_int_equal(rig.domain.count.v, 2);
    assert_true(bz_domain_quiet(&rig.domain)); /* without worker 3's half */
    sleeps(3, false);
    posts(0);
    assert_int_equal(woken(), 0); /* beyond the limit */
    bz_domain_limit(&rig.domain, 4);
    posts(0);
    assert_int_equal(woken(), 1u << 3);
}

#define case_of(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_size_has_limits),
        cmocka_unit_test(a_new_domain_is_active_and_empty),
        cmocka_unit_test(workers_enter_at_their_index),
        cmocka_unit_test(workers_with_queued_jobs_are_searched),
        cmocka_unit_test(a_search_polls_all_that_had_jobs),
        cmocka_unit_test(a_helping_thread_polls_all),
        case_of(a_post_among_the_busy_changes_nothing),
        case_of(a_post_notifies_workers_that_announced),
        case_of(a_post_wakes_one_sleeper),
        case_of(the_search_for_a_sleeper_begins_behind_the_poster),
        case_of(sleepers_are_left_alone_while_a_worker_searches),
        case_of(a_sleepy_worker_counts_as_a_sleeper),
        case_of(unfiltered_workers_are_woken_first),
        case_of(a_thread_that_is_not_there_yet_is_started),
        case_of(an_injected_job_wakes_a_sleeper),
        case_of(the_last_to_stop_searching_wakes_for_remaining_jobs),
        case_of(no_worker_is_woken_when_no_job_is_left),
        case_of(an_injected_job_is_passed_on),
        case_of(passing_on_may_start_a_thread),
        case_of(filtered_waiters_do_not_wake_each_other_in_turns),
        case_of(only_sleepers_are_woken),
        cmocka_unit_test(all_sleepers_are_woken_but_for_the_caller),
        case_of(a_domain_is_quiet_when_all_that_began_has_ended),
        case_of(a_limit_takes_workers_out_and_resets_the_sums),
    };
    return cmocka_run_group_tests_name("domain", tests, NULL, NULL);
}
