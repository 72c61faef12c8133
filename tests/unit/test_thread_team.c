/* test_thread_team.c: thread_team.h: which members run which work, the owners of their threads, and behaviour without
 * threads. stress_thread_team.c has storms of runs. */
#include "team/thread_team.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "../team_run.h"
#include "capture.h"
#include "env/error.h"
#include "os/cpus.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "teams.h"
#include "wait/load.h"
#include "wait/policy.h"
#include "wait/spin.h"

enum { MANY = 16 };

/* ---- what is replaced (linked with --wrap=NAME) ---- */

static struct bz_a32 threads_left = {UINT32_MAX}; /* threads that the system will still start */
static struct bz_a32 blocks_left = {UINT32_MAX};  /* blocks of memory that the system will still give */

static bool one_of(struct bz_a32 *left) {
    uint32_t n = bz_load_relaxed(left);
    if (n != UINT32_MAX && n > 0)
        bz_fetch_sub_relaxed(left, 1);
    return n > 0;
}

static struct bz_a32 starts;                 /* threads that were started, and bit i for the i-th one: */
static struct bz_a64 started_on_creator_cpu; /* it begins on its creator's CPU */

int __real_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *, void (*)(void *), void *);
int __wrap_bz_os_thread_start(const struct bz_os_thread_attr *attr, void (*main)(void *), void *arg) {
    if (!one_of(&threads_left))
        return EAGAIN;
    uint32_t before = bz_fetch_add_relaxed(&starts, 1);
    bz_fetch_add_relaxed(&started_on_creator_cpu, (uint64_t)attr->on_creator_cpu << before % 64);
    return __real_bz_os_thread_start(attr, main, arg);
}

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    return one_of(&blocks_left) ? __real_bz_os_alloc(size) : NULL;
}

/* A member that waits for the word `held` to change from `held_seen` sleeps until it is released, whatever wakes it. */
static struct { uint32_t *v; } held;
static uint32_t held_seen; /* written before `held` */
static struct bz_a32 holding;

static struct bz_a32 put_off = {UINT32_MAX}; /* the last CPU that a thread had to avoid after its sleep */

static bool is_held(const uint32_t *word, uint32_t expected) {
    if (bz_load_acquire(&held) != word || expected != held_seen)
        return false;
    bz_fetch_add_relaxed(&holding, 1);
    rig_until(!bz_load_acquire(&held));
    bz_fetch_sub_relaxed(&holding, 1);
    return true;
}

int __real_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits);
int __wrap_bz_os_futex_wait_until(uint32_t *word, uint32_t expected, uint64_t deadline_ns, uint32_t bits) {
    if (deadline_ns == 0 && is_held(word, expected))
        return 0;
    return __real_bz_os_futex_wait_until(word, expected, deadline_ns, bits);
}

void __real_bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus);
void __wrap_bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus);
void __wrap_bz_os_futex_wait_off(uint32_t *word, uint32_t expected, const uint64_t *cpus) {
    if (is_held(word, expected))
        return;
    bz_store_relaxed(&put_off, cpus ? bz_cpus_next(cpus, bz_cpus_words(), 0) : UINT32_MAX);
    __real_bz_os_futex_wait_off(word, expected, cpus);
}

/* The CPU of each thread, except those without a report. */
static struct bz_a32 all_on = {UINT32_MAX};

unsigned __real_bz_os_cpu(void);
unsigned __wrap_bz_os_cpu(void);
unsigned __wrap_bz_os_cpu(void) {
    uint32_t cpu = bz_load_relaxed(&all_on);
    return cpu != UINT32_MAX ? cpu : __real_bz_os_cpu();
}

/* ---- one run ---- */

struct run {
    struct bz_team *team;
    unsigned size;
    struct bz_a32 inside, wrong;
    struct bz_a32 ran[MANY];
    pthread_t thread[MANY];
};

/* All members are inside at once, on threads and workers of their own. */
static void body(unsigned index, void *arg) {
    struct run *run = arg;
    bz_fetch_add_relaxed(&run->ran[index], 1);
    run->thread[index] = pthread_self();
    if (bz_self != &run->team->members[index]->worker || bz_self->index != index ||
        bz_self->domain != &run->team->domain)
        bz_fetch_add_relaxed(&run->wrong, 1);
    bz_fetch_add_acq_rel(&run->inside, 1);
    rig_until(bz_load_acquire(&run->inside) == run->size);
}

