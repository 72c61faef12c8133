/* test_fork.c: fork.h: parent and child can run teams after a fork, whatever ran during it. */
#include "team/fork.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../rig.h"
#include "../sanitized.h"
#include "../team_run.h"
#include "team/adopt.h"
#include "team/thread_cache.h"
#include "team/thread_team.h"
#include "wait/load.h"
#include "wait/thread.h"

/* The tests use threads in the child of a process with threads. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

static void count_one(unsigned index, void *arg) {
    (void)index;
    bz_fetch_add_relaxed((struct bz_a32 *)arg, 1);
}

/* Runs a team of `size`; returns the number of members that ran. */
static unsigned run_of(unsigned size) {
    struct bz_a32 count = {0};
    struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
    if (!team)
        return 0;
    team_run(team, count_one, &count);
    return count.v;
}

/* Ends the child with 0 if `ok`, without exit handlers: they are the parent's. */
_Noreturn static void end_child(bool ok) {
    _exit(ok ? 0 : 1);
}

static void expect_success(pid_t child) {
    int status;
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static pid_t fork_child(void) {
    pid_t child = fork();
    if (child == 0)
        alarm(HANG_SECONDS); /* alarms are not inherited */
    return child;
}

static void a_child_makes_its_own_threads(void **state) {
    (void)state;
    uint32_t generation = bz_fork_generation();
    assert_int_equal(run_of(4), 4);
    for (unsigned i = 0; i < 5; i++) {
        pid_t child = fork_child();
        if (child == 0) {
            bool ok = bz_fork_generation() == generation + 1 && bz_thread_cache_size() == 0;
            ok = ok && run_of(3) == 3 && bz_thread_cache_size() == 2 && run_of(5) == 5 && run_of(1) == 1;
            end_child(ok);
        }
        expect_success(child);
        assert_int_equal(bz_fork_generation(), generation);
        assert_int_equal(run_of(4), 4);
    }
    assert_int_equal(bz_thread_cache_size(), 3);
}

static void a_childs_child_does_too(void **state) {
    (void)state;
    uint32_t generation = bz_fork_generation();
    assert_int_equal(run_of(3), 3);
    pid_t child = fork_child();
    if (child == 0) {
        bool ok = run_of(4) == 4;
        pid_t grandchild = fork_child();
        if (grandchild == 0)
            end_child(bz_fork_generation() == generation + 2 && run_of(3) == 3);
        int status;
        ok = ok && waitpid(grandchild, &status, 0) == grandchild && status == 0;
        end_child(ok && run_of(4) == 4);
    }
    expect_success(child);
}

/* The leader forks inside a run: the child has only the leader's thread, which may open teams but never joins. */
static void fork_inside(unsigned index, void *arg) {
    if (index != 0)
        return;
    pid_t *child = arg;
    *child = fork_child();
    if (*child != 0)
        return;
    bz_set_cpus(1);
    bool counted = !bz_crowded(); /* this thread counts as awake, so the count is one per CPU */
    bz_awake_add(1);
    end_child(counted && bz_crowded() && run_of(3) == 3);
}

static void a_fork_inside_a_run_is_fine(void **state) {
    (void)state;
    unsigned size = 4;
    pid_t child = -1;
    struct bz_team *team = bz_team_enter(bz_worker_adopt(), &size);
    team_run(team, fork_inside, &child);
    expect_success(child);
    assert_int_equal(run_of(4), 4);
}

/* A leak checker must not find the parent's memory lost when the child exits. */
static void a_child_may_exit(void **state) {
    (void)state;
    assert_int_equal(run_of(4), 4);
    fflush(NULL);
    pid_t child = fork_child();
    if (child == 0)
        exit(run_of(3) == 3 ? 0 : 1);
    expect_success(child);
}

struct hosts {
    struct bz_a32 over, failed;
};

static void run_all_the_time(struct bz_worker *none, void *arg) {
    struct hosts *hosts = arg;
    (void)none;
    for (unsigned i = 0; !bz_load_relaxed(&hosts->over); i++)
        if (run_of(1 + i % 4) != 1 + i % 4)
            bz_store_relaxed(&hosts->failed, 1);
}

/* Another thread resizes its team and takes and returns threads all the time while this one forks. */
static void forks_come_at_any_moment(void **state) {
    (void)state;
    if (UNDER_ASAN)
        skip(); /* a child forked while another thread allocates finds the sanitizer's allocator locked forever */
    struct hosts hosts = {.over = {0}};
    struct rig_thread threads[2];
    for (unsigned i = 0; i < 2; i++)
        rig_start(&threads[i], NULL, run_all_the_time, &hosts);
    for (unsigned i = 0; i < 30; i++) {
        pid_t child = fork_child();
        if (child == 0)
            end_child(run_of(2 + i % 3) == 2 + i % 3 && run_of(4) == 4);
        expect_success(child);
    }
    bz_store_relaxed(&hosts.over, 1);
    for (unsigned i = 0; i < 2; i++)
        rig_join(&threads[i]);
    assert_int_equal(hosts.failed.v, 0);
}

/* There the main thread's stack no longer holds its pointers, which a leak checker would report. */
static int ends_in_a_thread;

int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return ends_in_a_thread;
}

/* The child's thread must not destroy the parent's team when it ends. */
static void fork_and_end_thread(struct bz_worker *none, void *arg) {
    (void)none;
    pid_t *child = arg;
    if (run_of(3) != 3)
        return;
    *child = fork_child();
    if (*child == 0) {
        ends_in_a_thread = 1;
        pthread_exit(NULL); /* the last thread: exit(0), exit handlers included */
    }
}

static void a_thread_may_end_in_the_child(void **state) {
    (void)state;
    pid_t child = -1;
    struct rig_thread thread;
    rig_start(&thread, NULL, fork_and_end_thread, &child);
    rig_join(&thread);
    expect_success(child);
}

int main(void) {
    alarm(HANG_SECONDS);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_child_makes_its_own_threads), cmocka_unit_test(a_childs_child_does_too),
        cmocka_unit_test(a_fork_inside_a_run_is_fine),   cmocka_unit_test(a_child_may_exit),
        cmocka_unit_test(forks_come_at_any_moment),      cmocka_unit_test(a_thread_may_end_in_the_child),
    };
    return cmocka_run_group_tests_name("fork", tests, NULL, NULL);
}
