/* test_worker.c: worker.h: the jobs that a worker finds, those that a filter keeps from it, and its waits. */
#include "sched/worker.h"

#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "base/config.h"

enum { MANY = 600 };

static struct rig rig;

static struct numbered {
    struct bz_inject_node node; /* first */
    struct bz_a32 ran;
} jobs[MANY];

static void run_numbered(struct bz_job *job, struct bz_worker *self) {
    (void)self;
    bz_fetch_add_release(&((struct numbered *)job)->ran, 1);
}

static int setup(void **state) {
    (void)state;
    rig_init(&rig, 3, 0);
    memset(jobs, 0, sizeof jobs);
    for (unsigned i = 0; i < MANY; i++)
        jobs[i].node.job.run = run_numbered;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    bz_become(NULL);
    rig_destroy(&rig);
    return 0;
}

static struct bz_worker *worker(unsigned index) {
    return &rig.workers[index];
}

static void push(unsigned index, int from, int to) {
    for (int i = from; i < to; i++)
        assert_true(bz_worker_push_public(worker(index), &jobs[i].node.job));
}

static void inject(int from, int to) {
    for (int i = from; i < to; i++)
        bz_domain_inject(&rig.domain, &jobs[i].node);
}

static int find(unsigned index, const struct bz_filter *filter) {
    static const struct bz_filter anything = {.injected = true};
    struct bz_job *job = bz_worker_find(worker(index), filter ? filter : &anything);
    return job ? (int)((struct numbered *)job - jobs) : -1;
}

/* ---- finding ---- */

static void its_own_newest_comes_first(void **state) {
    (void)state;
    push(1, 0, 2);
    push(0, 2, 4);
    inject(4, 5);
    assert_int_equal(find(0, NULL), 3);
    assert_int_equal(find(0, NULL), 2);
    assert_int_equal(find(0, NULL), 0); /* then the oldest of another's */
    assert_int_equal(find(0, NULL), 1);
    assert_int_equal(find(0, NULL), 4); /* then what came from outside */
    assert_int_equal(find(0, NULL), -1);
    assert_int_equal(worker(0)->stats.stolen.v, 2);
    assert_int_equal(worker(0)->stats.injected.v, 1);
    assert_true(worker(0)->stats.tries.v >= 2);
}

static void a_thief_searches_all_others(void **state) {
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        push(1 + i % 2, 0, 1);
        assert_int_equal(find(0, NULL), 0);
    }
    bz_domain_limit(&rig.domain, 2);
    push(2, 0, 1);
    assert_int_equal(find(0, NULL), -1); /* beyond the limit */
    assert_int_equal(find(2, NULL), 0);
    push(0, 0, 1);
    bz_domain_limit(&rig.domain, 1);
    assert_int_equal(find(0, NULL), 0);
}

static void what_lies_below_the_floor_stays(void **state) {
    (void)state;
    push(0, 0, 2);
    struct bz_filter filter = {.floor = bz_deque_bottom(&worker(0)->deque)};
    push(0, 2, 4);
    push(1, 4, 5);
    assert_int_equal(find(0, &filter), 3);
    assert_int_equal(find(0, &filter), 2);
    assert_int_equal(find(0, &filter), 4); /* others' jobs are not below it */
    assert_int_equal(find(0, &filter), -1);
    assert_int_equal(find(1, NULL), 0);
    assert_int_equal(find(0, NULL), 1);
}

static bool is_even(const struct bz_job *job, const void *arg) {
    assert_ptr_equal(arg, jobs);
    return ((const struct numbered *)job - jobs) % 2 == 0;
}