static void check_run(const struct run *run) {
    assert_int_equal(run->wrong.v, 0);
    for (unsigned i = 0; i < MANY; i++) {
        assert_int_equal(run->ran[i].v, i < run->size ? 1 : 0);
        for (unsigned j = 0; j < i && i < run->size; j++)
            assert_false(pthread_equal(run->thread[i], run->thread[j]));
    }
    assert_true(pthread_equal(run->thread[0], pthread_self()));
}

/* Runs a team of `size`, which must be available. */
static struct bz_team *run_of(unsigned size) {
    struct bz_worker *self = bz_worker_adopt();
    struct run run = {.size = size};
    run.team = bz_team_enter(self, &run.size);
    assert_non_null(run.team);
    assert_int_equal(run.size, size);
    team_run(run.team, body, &run);
    assert_ptr_equal(bz_self, self);
    check_run(&run);
    return run.team;
}

/* ---- another host thread ---- */

static void *host_main(void *arg) {
    run_of(*(unsigned *)arg);
    return NULL;
}

/* A new thread runs a team of `size` and ends. */
static void host(unsigned size) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, host_main, &size), 0);
    pthread_join(thread, NULL);
}

/* ---- tests ---- */

/* First: the warning appears once in a process. */
static void a_thread_that_cannot_be_had_makes_the_team_smaller(void **state) {
    (void)state;
    struct capture c;
    char line[BZ_MESSAGE_MAX + 1], more[BZ_MESSAGE_MAX + 1];
    capture_begin(&c);
    bz_store_relaxed(&threads_left, 2);
    unsigned first = enter(8), second = enter(8);
    bz_store_relaxed(&threads_left, UINT32_MAX);
    capture_next(&c, line, sizeof line);
    capture_next(&c, more, sizeof more);
    capture_end(&c);
    assert_int_equal(first, 3);
    assert_int_equal(second, 3);
    char want[BZ_MESSAGE_MAX + 1];
    snprintf(want, sizeof want, "blitz: cannot start thread 4 of 8: %s; going on with 3\n", strerror(EAGAIN));
    assert_string_equal(line, want);
    assert_string_equal(more, "");
    run_of(3);
    assert_int_equal(bz_thread_cache_size(), 2);
    rig_until(enter(8) == 8); /* later there may be threads */
    run_of(8);
    assert_int_equal(bz_thread_cache_size(), 7);
}

static void a_team_of_one_is_the_caller(void **state) {
    (void)state;
    leave();
    unsigned before = bz_thread_cache_size();
    bz_store_relaxed(&threads_left, 0);
    run_of(1);
    run_of(1);
    bz_store_relaxed(&threads_left, UINT32_MAX);
    assert_int_equal(bz_thread_cache_size(), before);
}

static void all_sizes_up_and_down(void **state) {
    (void)state;
    for (unsigned size = 1; size <= 8; size++)
        run_of(size);
    for (unsigned size = 8; size >= 1; size--)
        run_of(size);
    for (unsigned i = 0; i < 50; i++)
        run_of(1 + i * 5 % 8);
    assert_int_equal(bz_thread_cache_size(), 7);
}

static void the_same_team_serves_while_it_is_large_enough(void **state) {
    (void)state;
    leave();
    struct bz_team *four = run_of(4);
    assert_int_equal(four->domain.capacity, 4);
    assert_ptr_equal(run_of(2), four);
    assert_ptr_equal(run_of(4), four);
    struct bz_team *five = run_of(5);
    assert_true(five->domain.capacity >= 5);
    assert_ptr_equal(run_of(5), five);
    assert_int_equal(bz_thread_cache_size(), 7); /* it took its threads along */
}

static void members_sleep_and_wake(void **state) {
    (void)state;
    leave();
    bz_set_spin_ns(0);
    for (unsigned i = 0; i < 20; i++) {
        struct bz_team *team = run_of(4);
        rig_until(bz_load_relaxed(&team->asleep) > 0 ||
                  bz_counters_sleeping(bz_load_relaxed(&team->domain.counters.word)) > 0);
        run_of(2);
    }
    leave();
    bz_set_spin_ns(UINT64_C(1000000000000)); /* no member sleeps */
    for (unsigned i = 0; i < 20; i++)
        run_of(1 + i % 4);
    leave();
    bz_set_spin_ns(20000);
}

