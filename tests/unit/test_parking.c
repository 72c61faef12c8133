/* test_parking.c: parking.h: an unlock in each state of its bucket, which thread pays for a fence, and when a bucket is
 * quiet again. */
#include "wait/parking.h"

#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "env/options.h"
#include "os/os.h"
#include "wait/load.h"
#include "wait/mutex.h"
#include "wait/spin.h"
#include "wait/thread.h"

#define LONG_SPIN_NS bz_long_spin()

/* Linked with --wrap=bz_fence_heavy, --wrap=bz_os_futex_wake and --wrap=bz_os_now_ns. */
static uint64_t now_ns = 1000000000, step_ns; /* the clock, and its step at each reading */
static uint64_t free_at;                      /* if not 0: words[0] becomes free then */
static uint64_t crowd_at; /* if not 0: threads outnumber the CPUs from then on, for one spin */

static struct bz_a32 words[4 * BZ_PARKING_BUCKETS];

uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    now_ns += step_ns;
    if (free_at != 0 && now_ns >= free_at)
        bz_store_relaxed(&words[0], 0);
    if (crowd_at != 0 && now_ns >= crowd_at) {
        bz_awake_add(100000);
        crowd_at = 0;
    }
    return now_ns;
}

static unsigned fences, wakes;
static const struct bz_a32 *entering; /* its bucket must not be quiet at a fence */

void __real_bz_fence_heavy(void);
void __wrap_bz_fence_heavy(void);
void __wrap_bz_fence_heavy(void) {
    fences++;
    if (entering)
        assert_int_equal(bz_load_relaxed(&bz_parking_of(entering)->state), BZ_PARKING_CALLED);
    __real_bz_fence_heavy();
}

void __wrap_bz_os_futex_wake(uint32_t *word, int count);
void __wrap_bz_os_futex_wake(uint32_t *word, int count) {
    (void)word;
    assert_int_equal(count, 1);
    wakes++;
}

static uint32_t state_of(const struct bz_a32 *word) {
    return bz_load_relaxed(&bz_parking_of(word)->state);
}

/* The next word with the same bucket as `word`, or with another one. */
static struct bz_a32 *neighbour(struct bz_a32 *word, bool same) {
    struct bz_a32 *other = word + 1;
    while ((bz_parking_of(other) == bz_parking_of(word)) != same)
        other++;
    assert_true(other < words + 4 * BZ_PARKING_BUCKETS);
    return other;
}

static int forget(void **state) {
    (void)state;
    bz_parking_forget();
    fences = wakes = 0;
    step_ns = free_at = 0;
    return 0;
}

static void unlock_often(struct bz_a32 *word) {
    for (unsigned i = 0; i <= BZ_PARKING_UNLOCKS * bz_cpu_count(); i++) {
        assert_false(bz_parking_hand_over(word)); /* no thread waits */
        bz_parking_note_unlock(word);
    }
}

static void get_up(struct bz_a32 *word) {
    bz_fetch_sub_relaxed(&bz_parking_of(word)->sleepers, 1);
}

static void a_quiet_bucket_costs_a_store(void **state) {
    (void)state;
    words[0].v = 7;
    assert_true(bz_parking_unlock(&words[0]));
    assert_int_equal(words[0].v, 0);
    assert_int_equal(fences + wakes, 0);
}

static void a_sleeper_is_known_from_a_fence_on(void **state) {
    (void)state;
    words[0].v = 7;
    entering = &words[0];
    bz_parking_enter(&words[0]);
    entering = NULL;
    assert_int_equal(state_of(&words[0]), BZ_PARKING_KNOWN);
    assert_int_equal(fences, 1);
    assert_false(bz_parking_unlock(&words[0]));
    assert_int_equal(words[0].v, 7);
    bz_parking_enter(&words[0]); /* the second enters without a fence */
    assert_int_equal(fences, 1);
    get_up(&words[0]);
    get_up(&words[0]);
    assert_int_equal(state_of(&words[0]), BZ_PARKING_KNOWN);
    assert_int_equal(bz_load_relaxed(&bz_parking_of(&words[0])->sleepers), 0);
}

