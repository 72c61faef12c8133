/*
 * test_lock.c: lock.h. The test sets the current task of a thread.
 */
#include "omp/sync/nest_lock.h"

#include <pthread.h>
#include <sched.h>

#include "../asserts.h"
#include "in_child.h"
#include "late_sleeper.h"
#include "omp/task/task.h"

enum { THREADS = 8, ROUNDS = 20000 };

static _Thread_local struct bomp_member member;
static _Thread_local struct bomp_task own_task, other_task;

/* A thread's first call: it runs its own task. */
struct bomp_member *bomp_self_slow(void) {
    member.current = &own_task;
    bz_context = &member;
    return &member;
}

/* The number of nestable locks that this thread's tasks hold. */
static int held(void) {
    return (int)member.held.count + (member.held.last.lock != NULL);
}

static void run(struct bomp_task *task) {
    bomp_self()->current = task;
}

/* Nothing is ever suspended here. */
bool bomp_task_let_others(void) {
    return false;
}

/* Runs body in another thread, to its end. */
static void elsewhere(void *(*body)(void *), void *arg) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, body, arg), 0);
    pthread_join(thread, NULL);
}

/* Runs body in THREADS threads at once. */
static void by_all(void *(*body)(void *), void *arg) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, body, arg), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* Mutexes. */

static void *unlock(void *word) {
    bomp_mutex_unlock(word);
    return NULL;
}

static void a_mutex_is_taken_once(void **state) {
    (void)state;
    uint32_t word = 0;
    assert_true(bomp_mutex_try(&word));
    assert_false(bomp_mutex_try(&word));
    bomp_mutex_unlock(&word);
    assert_int_equal(word, 0);
    bomp_mutex_lock(&word);
    assert_false(bomp_mutex_try(&word));
    elsewhere(unlock, &word);
    assert_true(bomp_mutex_try(&word));
}

/* A count that only mutual exclusion keeps correct, next to the lock. */
struct counted {
    union {
        uint32_t mutex;
        struct bomp_nest_lock nest;
    } lock;
    long count;
};

static void *count_under_mutex(void *arg) {
    struct counted *c = arg;
    for (int i = 0; i < ROUNDS; i++) {
        bomp_mutex_lock(&c->lock.mutex);
        c->count++;
        bomp_mutex_unlock(&c->lock.mutex);
    }
    return NULL;
}

static void a_mutex_excludes(void **state) {
    (void)state;
    struct counted c = {.count = 0};
    by_all(count_under_mutex, &c);
    assert_int_equal(c.count, (long)THREADS * ROUNDS);
    assert_int_equal(c.lock.mutex, 0);
}

/* Nestable locks. */

static void *test_nest(void *arg) {
    struct bomp_nest_lock **lock = arg;
    *lock = (void *)(uintptr_t)bomp_nest_lock_test(*lock);
    return NULL;
}

static void a_task_may_take_its_lock_again(void **state) {
    (void)state;
    struct bomp_nest_lock lock = {0};
    bomp_nest_lock_set(&lock);
    bomp_nest_lock_set(&lock);
    assert_int_equal(bomp_nest_lock_test(&lock), 3);
    bomp_nest_lock_unset(&lock);
    bomp_nest_lock_unset(&lock);
    assert_int_equal(bomp_nest_lock_test(&lock), 2);
    bomp_nest_lock_unset(&lock);
    bomp_nest_lock_unset(&lock);
    assert_int_equal(lock.word, 0);
    assert_int_equal(lock.count, 0);
    assert_int_equal(bomp_nest_lock_test(&lock), 1);
    bomp_nest_lock_unset(&lock);
    assert_int_equal(held(), 0);
}

/* Neither another task of the same thread nor another thread owns it. */
static void the_owner_is_the_task(void **state) {
    (void)state;
    struct bomp_nest_lock lock = {0};
    bomp_nest_lock_set(&lock);
    run(&other_task);
    assert_int_equal(bomp_nest_lock_test(&lock), 0);
    run(&own_task);
    void *arg = &lock;
    elsewhere(test_nest, &arg);
    assert_null(arg);
    bomp_nest_lock_unset(&lock);
    run(&other_task);
    assert_int_equal(bomp_nest_lock_test(&lock), 1);
    run(&own_task);
    assert_int_equal(bomp_nest_lock_test(&lock), 0);
    run(&other_task);
    bomp_nest_lock_unset(&lock);
    run(&own_task);
    assert_int_equal(held(), 0);
}

enum { MANY = 100 };

