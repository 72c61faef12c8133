/* test_sleep.c: sleep.h: when a worker parks, what prevents it, and its counters meanwhile. stress_sleep.c tests for
 * lost wake-ups. */
#include "sched/sleep.h"

#include <sched.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "base/config.h"
#include "wait/load.h"
#include "wait/spin.h"

#define LONG_NS UINT64_C(1000000000000000)

static struct rig rig;

static int setup(void **state) {
    (void)state;
    rig_init(&rig, 2, 0);
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

/* ---- spinning ---- */

/* However long it has spun, it soon exposes jobs of others again. */
static void a_worker_that_polls_forever_exposes_repeatedly(void **state) {
    (void)state;
    struct bz_idle idle = {0};
    assert_false(bz_idle_exposes(&idle));
    idle.spin.rounds = 1000003;
    for (int i = 0; i < 3; i++) {
        unsigned spins = 0;
        while (!bz_idle_exposes(&idle)) {
            idle.spin.rounds++;
            spins++;
        }
        assert_true(spins < BZ_EXPOSE_ROUNDS);
        idle.spin.rounds++;
    }
    idle.announced = true;
    assert_true(bz_idle_exposes(&idle));
}

/* ---- parking ---- */

static bool never(void *arg) {
    (void)arg;
    return false;
}

static bool always(void *arg) {
    (void)arg;
    return true;
}

/* A step at the last moment before worker 0 parks: during its last check. */
static void (*at_last_moment)(void);

static bool slow_check(void *arg) {
    (void)arg;
    if (at_last_moment)
        at_last_moment();
    return false;
}

/* Worker 0 counts as spinning; then announces a sleep. */
static void announce(struct bz_idle *idle) {
    struct bz_wait wait = {.done = never};
    bz_counters_add_inactive(&rig.domain.counters);
    bz_sleep_no_work(worker(0), idle, &wait);
    assert_true(idle->announced);
    assert_int_equal(idle->jec, bz_counters_jec(rig.domain.counters.word.v));
    assert_true(bz_counters_is_sleepy(rig.domain.counters.word.v));
}

/* The next fruitless poll would park. It must not, and must change nothing. */
static void must_not_park(struct bz_idle *idle, const struct bz_wait *wait) {
    bz_sleep_no_work(worker(0), idle, wait);
    assert_false(idle->announced); /* the next spell begins anew */
    assert_int_equal(idle->spin.rounds, 0);
    assert_int_equal(worker(0)->sleeper.latch.state.v, BZ_LATCH_UNSET);
    assert_int_equal(bz_counters_sleeping(rig.domain.counters.word.v), 0);
    assert_int_equal(bz_counters_inactive(rig.domain.counters.word.v), 1);
    assert_int_equal(worker(0)->stats.parks.v, 0);
}

static void a_set_latch_keeps_from_parking(void **state) {
    (void)state;
    struct bz_idle idle = {0};
    struct bz_wait wait = {.done = never};
    announce(&idle);
    bz_worker_wake(worker(0));
    must_not_park(&idle, &wait);
}

static struct bz_job job;

static void posted_work_keeps_from_parking(void **state) {
    (void)state;
    struct bz_idle idle = {0};
    struct bz_wait wait = {.done = never};
    announce(&idle);
    bz_worker_push_public(worker(1), &job);
    must_not_park(&idle, &wait);
}

static void a_wait_that_is_over_keeps_from_parking(void **state) {
    (void)state;
    struct bz_idle idle = {0};
    struct bz_wait done = {.done = always}, checked = {.done = never, .slow_check = always};
    announce(&idle);
    must_not_park(&idle, &done);
    bz_domain_stop_searching(&rig.domain, worker(0));
    announce(&idle);
    must_not_park(&idle, &checked);
}

static void an_injected_job_keeps_from_parking(void **state) {
    (void)state;
    struct bz_idle idle = {0};
    struct bz_wait wait = {.done = never, .filter = {.injected = true}};
    struct bz_inject_node node = {.next = NULL};
    announce(&idle);
    bz_injector_push(&rig.domain.injector, &node); /* its poster has not gone further */
    must_not_park(&idle, &wait);
    bz_injector_take(&rig.domain.injector);
}

static _Thread_local unsigned yields;
void __wrap_bz_os_yield(void);
void __wrap_bz_os_yield(void) {
    yields++;
    sched_yield();
}

/* A yield of the test may take long, but what else runs here is not its subject. */
bool __wrap_bz_competitor_tries_parks(void);
bool __wrap_bz_competitor_tries_parks(void) {
    return false;
}

/* The thread that is about to take the job may need the CPU. */
static void a_worker_often_kept_from_its_sleep_yields(void **state) {
    (void)state;
    struct bz_wait wait = {.done = never, .filter = {.injected = true}};
    struct bz_inject_node node = {.next = NULL};
    struct bz_idle idle = {0};
    rig.domain.injector.busy.v = 1;
    bz_injector_push(&rig.domain.injector, &node);
    bz_counters_add_inactive(&rig.domain.counters);
    yields = 0;
    for (unsigned i = 0; i < 20; i++) { /* alternately announces, then does not park */
        assert_int_equal(yields, i / 2 > 1 ? i / 2 - 1 : 0);
        bz_sleep_no_work(worker(0), &idle, &wait);
    }
}

static void wake_worker_0(void) {
    assert_int_equal(worker(0)->sleeper.latch.state.v, BZ_LATCH_SLEEPY);
    assert_int_equal(bz_counters_sleeping(rig.domain.counters.word.v), 1);
    assert_true(bz_domain_wake_if_asleep(worker(0)));
    assert_int_equal(bz_counters_sleeping(rig.domain.counters.word.v), 1); /* the sleeper subtracts it */
}

static void post_for_worker_0(void) {
    bz_worker_push_public(worker(1), &job);
    assert_int_equal(worker(0)->sleeper.latch.state.v, BZ_LATCH_SET);
}

static void a_wake_at_the_last_moment_keeps_from_parking(void **state) {
    (void)state;
    struct bz_idle idle = {0};
    struct bz_wait wait = {.done = never, .slow_check = slow_check};
    announce(&idle);
    at_last_moment = wake_worker_0;
    must_not_park(&idle, &wait);
    bz_domain_stop_searching(&rig.domain, worker(0));
    announce(&idle);
    at_last_moment = post_for_worker_0;
    must_not_park(&idle, &wait);
    at_last_moment = NULL;
}

/* ---- asleep ---- */

struct sleeper {
    struct bz_a32 flag;
    bool filtered;
};

static bool is_set(void *arg) {
    return bz_load_acquire(&((struct sleeper *)arg)->flag);
}

static bool refuse(const struct bz_job *any, const void *arg) {
    (void)any;
    (void)arg;
    return false;
}

static void sleep_for_flag(struct bz_worker *self, void *arg) {
    struct sleeper *sleeper = arg;
    struct bz_wait wait = {
        .done = is_set, .arg = arg, .filter = {.may_take = sleeper->filtered ? refuse : NULL}};
    bz_worker_wait_until(self, &wait);
}

static uint64_t word(void) {
    return bz_load_acquire(&rig.domain.counters.word);
}

static void sleep_and_wake(bool filtered) {
    struct sleeper sleeper = {.filtered = filtered};
    struct rig_thread thread;
    rig_start(&thread, worker(0), sleep_for_flag, &sleeper);
    rig_until(bz_load_acquire(&worker(0)->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    assert_int_equal(bz_counters_sleeping(word()), 1);
    assert_int_equal(bz_counters_inactive(word()), 1); /* either kind */
    assert_int_equal(bz_load_relaxed(&worker(0)->sleeper.filtered), filtered);
    bz_store_release(&sleeper.flag, 1);
    bz_worker_wake(worker(0));
    rig_join(&thread);
    assert_int_equal(word() & 0xffffffff, 0);
    assert_int_equal(worker(0)->stats.parks.v, 1);
}

static void a_sleeper_is_counted_and_the_waker_takes_it_off(void **state) {
    (void)state;
    sleep_and_wake(false);
}

static void a_filtered_sleeper_is_counted_the_same(void **state) {
    (void)state;
    sleep_and_wake(true);
}

static void a_searching_filtered_waiter_is_not_relied_upon(void **state) {
    (void)state;
    struct sleeper sleeper = {.filtered = true};
    struct rig_thread thread;
    rig.domain.spin_ns = LONG_NS;
    rig_start(&thread, worker(0), sleep_for_flag, &sleeper);
    rig_until(bz_load_relaxed(&worker(0)->stats.tries) > 100);
    assert_int_equal(bz_counters_inactive(word()), 0);
    bz_store_release(&sleeper.flag, 1);
    rig_join(&thread);
    assert_int_equal(word() & 0xffffffff, 0);
}

static void a_searching_worker_is_counted(void **state) {
    (void)state;
    struct sleeper sleeper = {.filtered = false};
    struct rig_thread thread;
    rig.domain.spin_ns = LONG_NS;
    rig_start(&thread, worker(0), sleep_for_flag, &sleeper);
    rig_until(bz_load_relaxed(&worker(0)->stats.tries) > 100);
    assert_int_equal(bz_counters_inactive(word()), 1);
    assert_int_equal(bz_counters_sleeping(word()), 0);
    bz_store_release(&sleeper.flag, 1);
    rig_join(&thread);
    assert_int_equal(word() & 0xffffffff, 0);
}

static void a_waker_yields_late(void **state) {
    (void)state;
    struct sleeper sleeper = {.filtered = false};
    struct rig_thread thread;
    bz_domain_wake_first(&rig.domain, worker(1), 2);
    assert_int_equal(worker(1)->spin_policy, BZ_YIELD_USUAL); /* no worker slept */
    rig_start(&thread, worker(0), sleep_for_flag, &sleeper);
    rig_until(bz_load_acquire(&worker(0)->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    bz_store_release(&sleeper.flag, 1);
    bz_domain_wake_first(&rig.domain, worker(1), 2);
    assert_int_equal(worker(1)->spin_policy, BZ_YIELD_LATE);
    rig_join(&thread);
}

/* ---- predicted ---- */

/* Linked with --wrap=bz_fence_heavy. */
static unsigned heavy_fences;

void __real_bz_fence_heavy(void);
void __wrap_bz_fence_heavy(void);
void __wrap_bz_fence_heavy(void) {
    heavy_fences++;
    __real_bz_fence_heavy();
}

static const char site;

/* Worker 0's earlier waits took `ns` each, and its timed parks were in time. */
static struct bz_history *expect_waits_of(struct bz_predictor *predictor, uint64_t ns) {
    *predictor = (struct bz_predictor){0};
    struct bz_history *history = bz_predictor_history(predictor, &site);
    bz_times_add(&history->waited, ns);
    bz_times_add(&history->late, 0);
    rig.domain.spin_ns = BZ_SPIN_AUTO;
    worker(0)->predictor = predictor;
    heavy_fences = 0;
    return history;
}

static void poll_until_announced(struct bz_idle *idle, const struct bz_wait *wait) {
    while (!idle->announced)
        bz_sleep_no_work(worker(0), idle, wait);
}

static void a_wait_parks_until_shortly_before_its_end(void **state) {
    (void)state;
    struct bz_predictor predictor;
    struct bz_wait wait = {.done = never, .site = &site};
    struct bz_idle idle = {0};
    (void)expect_waits_of(&predictor, 5000000);
    bz_counters_add_inactive(&rig.domain.counters);
    poll_until_announced(&idle, &wait);
    uint64_t park_ns = idle.spin.facts.predicted.park_ns;
    assert_in_range(park_ns, 4000000, 5000000);
    bz_sleep_no_work(worker(0), &idle, &wait);
    assert_true(bz_os_now_ns() - idle.predicted.began >= park_ns);
    assert_int_equal(worker(0)->stats.parks.v, 1);
    assert_int_equal(worker(0)->sleeper.latch.state.v, BZ_LATCH_UNSET);
    assert_int_equal(bz_counters_sleeping(word()), 0);
    assert_int_equal(idle.spin.facts.predicted.park_ns, 0); /* from here on it spins as predicted */
    poll_until_announced(&idle, &wait);
    assert_true(bz_os_now_ns() - idle.predicted.began >= idle.spin.facts.predicted.spin_ns);
    bz_domain_stop_searching(&rig.domain, worker(0));
}

static void a_timed_park_that_failed_is_tried_once_more(void **state) {
    (void)state;
    struct bz_predictor predictor;
    struct bz_wait wait = {.done = never, .site = &site};
    struct bz_idle idle = {0};
    (void)expect_waits_of(&predictor, UINT64_C(4000000000));
    bz_counters_add_inactive(&rig.domain.counters);
    poll_until_announced(&idle, &wait);
    bz_worker_wake(worker(0)); /* for the previous wait */
    bz_sleep_no_work(worker(0), &idle, &wait);
    assert_true(idle.spin.facts.predicted.park_ns > 0);
    bz_sleep_no_work(worker(0), &idle, &wait);
    assert_true(idle.announced); /* without another poll */
    bz_worker_push_public(worker(1), &job);
    bz_sleep_no_work(worker(0), &idle, &wait);
    assert_int_equal(worker(0)->stats.parks.v, 0);
    assert_int_equal(idle.spin.facts.predicted.park_ns, 0); /* from here on as usual */
    assert_false(idle.spin.facts.predicts);
    assert_false(idle.woken);
    uint64_t began = bz_os_now_ns();
    poll_until_announced(&idle, &wait);
    assert_true(bz_os_now_ns() - began >= bz_usual_spin());
    bz_domain_stop_searching(&rig.domain, worker(0));
}

/* Announces a sleep after waits of `ns`; returns the number of barriers on all threads. */
static unsigned fences_after_waits_of(uint64_t ns) {
    struct bz_predictor predictor;
    struct bz_wait wait = {.done = never, .site = &site};
    struct bz_idle idle = {0};
    (void)expect_waits_of(&predictor, ns);
    bz_counters_add_inactive(&rig.domain.counters);
    poll_until_announced(&idle, &wait);
    bz_domain_stop_searching(&rig.domain, worker(0));
    return heavy_fences;
}

static void short_timed_parks_interrupt_no_thread(void **state) {
    (void)state;
    assert_int_equal(fences_after_waits_of(BZ_SLICE_NS), 0);
    assert_int_equal(fences_after_waits_of(2 * BZ_SLICE_NS), 1);
    assert_int_equal(fences_after_waits_of(0), 0); /* sleeps for good, and the last barrier has served it */
    (void)bz_counters_post(&rig.domain.counters);
    assert_int_equal(fences_after_waits_of(0), 1);
}

static void in_a_crowd_no_park_is_timed(void **state) {
    (void)state;
    struct bz_predictor predictor;
    struct bz_wait wait = {.done = never, .site = &site};
    struct bz_idle idle = {0};
    (void)expect_waits_of(&predictor, 5000000);
    bz_counters_add_inactive(&rig.domain.counters);
    bz_awake_add(100000);
    poll_until_announced(&idle, &wait);
    bz_awake_add(-100000);
    assert_int_equal(idle.spin.facts.predicted.park_ns, 0);
    assert_int_equal(idle.spin.facts.predicted.spin_ns, 0); /* it lasts longer than any spin */
    bz_domain_stop_searching(&rig.domain, worker(0));
}

static void crowds_end_long_spins(void **state) {
    (void)state;
    struct bz_predictor predictor;
    struct bz_wait wait = {.done = never, .site = &site};
    /* The short waits leave no time to park, however cheap a wake is. */
    struct bz_history *history = expect_waits_of(&predictor, BZ_PARK_MARGIN_NS);
    for (unsigned i = 0; i < BZ_PREDICTOR_WAITS; i++)
        bz_times_add(&history->waited, i % 2 ? BZ_PARK_MARGIN_NS : bz_long_spin());
    struct bz_idle idle = {0};
    bz_counters_add_inactive(&rig.domain.counters);
    while (!idle.predicted.history)
        bz_sleep_no_work(worker(0), &idle, &wait);
    assert_int_equal(idle.spin.facts.predicted.spin_ns, bz_long_spin());
    idle.predicted.began = idle.spin.started = bz_os_now_ns() - bz_usual_spin();
    bz_awake_add(100000);
    bz_sleep_no_work(worker(0), &idle, &wait);
    bz_awake_add(-100000);
    assert_true(idle.announced);
    bz_domain_stop_searching(&rig.domain, worker(0));
}

/* Learnt: of a spell that began 5 ms ago, with this hint, in ns after its beginning. */
static uint32_t learnt_with(struct bz_history *history, int64_t woken, bool was_woken) {
    uint64_t now = bz_os_now_ns();
    struct bz_idle idle = {.predicted = {.history = history, .began = now - 5000000}, .woken = was_woken};
    bz_store_relaxed(&worker(0)->sleeper.woken, idle.predicted.began + (uint64_t)woken);
    uint32_t at = history->waited.next % BZ_PREDICTOR_WAITS;
    bz_sleep_learn(worker(0), &idle);
    return history->waited.ns[at];
}

static void a_spell_is_learnt_up_to_what_ended_it(void **state) {
    (void)state;
    const int64_t before = -1000, after = 3600000000000;
    struct bz_predictor predictor;
    struct bz_history *history = expect_waits_of(&predictor, 0);
    assert_in_range(learnt_with(history, before, true), 5000000, UINT32_MAX);
    assert_in_range(learnt_with(history, after, true), 5000000, UINT32_MAX);
    assert_int_equal(learnt_with(history, 100000, true), 100000);
    assert_in_range(learnt_with(history, 100000, false), 5000000, UINT32_MAX); /* it has looked since */
    uint32_t times = history->waited.next;
    struct bz_idle short_one = {0}; /* over before the clock was read */
    bz_sleep_learn(worker(0), &short_one);
    assert_int_equal(history->waited.next, times);
}

static void a_waker_writes_the_time_down(void **state) {
    (void)state;
    struct bz_predictor predictor;
    struct sleeper sleeper = {.filtered = false};
    struct rig_thread thread;
    (void)expect_waits_of(&predictor, 0);
    uint64_t before = bz_os_now_ns();
    bz_worker_wake(worker(0)); /* it does not sleep */
    assert_int_equal(bz_load_relaxed(&worker(0)->sleeper.woken), 0);
    rig_start(&thread, worker(0), sleep_for_flag, &sleeper);
    rig_until(bz_load_acquire(&worker(0)->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    bz_store_release(&sleeper.flag, 1);
    bz_worker_wake(worker(0));
    rig_join(&thread);
    assert_in_range(bz_load_relaxed(&worker(0)->sleeper.woken), before, bz_os_now_ns());
    before = bz_os_now_ns();
    bz_store_release(&sleeper.flag, 0);
    rig_start(&thread, worker(0), sleep_for_flag, &sleeper);
    rig_until(bz_load_acquire(&worker(0)->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    bz_store_release(&sleeper.flag, 1);
    bz_domain_wake_first(&rig.domain, worker(1), 2);
    rig_join(&thread);
    assert_in_range(bz_load_relaxed(&worker(0)->sleeper.woken), before, bz_os_now_ns());
}

#define case_of(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        case_of(a_worker_that_polls_forever_exposes_repeatedly),
        case_of(a_waker_yields_late),
        case_of(a_set_latch_keeps_from_parking),
        case_of(posted_work_keeps_from_parking),
        case_of(a_wait_that_is_over_keeps_from_parking),
        case_of(an_injected_job_keeps_from_parking),
        case_of(a_worker_often_kept_from_its_sleep_yields),
        case_of(a_wake_at_the_last_moment_keeps_from_parking),
        case_of(a_sleeper_is_counted_and_the_waker_takes_it_off),
        case_of(a_filtered_sleeper_is_counted_the_same),
        case_of(a_searching_filtered_waiter_is_not_relied_upon),
        case_of(a_searching_worker_is_counted),
        case_of(a_wait_parks_until_shortly_before_its_end),
        case_of(a_timed_park_that_failed_is_tried_once_more),
        case_of(short_timed_parks_interrupt_no_thread),
        case_of(in_a_crowd_no_park_is_timed),
        case_of(crowds_end_long_spins),
        case_of(a_spell_is_learnt_up_to_what_ended_it),
        case_of(a_waker_writes_the_time_down),
    };
    return cmocka_run_group_tests_name("sleep", tests, NULL, NULL);
}