struct unit {
    struct bz_job job; /* first */
    struct bz_a32 *done;
};

static void run_unit(struct bz_job *job, struct bz_worker *self) {
    bz_fetch_add_relaxed(((struct unit *)job)->done, 1);
    bz_worker_end(self);
}

struct work {
    struct unit units[MANY][20];
    struct bz_a32 done;
};

static void leave_work(unsigned index, void *arg) {
    struct work *work = arg;
    for (unsigned i = 0; i < 20; i++) {
        work->units[index][i] = (struct unit){{run_unit}, &work->done};
        bz_worker_begin(bz_self);
        bz_worker_push(bz_self, &work->units[index][i].job);
    }
}

/* The CPU that the member of a team of two must avoid when its sleep after a run ends. */
static uint32_t put_off_after_a_run(void) {
    bz_store_relaxed(&put_off, 0);
    while (bz_load_relaxed(&put_off) == 0) {
        struct bz_team *team = run_of(2);
        rig_until(bz_load_relaxed(&put_off) != 0 || /* or it sleeps in the run's join, until the next run */
                  bz_counters_sleeping(bz_load_relaxed(&team->domain.counters.word)) > 0);
    }
    return bz_load_relaxed(&put_off);
}

/* On most machines the system does not know its CPU. */
static void a_member_that_wakes_on_its_leader_cpu_is_put_elsewhere(void **state) {
    (void)state;
    enum { CPU = 63 };
    leave();
    bz_set_cpus(64);
    bz_store_relaxed(&all_on, CPU);
    for (unsigned wakes = 0; wakes <= BZ_MEETINGS; wakes++)
        assert_int_equal(put_off_after_a_run(), wakes < BZ_MEETINGS ? UINT32_MAX : CPU);
    bz_awake_add(64); /* nothing is idle */
    assert_int_equal(put_off_after_a_run(), UINT32_MAX);
    bz_awake_add(-64);
    bz_store_relaxed(&all_on, UINT32_MAX);
    bz_set_cpus(0); /* read the machine's again */
    leave();
}

static void a_run_ends_when_all_work_has(void **state) {
    (void)state;
    for (unsigned size = 1; size <= 4; size++) {
        struct work work = {.done = {0}};
        unsigned got = size;
        struct bz_team *team = bz_team_enter(bz_worker_adopt(), &got);
        team_run(team, leave_work, &work);
        assert_int_equal(work.done.v, 20 * size);
        assert_true(bz_domain_quiet(&team->domain));
    }
}

static void a_run_can_be_begun_and_ended_by_its_caller(void **state) {
    (void)state;
    struct bz_worker *outer = bz_worker_adopt();
    struct run run = {.size = 3};
    run.team = bz_team_enter(outer, &run.size);
    bz_team_begin(run.team, body, &run, NULL);
    assert_ptr_equal(bz_self, &run.team->members[0]->worker);
    body(0, &run);
    bz_team_end(run.team);
    assert_ptr_equal(bz_self, outer);
    check_run(&run);
}

static void a_team_may_be_entered_without_being_run(void **state) {
    (void)state;
    run_of(4);
    run_of(2);
    run_of(2); /* 2 and 3 have been parked since */
    assert_int_equal(enter(4), 4);
    assert_int_equal(enter(2), 2);
    assert_int_equal(enter(1), 1);
    assert_int_equal(enter(4), 4);
    run_of(4);
}

static void parked_members_serve_others(void **state) {
    (void)state;
    leave();
    unsigned before = bz_thread_cache_size();
    assert_int_equal(before, 7);
    run_of(8);
    run_of(2);
    host(7); /* six of mine */
    assert_int_equal(bz_thread_cache_size(), before);
    run_of(8);
    assert_int_equal(bz_thread_cache_size(), before);
}

/* Members left out of a run that has not begun may not have noticed that, and a reclaim must not wait for the run: the
 * other team gets new threads. */
