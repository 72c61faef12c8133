/* test_cpus.c: os/cpus.h: sets, and pins that stay with their thread. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/cpus.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "base/atomic.h"
#include "os/os.h"
#include "os/topology.h"
#include "os_thread.h"
#include "team/thread_cache.h"
#include "wait/thread.h"

static void sets(void **state) {
    (void)state;
    uint64_t set[20] = {0};
    assert_int_equal(bz_cpus_next(set, 20, 0), UINT_MAX);
    static const unsigned some[] = {0, 1, 63, 64, 640, 1279};
    for (size_t i = 0; i < 6; i++) {
        bz_cpus_add(set, some[i]);
    }
    unsigned cpu = 0;
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(cpu = bz_cpus_next(set, 20, cpu), some[i]);
        cpu++;
    }
    assert_int_equal(bz_cpus_next(set, 20, cpu), UINT_MAX);
    assert_int_equal(bz_cpus_count(set, 20), 6);
    bz_cpus_remove(set, 64);
    assert_false(bz_cpus_has(set, 64));
    assert_int_equal(bz_cpus_next(set, 20, 64), 640);
}

static uint64_t *new_set(void) {
    return calloc(bz_cpus_words(), sizeof(uint64_t));
}

/* The mask of the calling thread is the set. */
static bool runs_on(const uint64_t *set) {
    uint64_t *now = new_set();
    bool same = bz_cpus_of_thread(now) == 0 && memcmp(now, set, bz_cpus_words() * sizeof *now) == 0;
    free(now);
    return same;
}

static uint64_t *all;
static uint64_t *one;

struct seen {
    bool all, unpinned;
    struct bz_a32 done;
};

static void note(void *arg) {
    struct seen *seen = arg;
    seen->all = runs_on(all);
    seen->unpinned = bz_pinned == NULL;
    bz_store_release(&seen->done, 1);
    bz_os_futex_wake(&seen->done.v, 1);
}

/* Runs on a thread that also runs the next test's: a test that needs a thread waits for it. */
static void note_and_leave(void *arg) {
    bz_thread_cache_expect(1);
    note(arg);
}

static void pin_note_and_leave(void *arg) {
    assert_int_equal(bz_pin(one), 0);
    note_and_leave(arg);
}

static void wait_for(struct seen *seen) {
    while (!bz_load_acquire(&seen->done)) {
        bz_os_futex_wait(&seen->done.v, 0);
    }
}

/* The order matters: the CPUs of the process are kept before the first pin. */
static void pins(void **state) {
    (void)state;
    all = new_set();
    one = new_set();
    assert_int_equal(bz_cpus_of_process(all), 0);
    unsigned count = bz_cpus_count(all, bz_cpus_words());
    assert_int_equal(count, bz_topology_affinity_count());
    bz_cpus_add(one, bz_cpus_next(all, bz_cpus_words(), 0));
    assert_null(bz_cpus_kept());
    assert_int_equal(bz_cpus_keep(all), 0);
    assert_int_equal(bz_cpus_keep(one), 0); /* without effect */
    assert_int_equal(bz_pin(one), 0);
    assert_true(runs_on(one));
    assert_ptr_equal(bz_pinned, one);

    /* The process's CPUs are unchanged. */
    uint64_t *process = new_set();
    assert_int_equal(bz_cpus_of_process(process), 0);
    assert_memory_equal(process, all, bz_cpus_words() * sizeof *all);
    assert_int_equal(bz_topology_affinity_count(), count);
    free(process);

    /* While the place is the same, a mask set by other code stays. */
    assert_int_equal(sched_setaffinity(0, bz_cpus_words() * sizeof *all, (const cpu_set_t *)all), 0);
    assert_int_equal(bz_pin(one), 0);
    assert_true(runs_on(all));
    bz_unpin();
    assert_true(runs_on(all));
    assert_null(bz_pinned);
}

static void new_threads_have_no_pin(void **state) {
    (void)state;
    struct seen seen = {.done = {0}};
    struct os_thread thread;
    assert_int_equal(bz_pin(one), 0);
    assert_int_equal(os_thread_start(&thread, NULL, note, &seen), 0);
    os_thread_join(&thread);
    assert_true(seen.all && seen.unpinned);
    bz_unpin();
}

/* A cached thread drops its pin before it serves other work. */
static void cached_threads_lose_it(void **state) {
    (void)state;
    struct seen pinned = {.done = {0}};
    assert_int_equal(bz_thread_cache_run(1, pin_note_and_leave, &pinned), 0);
    wait_for(&pinned);
    assert_false(pinned.unpinned);
    for (int i = 0; i < 100; i++) {
        struct seen after = {.done = {0}};
        assert_int_equal(bz_thread_cache_run(1, note_and_leave, &after), 0);
        wait_for(&after);
        assert_true(after.all && after.unpinned);
    }
    assert_int_equal(bz_thread_cache_size(), 1);
}

static int mask_in_child(bool by_exec) {
    pid_t child = fork();
    if (child == 0) {
        if (by_exec) { /* the program prints how many CPUs it may use: as many as the process */
            char command[100];
            snprintf(command, sizeof command, "test \"$(nproc)\" = %u", bz_cpus_count(all, bz_cpus_words()));
            unsetenv("OMP_NUM_THREADS");
            unsetenv("OMP_THREAD_LIMIT");
            execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        }
        _exit(!(runs_on(all) && bz_pinned == NULL));
    }
    int status = -1;
    (void)waitpid(child, &status, 0);
    return status;
}

static void forked_processes_have_no_pin(void **state) {
    (void)state;
    bz_thread_init();
    assert_int_equal(bz_pin(one), 0);
    assert_int_equal(mask_in_child(false), 0);
    assert_int_equal(mask_in_child(true), 0);
    assert_true(runs_on(one));
    bz_unpin();
}

static void a_refusal_is_reported_once(void **state) {
    (void)state;
    uint64_t *none = new_set();
    assert_int_not_equal(bz_pin(none), 0);
    assert_true(runs_on(all));
    assert_int_equal(bz_pin(none), 0);
    bz_unpin();
    assert_true(runs_on(all));
    free(none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),
        cmocka_unit_test(pins),
        cmocka_unit_test(new_threads_have_no_pin),
        cmocka_unit_test(cached_threads_lose_it),
        cmocka_unit_test(forked_processes_have_no_pin),
        cmocka_unit_test(a_refusal_is_reported_once),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(all);
    free(one);
    return failed;
}