static void words_of_one_bucket_share_it(void **state) {
    (void)state;
    struct bz_a32 *same = neighbour(words, true), *other = neighbour(words, false);
    bz_parking_enter(words);
    assert_false(bz_parking_unlock(same));
    assert_true(bz_parking_unlock(other));
    get_up(words);
}

static void a_bucket_is_quiet_again_when_no_thread_sleeps(void **state) {
    (void)state;
    bz_parking_enter(words);
    unlock_often(words);
    assert_int_equal(state_of(words), BZ_PARKING_KNOWN); /* a thread sleeps */
    get_up(words);
    unlock_often(words);
    assert_int_equal(state_of(words), BZ_PARKING_QUIET);
    unlock_often(words);
    assert_int_equal(state_of(words), BZ_PARKING_QUIET);
    bz_parking_enter(words);
    assert_int_equal(fences, 2);
    get_up(words);
}

static void an_arrival_keeps_a_bucket_from_quieting(void **state) {
    (void)state;
    struct bz_parking_bucket *bucket = bz_parking_of(words);
    bz_store_relaxed(&bucket->state, BZ_PARKING_QUIETING);
    bz_parking_enter(words);
    assert_int_equal(state_of(words), BZ_PARKING_KNOWN);
    assert_int_equal(fences, 0); /* all unlocking threads still know of it */
    get_up(words);
}

static void a_bucket_is_made_quiet_by_one_at_a_time(void **state) {
    (void)state;
    bz_parking_enter(words);
    get_up(words);
    bz_store_relaxed(&bz_parking_of(words)->quieting_lock, true);
    unlock_often(words);
    assert_int_equal(state_of(words), BZ_PARKING_KNOWN);
    bz_store_relaxed(&bz_parking_of(words)->quieting_lock, false);
    unlock_often(words);
    assert_int_equal(state_of(words), BZ_PARKING_QUIET);
}

static void concurrent_callers_both_pay(void **state) {
    (void)state;
    bz_store_relaxed(&bz_parking_of(words)->state, BZ_PARKING_CALLED);
    bz_parking_enter(words); /* the other thread's fence may still be outstanding */
    assert_int_equal(fences, 1);
    assert_int_equal(state_of(words), BZ_PARKING_KNOWN);
    get_up(words);
}

static void unlocks_without_a_mark_wake_no_thread_and_make_it_quiet(void **state) {
    (void)state;
    bz_parking_enter(words);
    get_up(words);
    for (unsigned i = 0; i <= BZ_PARKING_UNLOCKS * bz_cpu_count(); i++) {
        words[0].v = BZ_MUTEX_HELD;
        bz_mutex_unlock(words);
        assert_int_equal(words[0].v, BZ_MUTEX_FREE);
    }
    assert_int_equal(state_of(words), BZ_PARKING_QUIET);
    assert_int_equal(wakes, 0);
}

static void a_mark_is_answered_by_a_wake(void **state) {
    (void)state;
    bz_parking_enter(words);
    words[0].v = BZ_MUTEX_CONTENDED;
    bz_mutex_unlock(words);
    assert_int_equal(words[0].v, BZ_MUTEX_FREE);
    assert_int_equal(wakes, 1);
    get_up(words);
}