static void members_that_only_might_be_spared_are_not_reclaimed(void **state) {
    (void)state;
    leave();
    run_of(8);
    assert_int_equal(enter(2), 2);
    host(3);
    assert_int_equal(bz_thread_cache_size(), 9);
    run_of(8);
}

static void a_host_thread_that_ends_gives_its_members_back(void **state) {
    (void)state;
    leave();
    unsigned before = bz_thread_cache_size();
    for (unsigned i = 0; i < 20; i++)
        host(1 + before - i % 3);
    assert_int_equal(bz_thread_cache_size(), before);
}

static struct bz_a32 nested_wrong;

static void nesting_body(unsigned index, void *arg) {
    struct bz_worker *self = bz_self;
    struct run run = {.size = 2 + index % 2};
    unsigned size = run.size;
    (void)arg;
    run.team = bz_team_enter(self, &run.size);
    if (!run.team || run.size != size) {
        bz_fetch_add_relaxed(&nested_wrong, 1);
        return;
    }
    team_run(run.team, body, &run);
    if (bz_self != self || run.wrong.v > 0 || run.inside.v != size)
        bz_fetch_add_relaxed(&nested_wrong, 1);
}

static void teams_nest(void **state) {
    (void)state;
    leave();
    assert_int_equal(bz_thread_cache_size(), 9); /* 3 members, and 1 + 2 + 1 + 2 in the nested teams */
    for (unsigned i = 0; i < 20; i++) {
        unsigned size = 4;
        team_run(bz_team_enter(bz_worker_adopt(), &size), nesting_body, NULL);
    }
    assert_int_equal(nested_wrong.v, 0);
    assert_int_equal(bz_thread_cache_size(), 9);
    leave(); /* and what is nested in the members */
    run_of(10);
    assert_int_equal(bz_thread_cache_size(), 9);
}

static void memory_that_cannot_be_had_makes_the_team_smaller(void **state) {
    (void)state;
    leave();
    bz_store_relaxed(&blocks_left, 0);
    unsigned size = 4;
    assert_null(bz_team_enter(bz_worker_adopt(), &size));
    bz_store_relaxed(&blocks_left, 1); /* the team, but no worker */
    assert_null(bz_team_enter(bz_worker_adopt(), &size));
    bz_store_relaxed(&blocks_left, 3); /* the team and two workers */
    struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
    bz_store_relaxed(&blocks_left, UINT32_MAX);
    assert_non_null(team);
    assert_int_equal(size, 2);
    run_of(2);
    run_of(4);
}

static void a_team_beyond_all_bounds_is_cut(void **state) {
    (void)state;
    struct capture c;
    char line[BZ_MESSAGE_MAX + 1], more[BZ_MESSAGE_MAX + 1];
    leave();
    capture_begin(&c);
    bz_store_relaxed(&threads_left, 0);
    unsigned got = enter(UINT32_MAX);
    bz_store_relaxed(&threads_left, UINT32_MAX);
    capture_next(&c, line, sizeof line);
    capture_next(&c, more, sizeof more);
    capture_end(&c);
    assert_string_equal(line, "blitz: a team of 4294967295 threads was requested; using at most 65535\n");
    assert_string_equal(more, ""); /* the warning about missing threads was printed before */
    assert_int_equal(got, 1 + bz_thread_cache_size());
    run_of(got < MANY ? got : MANY);
    leave();
}

/* Between two runs: as if others had taken place. */
static void set_start(struct bz_team *team, uint32_t word) {
    team->word = word;
    bz_store_relaxed(&team->start, word);
}

static void the_epoch_wraps(void **state) {
    (void)state;
    struct bz_team *team = run_of(2);
    assert_int_equal(enter(1), 1);
    set_start(team, 0xfffd0001); /* a run of one leaves all members parked, so none sees this */
    for (unsigned i = 0; i < 6; i++)
        run_of(2);
    assert_int_equal(team->start.v, 0x00030002);
}