/* From the private part, and from the public one. */
static void the_newest_is_popped_if_it_may_be_taken(void **state) {
    (void)state;
    struct bz_deque *deque = &worker(0)->deque;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            assert_true(bz_worker_push(worker(0), &jobs[i].node.job));
        if (round == 1)
            (void)bz_deque_expose_all(deque);
        int64_t end = bz_deque_bottom(deque);
        struct bz_job *job = NULL;
        assert_true(bz_worker_pop_if(worker(0), end - 1, is_even, jobs, &job));
        assert_ptr_equal(job, &jobs[2].node.job);
        assert_false(bz_worker_pop_if(worker(0), end - 2, is_even, jobs, &job));
        assert_int_equal(bz_deque_bottom(deque), end - 1);
        assert_ptr_equal(bz_worker_pop(worker(0)), &jobs[1].node.job);
        assert_ptr_equal(bz_worker_pop(worker(0)), &jobs[0].node.job);
        assert_false(bz_worker_pop_if(worker(0), bz_deque_bottom(deque) - 1, is_even, jobs, &job));
        assert_int_equal(bz_deque_size(deque), 0);
    }
}

static void a_filter_may_refuse_others_jobs(void **state) {
    (void)state;
    struct bz_filter filter = {.may_take = is_even, .arg = jobs};
    push(1, 1, 3);
    push(2, 4, 6);
    assert_int_equal(find(0, &filter), 4);
    assert_int_equal(find(0, &filter), -1); /* 1 and 5 are in front */
    push(0, 7, 8);
    assert_int_equal(find(0, &filter), 7); /* the filter does not apply to its own */
    assert_int_equal(find(2, NULL), 5);
}

static void a_filter_may_name_the_victim(void **state) {
    (void)state;
    struct bz_filter filter = {.victim = worker(2)};
    push(1, 0, 1);
    assert_int_equal(find(0, &filter), -1);
    push(2, 1, 2);
    assert_int_equal(find(0, &filter), 1);
    filter.victim = worker(0);
    assert_int_equal(find(0, &filter), -1);
    assert_int_equal(worker(0)->stats.tries.v, 2); /* it does not steal from itself */
}

static void a_filter_may_forbid_theft(void **state) {
    (void)state;
    struct bz_filter filter = {.own_only = true, .injected = true};
    push(1, 0, 1);
    inject(1, 2);
    assert_int_equal(find(0, &filter), -1);
    push(0, 2, 3);
    assert_int_equal(find(0, &filter), 2);
    assert_int_equal(worker(0)->stats.tries.v, 0);
}

static void injected_jobs_are_for_workers_that_may_run_them(void **state) {
    (void)state;
    struct bz_filter filter = {.injected = false};
    inject(0, 1);
    assert_int_equal(find(0, &filter), -1);
    assert_int_equal(find(0, NULL), 0);
}

static void own_work_does_not_starve_injected_jobs(void **state) {
    (void)state;
    inject(0, 1);
    push(0, 1, 2);
    for (unsigned i = 1; i < BZ_INJECT_INTERVAL; i++) {
        assert_int_equal(find(0, NULL), 1);
        for (unsigned nested = 1; nested < BZ_INJECT_INTERVAL; nested++) /* they search for nothing */
            bz_count_relaxed(&worker(0)->stats.jobs);
        push(0, 1, 2);
    }
    assert_int_equal(find(0, NULL), 0);
    assert_int_equal(find(0, NULL), 1);
}

static void own_searches_keep_injected_jobs_in_order(void **state) {
    (void)state;
    inject(0, MANY);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(find(0, NULL), i);
    assert_int_equal(find(0, NULL), -1);
}

/* Jobs of all priorities arrive at any time, in runs and in bursts. Each priority keeps its order, and a waiting one
 * gets one of that many jobs. */