static void in_a_forks_child_no_thread_sleeps(void **state) {
    (void)state;
    bz_parking_enter(words);
    bz_store_relaxed(&bz_parking_of(words)->quieting_lock, true);
    bz_awake_add(-1); /* as the sleeper does */
    pid_t child = fork();
    if (child == 0) {
        const struct bz_parking_bucket *bucket = bz_parking_of(words);
        bz_set_cpus(1);
        bz_awake_add(1); /* the only one: there is no CPU for another */
        _exit(bz_load_relaxed(&bucket->state) != BZ_PARKING_QUIET || bz_load_relaxed(&bucket->sleepers) ||
              bz_load_relaxed(&bucket->quieting_lock) || bz_cpus_left());
    }
    bz_awake_add(1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(bz_load_relaxed(&bz_parking_of(words)->sleepers), 1);
    get_up(words);
}

/* ---- spinning on a lock that is held ---- */

static bool take(struct bz_a32 *word, bool marked) {
    (void)marked;
    if (bz_load_relaxed(word) != 0)
        return false;
    bz_store_relaxed(word, 9);
    return true;
}

/* Never sleeps. */
static bool leave(struct bz_a32 *word, uint32_t *value) {
    (void)word, (void)value;
    return true;
}

/* Spins on words[0], which is held; returns the time. */
static uint64_t spin_time(bool gets) {
    static const struct bz_lock_kind kind = {take, leave};
    uint64_t began = now_ns;
    bz_store_relaxed(&words[0], 7);
    bz_parking_wait(words, &kind);
    assert_int_equal(bz_load_relaxed(&words[0]), gets ? 9 : 7);
    assert_int_equal(bz_load_relaxed(&bz_parking_of(words)->awaited) % 1024, 0);
    return now_ns - began;
}

static void a_held_lock_is_spun_on_until_it_is_free(void **state) {
    (void)state;
    step_ns = 1000;
    free_at = now_ns + LONG_SPIN_NS / 2;
    assert_in_range(spin_time(true), LONG_SPIN_NS / 2, LONG_SPIN_NS);
}

static void after_a_failed_spin_some_chances_are_skipped(void **state) {
    (void)state;
    step_ns = 1000;
    for (unsigned times = 0; times < 3; times++) {
        assert_in_range(spin_time(false), LONG_SPIN_NS, LONG_SPIN_NS + 100 * step_ns);
        for (unsigned i = 0; i < BZ_RETRY_TIMES; i++)
            assert_int_equal(spin_time(false), 0);
    }
}

static void threads_that_outnumber_the_cpus_do_not_spin_for_long(void **state) {
    (void)state;
    step_ns = 1000;
    bz_awake_add(100000);
    assert_int_equal(spin_time(false), 0);
    bz_awake_add(-100000);
    assert_true(spin_time(false) > 0); /* and that spin did not fail */
}

static void a_crowd_that_ends_a_spin_is_no_reason_to_skip_the_next(void **state) {
    (void)state;
    step_ns = 1000;
    crowd_at = now_ns + LONG_SPIN_NS / 2;
    assert_in_range(spin_time(false), LONG_SPIN_NS / 2, LONG_SPIN_NS - 1);
    bz_awake_add(-100000);
    assert_true(spin_time(false) >= LONG_SPIN_NS);
}

static void a_policy_says_how_long_locks_are_spun_on(void **state) {
    (void)state;
    step_ns = 1000;
    bz_set_spin_ns(0);
    assert_int_equal(spin_time(false), 0);
    bz_parking_forget();
    bz_set_spin_ns(7 * LONG_SPIN_NS);
    assert_true(spin_time(false) >= 7 * LONG_SPIN_NS);
    bz_set_spin_ns(BZ_SPIN_AUTO);
}

int main(void) {
    bz_thread_init();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_quiet_bucket_costs_a_store, forget),
        cmocka_unit_test_setup(a_sleeper_is_known_from_a_fence_on, forget),
        cmocka_unit_test_setup(words_of_one_bucket_share_it, forget),
        cmocka_unit_test_setup(a_bucket_is_quiet_again_when_no_thread_sleeps, forget),
        cmocka_unit_test_setup(an_arrival_keeps_a_bucket_from_quieting, forget),
        cmocka_unit_test_setup(a_bucket_is_made_quiet_by_one_at_a_time, forget),
        cmocka_unit_test_setup(concurrent_callers_both_pay, forget),
        cmocka_unit_test_setup(unlocks_without_a_mark_wake_no_thread_and_make_it_quiet, forget),
        cmocka_unit_test_setup(a_mark_is_answered_by_a_wake, forget),
        cmocka_unit_test_setup(in_a_forks_child_no_thread_sleeps, forget),
        cmocka_unit_test_setup(a_held_lock_is_spun_on_until_it_is_free, forget),
        cmocka_unit_test_setup(after_a_failed_spin_some_chances_are_skipped, forget),
        cmocka_unit_test_setup(threads_that_outnumber_the_cpus_do_not_spin_for_long, forget),
        cmocka_unit_test_setup(a_crowd_that_ends_a_spin_is_no_reason_to_skip_the_next, forget),
        cmocka_unit_test_setup(a_policy_says_how_long_locks_are_spun_on, forget),
    };
    return cmocka_run_group_tests_name("parking", tests, NULL, NULL);
}