/* A member sleeps through 65535 runs without it. The start word that it knows must not recur with it in the run. */
static void a_start_word_that_a_member_knows_does_not_come_again(void **state) {
    (void)state;
    leave();
    bz_set_spin_ns(0);
    struct bz_team *team = run_of(3);
    held_seen = team->start.v + 0x10000; /* of the next run: a member that is late for it takes part in it */
    bz_store_release(&held, &team->start.v);
    run_of(3);
    assert_int_equal(team->start.v, held_seen);
    while (bz_load_relaxed(&holding) < 2) {
        bz_domain_wake_if_asleep(&team->members[1]->worker); /* out of the last join */
        bz_domain_wake_if_asleep(&team->members[2]->worker);
        bz_os_yield();
    }
    uint32_t known = team->start.v;
    assert_int_equal(enter(1), 1);
    set_start(team, ((known - 0x10000) & 0xffff0000) | 1);
    struct run run = {.size = enter(3), .team = team};
    bz_team_begin(team, body, &run, NULL);
    bz_store_release(&held, NULL);
    assert_int_not_equal(team->start.v, known);
    body(0, &run);
    bz_team_end(team);
    check_run(&run);
    bz_set_spin_ns(20000);
}

/* Members from `first` on are new threads. With two CPUs those with an even index start on their leader's CPU. */
static void of_more_threads_than_cpus_some_begin_on_their_leader_cpu(void **state) {
    (void)state;
    enum { MORE = 8 };
    leave();
    unsigned first = bz_thread_cache_size() + 1;
    uint64_t expected = 0;
    for (unsigned i = 0; i < MORE; i++)
        expected |= (uint64_t)((first + i) % 2 == 0) << i;
    bz_set_cpus(2);
    bz_store_relaxed(&starts, 0);
    bz_store_relaxed(&started_on_creator_cpu, 0);
    rig_until(enter(first + MORE) == first + MORE); /* later, after the refusals above */
    assert_int_equal(bz_load_relaxed(&starts), MORE);
    assert_int_equal(bz_load_relaxed(&started_on_creator_cpu), expected);
    bz_set_cpus(0);
}

/* Members that were attached for a run that does not take place. */
static void members_of_a_run_that_is_not_serve_others(void **state) {
    (void)state;
    enum { SIZE = BZ_LARGE_TEAM + 4 };
    leave();
    bz_set_cpus(1);
    rig_until(enter(SIZE) == SIZE); /* later, after the refusals above */
    assert_int_equal(enter(2), 2);
    host(8); /* the others may still belong to the coming run */
    assert_int_equal(enter(SIZE), SIZE);
    unsigned threads = bz_thread_cache_size();
    assert_int_equal(enter(1), 1);
    host(12);
    assert_int_equal(enter(SIZE), SIZE);
    run_of(2);
    host(12);
    assert_int_equal(enter(SIZE), SIZE);
    leave();
    host(12);
    assert_int_equal(bz_thread_cache_size(), threads);
    bz_set_cpus(0);
}

int main(void) {
    alarm(HANG_SECONDS);
    bz_set_spin_ns(20000);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_that_cannot_be_had_makes_the_team_smaller),
        cmocka_unit_test(a_team_of_one_is_the_caller),
        cmocka_unit_test(all_sizes_up_and_down),
        cmocka_unit_test(the_same_team_serves_while_it_is_large_enough),
        cmocka_unit_test(members_sleep_and_wake),
        cmocka_unit_test(a_member_that_wakes_on_its_leader_cpu_is_put_elsewhere),
        cmocka_unit_test(a_run_ends_when_all_work_has),
        cmocka_unit_test(a_run_can_be_begun_and_ended_by_its_caller),
        cmocka_unit_test(a_team_may_be_entered_without_being_run),
        cmocka_unit_test(parked_members_serve_others),
        cmocka_unit_test(members_that_only_might_be_spared_are_not_reclaimed),
        cmocka_unit_test(a_host_thread_that_ends_gives_its_members_back),
        cmocka_unit_test(teams_nest),
        cmocka_unit_test(memory_that_cannot_be_had_makes_the_team_smaller),
        cmocka_unit_test(a_team_beyond_all_bounds_is_cut),
        cmocka_unit_test(the_epoch_wraps),
        cmocka_unit_test(a_start_word_that_a_member_knows_does_not_come_again),
        cmocka_unit_test(members_of_a_run_that_is_not_serve_others),
        cmocka_unit_test(of_more_threads_than_cpus_some_begin_on_their_leader_cpu),
    };
    return cmocka_run_group_tests_name("thread_team", tests, NULL, NULL);
}