static void each_priority_keeps_its_order(void **state) {
    (void)state;
    struct bz_rng rng;
    for (unsigned seed = 0; seed < 1000; seed++) {
        bz_rng_seed(&rng, seed);
        int came = 0, found = -1, last[BZ_INJECT_PRIORITIES] = {-1, -1, -1};
        unsigned waiting[BZ_INJECT_PRIORITIES] = {0}, others[BZ_INJECT_PRIORITIES] = {0};
        while (found >= 0 || came < MANY) {
            if (came < MANY && bz_rng_below(&rng, 8) == 0) {
                unsigned priority = bz_rng_below(&rng, BZ_INJECT_PRIORITIES),
                         more = 1 + bz_rng_below(&rng, 40);
                for (; more > 0 && came < MANY; more--, came++) {
                    jobs[came].node.priority = priority;
                    waiting[priority]++;
                    inject(came, came + 1);
                }
            }
            if ((found = find(0, NULL)) < 0)
                continue;
            unsigned of = jobs[found].node.priority;
            assert_true(found > last[of]);
            last[of] = found;
            waiting[of]--;
            others[of] = 0;
            for (unsigned priority = 0; priority < BZ_INJECT_PRIORITIES; priority++)
                if (waiting[priority] > 0 && priority != of)
                    assert_true(++others[priority] < 2 * BZ_INJECT_FAIR);
        }
        for (unsigned priority = 0; priority < BZ_INJECT_PRIORITIES; priority++)
            assert_int_equal(waiting[priority], 0);
    }
}