/* More locks than fit at first, released in another order than acquired. */
static void a_task_may_hold_many(void **state) {
    (void)state;
    struct bomp_nest_lock locks[MANY] = {{0}};
    for (int i = 0; i < MANY; i++) {
        bomp_nest_lock_set(&locks[i]);
    }
    for (int i = 0; i < MANY; i++) {
        bomp_nest_lock_set(&locks[i]);
        assert_int_equal(bomp_nest_lock_test(&locks[i]), 3);
    }
    assert_int_equal(held(), MANY);
    for (int i = 0; i < MANY; i++) {
        struct bomp_nest_lock *lock = &locks[i * 37 % MANY];
        for (int depth = 0; depth < 3; depth++) {
            bomp_nest_lock_unset(lock);
        }
        assert_int_equal(lock->word, 0);
        assert_int_equal(held(), MANY - 1 - i);
    }
}

static void *unset_nest(void *lock) {
    bomp_nest_lock_unset(lock);
    return NULL;
}

/* Forbidden by OpenMP: it leaves no second row, and the lock can be acquired again. */
static void a_lock_may_be_unset_elsewhere(void **state) {
    (void)state;
    struct bomp_nest_lock lock = {0};
    for (int i = 0; i < 3; i++) {
        bomp_nest_lock_set(&lock);
        elsewhere(unset_nest, &lock);
        assert_int_equal(held(), 1);
    }
    run(&other_task);
    assert_int_equal(bomp_nest_lock_test(&lock), 1);
    bomp_nest_lock_unset(&lock);
    run(&own_task);
    assert_int_equal(held(), 0);
}

static void *count_nested(void *arg) {
    struct counted *c = arg;
    for (int i = 0; i < ROUNDS; i++) {
        bomp_nest_lock_set(&c->lock.nest);
        bomp_nest_lock_set(&c->lock.nest);
        c->count++;
        bomp_nest_lock_unset(&c->lock.nest);
        c->count++;
        bomp_nest_lock_unset(&c->lock.nest);
    }
    return NULL;
}

static void a_nestable_lock_excludes(void **state) {
    (void)state;
    struct counted c = {.count = 0};
    by_all(count_nested, &c);
    assert_int_equal(c.count, 2L * THREADS * ROUNDS);
}

/* Owned locks whose owner stayed with the parent of a fork, while all waits are set to spin forever. */

static uint32_t lost_word;
static struct bz_a32 is_held, let_go;

static void *hold(void *arg) {
    (void)arg;
    bomp_owned_lock(&lost_word);
    bz_store_release(&is_held, 1);
    while (!bz_load_acquire(&let_go)) {
        sched_yield();
    }
    bomp_owned_unlock(&lost_word);
    return NULL;
}

static bool have_what_is_lost(void) {
    bz_set_spin_ns(UINT64_MAX);
    bomp_owned_lock(&lost_word);
    return lost_word != 0;
}

static void a_lost_owner_is_not_spun_on(void **state) {
    (void)state;
    pthread_t thread;
    bz_thread_init();
    assert_int_equal(pthread_create(&thread, NULL, hold, NULL), 0);
    while (!bz_load_acquire(&is_held)) {
        sched_yield();
    }
    in_child(have_what_is_lost);
    bz_store_release(&let_go, 1);
    pthread_join(thread, NULL);
}

/* ---- a sleeper that is woken late ---- */

struct owned {
    uint32_t word;
    unsigned taken; /* under the lock */
};

static void *take_owned(void *arg) {
    struct owned *lock = arg;
    bomp_owned_lock(&lock->word);
    lock->taken++;
    bomp_owned_unlock(&lock->word);
    return NULL;
}

/* However late the sleeper returns: an owner that unlocks and locks again finally hands the lock over. */
static void a_late_sleeper_gets_an_owned_lock(void **state) {
    (void)state;
    struct owned lock = {.taken = 0};
    unsigned again = 0;
    pthread_t thread;
    be_late();
    bomp_owned_lock(&lock.word);
    assert_int_equal(pthread_create(&thread, NULL, take_owned, &lock), 0);
    while (!bz_load_acquire(&sleeps)) {
        sched_yield();
    }
    do {
        bomp_owned_unlock(&lock.word);
    } while (bomp_owned_try(&lock.word) && ++again <= BZ_PARKING_UNLOCKS);
    assert_in_range(again, 0, BZ_PARKING_UNLOCKS);
    assert_int_equal(lock.taken, 0);
    bz_store_release(&may_go_on, 1);
    bomp_owned_lock(&lock.word); /* not before the sleeper */
    assert_int_equal(lock.taken, 1);
    bomp_owned_unlock(&lock.word);
    pthread_join(thread, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mutex_is_taken_once),
        cmocka_unit_test(a_mutex_excludes),
        cmocka_unit_test(a_task_may_take_its_lock_again),
        cmocka_unit_test(the_owner_is_the_task),
        cmocka_unit_test(a_task_may_hold_many),
        cmocka_unit_test(a_lock_may_be_unset_elsewhere),
        cmocka_unit_test(a_nestable_lock_excludes),
        cmocka_unit_test(a_lost_owner_is_not_spun_on),
        cmocka_unit_test(a_late_sleeper_gets_an_owned_lock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
