/* test_mutex.c: mutex.h: the three states; a sleeper is woken and acquires the lock. */
#include "wait/mutex.h"

#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "late_sleeper.h"
#include "wait/policy.h"

static void zeroed_memory_is_a_free_lock(void **state) {
    (void)state;
    struct bz_a32 mutex = {0};
    bz_mutex_lock(&mutex);
    assert_int_equal(mutex.v, BZ_MUTEX_HELD);
    assert_false(bz_mutex_trylock(&mutex));
    assert_int_equal(mutex.v, BZ_MUTEX_HELD); /* a failed try changes nothing */
    bz_mutex_unlock(&mutex);
    assert_int_equal(mutex.v, BZ_MUTEX_FREE);
    assert_true(bz_mutex_trylock(&mutex));
    bz_mutex_unlock(&mutex);
    assert_int_equal(mutex.v, BZ_MUTEX_FREE);
}

static void a_try_fails_on_a_contended_lock(void **state) {
    (void)state;
    struct bz_a32 mutex = {BZ_MUTEX_CONTENDED};
    assert_false(bz_mutex_trylock(&mutex));
    assert_int_equal(mutex.v, BZ_MUTEX_CONTENDED);
    bz_mutex_unlock(&mutex); /* no thread sleeps: harmless */
    assert_int_equal(mutex.v, BZ_MUTEX_FREE);
}

struct contended {
    struct bz_a32 mutex;
    unsigned count; /* under the mutex */
};

static void add_one(struct bz_worker *self, void *arg) {
    (void)self;
    struct contended *c = arg;
    bz_mutex_lock(&c->mutex);
    c->count++;
    bz_mutex_unlock(&c->mutex);
}

static void sleepers_are_woken_one_after_the_other(void **state) {
    (void)state;
    enum { SLEEPERS = 4 };
    for (unsigned round = 0; round < 20; round++) {
        struct contended c = {.count = 0};
        struct rig_thread threads[SLEEPERS];
        bz_mutex_lock(&c.mutex);
        for (unsigned i = 0; i < SLEEPERS; i++)
            rig_start(&threads[i], NULL, add_one, &c);
        rig_until(bz_load_relaxed(&c.mutex) == BZ_MUTEX_CONTENDED);
        assert_int_equal(c.count, 0);
        bz_mutex_unlock(&c.mutex);
        for (unsigned i = 0; i < SLEEPERS; i++)
            rig_join(&threads[i]);
        assert_int_equal(c.count, SLEEPERS);
        assert_int_equal(c.mutex.v, BZ_MUTEX_FREE);
    }
}

static void unlock(struct bz_worker *self, void *arg) {
    (void)self;
    bz_mutex_unlock(arg);
}

static void any_thread_may_unlock(void **state) {
    (void)state;
    struct bz_a32 mutex = {0};
    struct rig_thread thread;
    bz_mutex_lock(&mutex);
    rig_start(&thread, NULL, unlock, &mutex);
    bz_mutex_lock(&mutex); /* waits for the other thread's unlock */
    rig_join(&thread);
    bz_mutex_unlock(&mutex);
    assert_int_equal(mutex.v, BZ_MUTEX_FREE);
}

/* ---- a sleeper that is woken late ---- */

/* However late the sleeper returns: an owner that unlocks and locks again finally hands the lock over. It holds it for so
 * long each time. */
static void hand_over_within(unsigned most, useconds_t held_us) {
    for (unsigned round = 0; round < 3; round++) {
        struct contended c = {.count = 0};
        struct rig_thread thread;
        unsigned again = 0;
        bz_mutex_lock(&c.mutex);
        be_late();
        rig_start(&thread, NULL, add_one, &c);
        rig_until(bz_load_acquire(&sleeps));
        do {
            if (held_us > 0)
                usleep(held_us);
            bz_mutex_unlock(&c.mutex);
        } while (bz_mutex_trylock(&c.mutex) && ++again <= most);
        assert_in_range(again, 0, most);
        assert_int_equal(c.count, 0);
        bz_store_release(&may_go_on, 1);
        bz_mutex_lock(&c.mutex); /* not before the sleeper */
        assert_int_equal(c.count, 1);
        bz_mutex_unlock(&c.mutex);
        rig_join(&thread);
        assert_int_equal(c.mutex.v, BZ_MUTEX_FREE);
    }
}

static void a_late_sleeper_gets_the_lock(void **state) {
    (void)state;
    hand_over_within(BZ_PARKING_UNLOCKS, 0);
}

static void a_late_sleeper_gets_it_sooner_if_sections_are_long(void **state) {
    (void)state;
    hand_over_within(2 * BZ_RETRY_TIMES, 200);
}

/* The threads that slept stayed with the parent. */
static void a_lock_reserved_for_a_lost_thread_is_free(void **state) {
    (void)state;
    struct bz_a32 mutex = {BZ_PARKING_RESERVED | bz_thread_number()};
    bz_mutex_lock(&mutex);
    bz_mutex_unlock(&mutex);
    assert_int_equal(mutex.v, BZ_MUTEX_FREE);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeroed_memory_is_a_free_lock),
        cmocka_unit_test(a_try_fails_on_a_contended_lock),
        cmocka_unit_test(sleepers_are_woken_one_after_the_other),
        cmocka_unit_test(any_thread_may_unlock),
        cmocka_unit_test(a_late_sleeper_gets_the_lock),
        cmocka_unit_test(a_late_sleeper_gets_it_sooner_if_sections_are_long),
        cmocka_unit_test(a_lock_reserved_for_a_lost_thread_is_free),
    };
    return cmocka_run_group_tests_name("mutex", tests, NULL, NULL);
}