static void injected_jobs_come_to_a_worker_whose_deque_is_sealed(void **state) {
    (void)state;
    bz_deque_seal(&worker(0)->deque);
    inject(0, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(find(0, NULL), i);
    assert_int_equal(find(0, NULL), -1);
}

/* ---- pushing ---- */

static void steal_requests_are_answered_at_pushes_and_pops(void **state) {
    (void)state;
    struct bz_worker *self = worker(0);
    assert_true(bz_worker_push(self, &jobs[0].node.job)); /* a new deque has a request */
    assert_true(bz_deque_has_public(&self->deque));
    for (int i = 1; i < 6; i++)
        bz_worker_push(self, &jobs[i].node.job);
    assert_int_equal(bz_deque_public_size(&self->deque), 1); /* one is enough until it is taken */
    assert_int_equal(find(1, NULL), 0);
    assert_int_equal(find(1, NULL), -1);
    struct bz_job *job = bz_worker_pop(self);
    assert_ptr_equal(job, &jobs[5].node.job);
    assert_int_equal(find(1, NULL), 1);
    assert_int_equal(find(2, NULL), 2);
    assert_int_equal(find(1, NULL), -1);
}

/* ---- waiting ---- */

static bool is_set(void *arg) {
    return bz_load_acquire((struct bz_a32 *)arg);
}

static void a_wait_that_is_over_runs_nothing(void **state) {
    (void)state;
    struct bz_a32 flag = {1};
    struct bz_wait wait = {.done = is_set, .arg = &flag};
    bz_become(worker(0));
    push(0, 0, 1);
    bz_worker_wait_until(worker(0), &wait);
    assert_int_equal(jobs[0].ran.v, 0);
}

static void a_wait_runs_what_the_filter_allows_until_it_is_over(void **state) {
    (void)state;
    struct bz_wait wait = {.done = is_set, .arg = &jobs[2].ran};
    bz_become(worker(0));
    push(0, 0, 1);
    wait.filter.floor = bz_deque_bottom(&worker(0)->deque);
    push(0, 1, 5);
    bz_worker_wait_until(worker(0), &wait);
    assert_int_equal(jobs[0].ran.v + jobs[1].ran.v, 0);
    for (int i = 2; i < 5; i++)
        assert_int_equal(jobs[i].ran.v, 1);
    assert_int_equal(worker(0)->stats.jobs.v, 3);
}

static void wait_for_flag(struct bz_worker *self, void *arg) {
    struct bz_wait wait = {.done = is_set, .arg = arg};
    bz_worker_wait_until(self, &wait);
}

static void a_waiter_sleeps_until_it_is_woken(void **state) {
    (void)state;
    struct bz_a32 flag = {0};
    struct rig_thread thread;
    rig_start(&thread, worker(1), wait_for_flag, &flag);
    rig_until(bz_load_relaxed(&worker(1)->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    assert_int_equal(bz_counters_sleeping(bz_load_relaxed(&rig.domain.counters.word)), 1);
    bz_worker_wake(worker(1)); /* without a job: it polls and sleeps again */
    rig_until(bz_load_relaxed(&worker(1)->stats.parks) == 2);
    bz_store_release(&flag, 1);
    bz_worker_wake(worker(1));
    rig_join(&thread);
    assert_int_equal(rig.domain.counters.word.v & 0xffffffff, 0);
    assert_int_equal(worker(1)->stats.parks.v, 2);
}

static void a_wake_before_the_wait_is_not_lost(void **state) {
    (void)state;
    struct bz_a32 flag = {0};
    struct rig_thread thread;
    bz_worker_wake(worker(1));
    assert_int_equal(worker(1)->sleeper.latch.state.v, BZ_LATCH_SET);
    rig_start(&thread, worker(1), wait_for_flag, &flag);
    rig_until(bz_load_relaxed(&worker(1)->stats.parks) == 1); /* it polled once more, without harm */
    bz_store_release(&flag, 1);
    bz_worker_wake(worker(1));
    rig_join(&thread);
}

static void a_waiter_is_woken_by_work(void **state) {
    (void)state;
    struct rig_thread thread;
    rig_start(&thread, worker(1), wait_for_flag, &jobs[0].ran);
    rig_until(bz_load_relaxed(&worker(1)->sleeper.latch.state) == BZ_LATCH_SLEEPING);
    push(0, 0, 1);
    rig_join(&thread);
    assert_int_equal(jobs[0].ran.v, 1);
    assert_int_equal(worker(1)->stats.stolen.v, 1);
    assert_int_equal(worker(0)->stats.wakes.v, 1);
}

/* Jobs that a waiter may not run itself are for others, even if it had kept them private. */
static void wait_for_others(struct bz_worker *self, void *arg) {
    if (self->index == 0) {
        bz_deque_clear_request(&self->deque, self->deque.split); /* no thread has a request */
        for (int i = 0; i < 3; i++)
            bz_deque_push(&self->deque, &jobs[i].node.job);
        bz_store_release((struct bz_a32 *)arg, 1);
    } else {
        rig_until(is_set(arg));
    }
    struct bz_wait wait = {.done = is_set, .arg = &jobs[2].ran, .filter = {.own_only = self->index == 0}};
    wait.filter.floor = self->index == 0 ? bz_deque_bottom(&self->deque) : 0;
    bz_worker_wait_until(self, &wait);
    bz_worker_wake(worker(0));
}

static void a_waiter_shows_what_it_may_not_run(void **state) {
    (void)state;
    struct bz_a32 pushed = {0};
    struct rig_thread threads[2];
    for (unsigned i = 0; i < 2; i++)
        rig_start(&threads[i], worker(i), wait_for_others, &pushed);
    for (unsigned i = 0; i < 2; i++)
        rig_join(&threads[i]);
    assert_int_equal(worker(1)->stats.stolen.v, 3);
}

/* The owner pushes without a request, and then polls nothing. */
static void push_private(int from, int to) {
    for (int i = from; i < to; i++)
        assert_true(bz_deque_push(&worker(0)->deque, &jobs[i].node.job));
    bz_deque_clear_request(&worker(0)->deque, worker(0)->deque.split);
}

static void a_waiter_takes_private_jobs_of_a_worker_that_does_not_poll(void **state) {
    (void)state;
    rig_choose_fences(true);
    if (bz_fence_symmetric.v)
        skip();
    struct bz_wait wait = {.done = is_set, .arg = &jobs[2].ran};
    push_private(0, 3);
    bz_become(worker(1));
    bz_worker_wait_until(worker(1), &wait);
    rig_choose_fences(false);
    assert_int_equal(worker(1)->stats.stolen.v, 3);
    assert_int_equal(bz_deque_size(&worker(0)->deque), 0);
}

static bool has_slept(void *arg) {
    return bz_load_relaxed(&((struct bz_worker *)arg)->stats.parks) > 0;
}

static bool refuse(const struct bz_job *job, const void *arg) {
    (void)job;
    (void)arg;
    return false;
}

/* Otherwise it would expose all of them, one half after the other, before it slept. */
static void a_waiter_leaves_private_what_comes_after_what_it_may_not_run(void **state) {
    (void)state;
    rig_choose_fences(true);
    struct bz_wait wait = {.done = has_slept, .arg = worker(1), .filter = {.may_take = refuse}};
    wait.deadline_ns = bz_os_now_ns() + 1000000;
    push(0, 0, 1);
    push_private(1, 5);
    bz_become(worker(1));
    bz_worker_wait_until(worker(1), &wait);
    rig_choose_fences(false);
    assert_int_equal(bz_deque_public_size(&worker(0)->deque), 1);
    assert_int_equal(bz_deque_size(&worker(0)->deque), 5);
}

/* A job that waits for another one, inside a wait. */
static struct bz_job nested;

static void run_nested(struct bz_job *job, struct bz_worker *self) {
    (void)job;
    struct bz_wait wait = {.done = is_set, .arg = &jobs[0].ran};
    push(self->index, 0, 1);
    bz_worker_wait_until(self, &wait);
    bz_fetch_add_relaxed(&jobs[1].ran, 1);
}

static void a_job_may_wait(void **state) {
    (void)state;
    struct bz_wait wait = {.done = is_set, .arg = &jobs[1].ran};
    bz_become(worker(0));
    nested.run = run_nested;
    assert_true(bz_worker_push_public(worker(0), &nested));
    bz_worker_wait_until(worker(0), &wait);
    assert_int_equal(jobs[0].ran.v, 1);
    assert_int_equal(worker(0)->stats.jobs.v, 2);
}

/* ---- making and ending ---- */

static unsigned released;

static void release(void *context) {
    assert_ptr_equal(context, &released);
    released++;
}

static void a_worker_ends_with_its_context(void **state) {
    (void)state;
    struct bz_worker *one = bz_os_alloc(sizeof *one);
    bz_worker_init(one, &rig.domain, 7);
    assert_int_equal(one->index, 7);
    assert_null(one->context);
    assert_int_equal(one->deque.mask, BZ_DEQUE_CAPACITY - 1);
    assert_null(rig.domain.slots[1].v == one ? one : NULL); /* not entered */
    one->context = &released;
    one->release = release;
    bz_worker_destroy(one);
    assert_int_equal(released, 1);
    bz_os_free(one, sizeof *one);
}

#define case_of(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        case_of(its_own_newest_comes_first),
        case_of(a_thief_searches_all_others),
        case_of(what_lies_below_the_floor_stays),
        case_of(the_newest_is_popped_if_it_may_be_taken),
        case_of(a_filter_may_refuse_others_jobs),
        case_of(a_filter_may_name_the_victim),
        case_of(a_filter_may_forbid_theft),
        case_of(injected_jobs_are_for_workers_that_may_run_them),
        case_of(own_work_does_not_starve_injected_jobs),
        case_of(own_searches_keep_injected_jobs_in_order),
        case_of(each_priority_keeps_its_order),
        case_of(injected_jobs_come_to_a_worker_whose_deque_is_sealed),
        case_of(steal_requests_are_answered_at_pushes_and_pops),
        case_of(a_wait_that_is_over_runs_nothing),
        case_of(a_wait_runs_what_the_filter_allows_until_it_is_over),
        case_of(a_waiter_sleeps_until_it_is_woken),
        case_of(a_wake_before_the_wait_is_not_lost),
        case_of(a_waiter_is_woken_by_work),
        case_of(a_waiter_shows_what_it_may_not_run),
        case_of(a_waiter_takes_private_jobs_of_a_worker_that_does_not_poll),
        case_of(a_waiter_leaves_private_what_comes_after_what_it_may_not_run),
        case_of(a_job_may_wait),
        case_of(a_worker_ends_with_its_context),
    };
    return cmocka_run_group_tests_name("worker", tests, NULL, NULL);
}
