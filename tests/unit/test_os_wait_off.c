/*
 * test_os_wait_off.c: sleeps that must not end on a given CPU (os/os.h), and the CPUs that the thread may use during
 * and after them.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/os.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "../asserts.h"
#include "base/atomic.h"
#include "os/cpus.h"
#include "os_thread.h"

/* A thread that sleeps once. Its creator writes this before it starts, and the thread before it is joined. */
struct sleeper {
    unsigned off;      /* the CPU to be off */
    struct bz_a32 id;  /* of the thread, which is about to sleep then */
    struct bz_a32 bed; /* 0 until it is woken */
    int error;
    cpu_set_t after;
};

static void sleeper_main(void *arg) {
    struct sleeper *s = arg;
    cpu_set_t set;
    uint64_t *off = s->off == UINT_MAX ? NULL : (uint64_t *)&set;
    CPU_ZERO(&set);
    if (off)
        CPU_SET(s->off, &set);
    bz_store_release(&s->id, bz_os_thread_id());
    errno = 42;
    while (bz_load_acquire(&s->bed) == 0)
        bz_os_futex_wait_off(&s->bed.v, 0, off);
    s->error = errno;
    sched_getaffinity(0, sizeof s->after, &s->after);
}

static void doze(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The CPUs of the thread, as soon as they differ from `before`, or after half a second. */
static cpu_set_t cpus_of_sleeper(struct sleeper *s, const cpu_set_t *before) {
    cpu_set_t now = *before;
    while (bz_load_acquire(&s->id) == 0)
        doze();
    for (int i = 0; i < 500 && CPU_EQUAL(&now, before); i++) {
        doze();
        sched_getaffinity((pid_t)bz_load_relaxed(&s->id), sizeof now, &now);
    }
    return now;
}

static void wake(struct sleeper *s, struct os_thread *thread) {
    bz_store_release(&s->bed, 1);
    bz_os_futex_wake(&s->bed.v, INT_MAX);
    os_thread_join(thread);
    assert_int_equal(s->error, 42);
}

static int has_two_cpus(cpu_set_t *all) {
    return sched_getaffinity(0, sizeof *all, all) == 0 && CPU_COUNT(all) >= 2;
}

static void sleeper_is_off_its_wakers_cpu(void **state) {
    (void)state;
    cpu_set_t all;
    if (!has_two_cpus(&all))
        skip();
    struct sleeper s = {.off = (unsigned)sched_getcpu()};
    struct os_thread thread;
    assert_int_equal(os_thread_start(&thread, NULL, sleeper_main, &s), 0);
    cpu_set_t asleep = cpus_of_sleeper(&s, &all);
    assert_int_equal(CPU_COUNT(&asleep), CPU_COUNT(&all) - 1);
    assert_false(CPU_ISSET(s.off, &asleep));
    wake(&s, &thread);
    assert_true(CPU_EQUAL(&s.after, &all));
}

static void cpus_given_during_the_sleep_are_kept(void **state) {
    (void)state;
    cpu_set_t all, one;
    if (!has_two_cpus(&all))
        skip();
    unsigned first = 0, second;
    while (!CPU_ISSET(first, &all))
        first++;
    for (second = first + 1; !CPU_ISSET(second, &all);)
        second++;
    /* Off this CPU and off another one, unless the sleep leaves only the latter: that could not be distinguished. */
    for (int round = 0; round < (CPU_COUNT(&all) > 2 ? 2 : 1); round++) {
        struct sleeper s = {.off = first};
        struct os_thread thread;
        CPU_ZERO(&one);
        CPU_SET(round == 0 ? first : second, &one);
        assert_int_equal(os_thread_start(&thread, NULL, sleeper_main, &s), 0);
        (void)cpus_of_sleeper(&s, &all);
        assert_int_equal(sched_setaffinity((pid_t)bz_load_relaxed(&s.id), sizeof one, &one), 0);
        wake(&s, &thread);
        assert_true(CPU_EQUAL(&s.after, &one));
    }
}

static void sleep_as_usual(struct sleeper *s) {
    cpu_set_t all;
    struct os_thread thread;
    sched_getaffinity(0, sizeof all, &all);
    assert_int_equal(os_thread_start(&thread, NULL, sleeper_main, s), 0);
    while (bz_load_acquire(&s->id) == 0)
        doze();
    for (int i = 0; i < 20; i++) {
        cpu_set_t now;
        doze();
        assert_int_equal(sched_getaffinity((pid_t)bz_load_relaxed(&s->id), sizeof now, &now), 0);
        assert_true(CPU_EQUAL(&now, &all));
    }
    wake(s, &thread);
    assert_true(CPU_EQUAL(&s->after, &all));
}

static void with_one_cpu_or_no_set_it_sleeps_as_usual(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    sleep_as_usual(&(struct sleeper){.off = UINT_MAX});
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    sleep_as_usual(&(struct sleeper){.off = bz_os_cpu()});
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

/* Runs until it is on another CPU: the system may move it back at any time. */
static void *move_main(void *arg) {
    cpu_set_t all, now;
    bool *moved = arg, right = true;
    sched_getaffinity(0, sizeof all, &all);
    for (unsigned i = 0, here = 0, there = 0; i < 50 && here == there; i++) {
        here = bz_os_cpu();
        cpu_set_t off;
        CPU_ZERO(&off);
        CPU_SET(here, &off);
        *moved = bz_os_move_off((const uint64_t *)&off);
        there = *moved ? bz_os_cpu() : UINT_MAX;
        sched_getaffinity(0, sizeof now, &now);
        right = CPU_EQUAL(&now, &all) && here != there;
    }
    return right ? arg : NULL;
}

static bool moves(void) {
    pthread_t thread;
    void *right;
    bool moved = false;
    assert_int_equal(pthread_create(&thread, NULL, move_main, &moved), 0);
    pthread_join(thread, &right);
    assert_non_null(right);
    return moved;
}

static void a_thread_that_moves_keeps_its_cpus(void **state) {
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_true(moves() == (CPU_COUNT(&all) > 1));
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_false(moves());
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleeper_is_off_its_wakers_cpu),
        cmocka_unit_test(cpus_given_during_the_sleep_are_kept),
        cmocka_unit_test(with_one_cpu_or_no_set_it_sleeps_as_usual),
        cmocka_unit_test(a_thread_that_moves_keeps_its_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
