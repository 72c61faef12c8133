/* api_process.c: Blitz and its process: the environment, fork(), and the end. Each case is a child that starts anew, as
 * this program with the name of the case. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <blitz.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../sanitized.h"
#include "../unit/capture.h"

/* Some of the cases use children with threads of their own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

static unsigned runs;

static int run_range(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    __atomic_fetch_add(&runs, (unsigned)(hi - lo), __ATOMIC_RELAXED);
    return 0;
}

static void run(void *arg) {
    (void)arg;
    __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
}

/* ---- the cases ---- */

static int use(void) {
    runs = 0;
    return blitz_for(0, 100000, 1, run_range, NULL) == 0 && blitz_submit(NULL, run, NULL) == 0 &&
           blitz_wait_idle(NULL) == 0 && runs == 100001;
}

static int print_workers(void) {
    fprintf(stderr, "%u", blitz_pool_workers(NULL));
    return 1;
}

static void add_own_cpus(unsigned index, void *arg) {
    cpu_set_t own, *all = arg;
    if (pthread_getaffinity_np(pthread_self(), sizeof own, &own) || CPU_COUNT(&own) != 1)
        CPU_ZERO(&all[index]);
    else
        all[index] = own;
}

/* The global pool's CPUs are those at its configuration, not those at the start of its threads. */
static int pin(void) {
    cpu_set_t before, one, at[64];
    if (sched_getaffinity(0, sizeof before, &before))
        return 0;
    int count = CPU_COUNT(&before) < 64 ? CPU_COUNT(&before) : 64;
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    blitz_config config = {.workers = (unsigned)count, .flags = BLITZ_POOL_PINNED};
    if (blitz_configure(&config) || sched_setaffinity(0, sizeof one, &one) ||
        blitz_broadcast(NULL, add_own_cpus, at))
        return 0;
    cpu_set_t all;
    CPU_ZERO(&all);
    for (int i = 0; i < count; i++)
        CPU_OR(&all, &all, &at[i]);
    return CPU_COUNT(&all) == count;
}

/* Parent and child both go on; the child forks again. */
static int fork_twice(void) {
    for (int depth = 0; depth < 2; depth++) {
        if (!use())
            return 0;
        pid_t child = fork();
        if (child > 0) {
            int status;
            return use() && waitpid(child, &status, 0) == child && status == 0;
        }
    }
    _exit(use() && blitz_shutdown() == 0 && use() ? 0 : 1);
}

static int begun, go;
static blitz_future *job;

static intptr_t wait_for_go(void *arg) {
    (void)arg;
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        usleep(100);
    return 5;
}

static intptr_t wait_for_self(void *arg) {
    pid_t child = fork();
    if (child == 0) /* the job continues here */
        _exit(blitz_future_wait(*(blitz_future **)arg, NULL) == EDEADLK &&
                      blitz_for(0, 1000, 1, run_range, NULL) == 0
                  ? 0
                  : 1);
    int status;
    return waitpid(child, &status, 0) == child && status == 0;
}

/* A query or wait for work that stayed with the parent returns an error, and never blocks. */
static int stayed_with_parent(blitz_future *future) {
    intptr_t value = 7;
    return blitz_future_is_done(future) && blitz_future_wait(future, &value) == ECANCELED &&
           blitz_future_wait_for(future, 1, &value) == ECANCELED &&
           blitz_future_wait_for(future, 0, &value) == ECANCELED &&
           blitz_future_wait_for(future, BLITZ_FOREVER, &value) == ECANCELED &&
           blitz_future_help(future, &value) == ECANCELED && value == 7;
}

static void expect_staying(void *arg) {
    blitz_future **both = arg;
    if (!stayed_with_parent(both[0]) || !stayed_with_parent(both[1]))
        _exit(6);
}

static intptr_t give_nine(void *arg) {
    (void)arg;
    return 9;
}

/* Jobs that run or are queued at a fork stay with the parent, and the child reports that. */
static int fork_with_future(void) {
    blitz_config config = {.workers = 1};
    blitz_future *queued;
    intptr_t value = 0;
    if (blitz_configure(&config) || blitz_future_submit(NULL, wait_for_go, NULL, NULL, &job))
        return 0;
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
        usleep(100);
    if (blitz_future_submit(NULL, give_nine, NULL, NULL, &queued)) /* behind the other one */
        return 0;
    pid_t child = fork();
    if (child == 0) {
        blitz_future *both[] = {job, queued};
        if (!stayed_with_parent(job) || !stayed_with_parent(queued))
            _exit(2);
        if (blitz_call(NULL, expect_staying, both) || blitz_wait_idle(NULL))
            _exit(5);
        blitz_future_drop(job);
        blitz_future_drop(queued);
        go = 1;
        if (blitz_future_submit(NULL, wait_for_go, NULL, NULL, &job) || blitz_future_wait(job, &value) ||
            value != 5)
            _exit(3);
        blitz_future_drop(job);
        _exit(use() ? 0 : 4);
    }
    int status;
    int right = waitpid(child, &status, 0) == child && status == 0;
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    right &= blitz_future_wait(job, &value) == 0 && value == 5;
    blitz_future_drop(job);
    right &= blitz_future_wait(queued, &value) == 0 && value == 9;
    blitz_future_drop(queued);
    right &= blitz_future_submit(NULL, wait_for_self, &job, NULL, &job) == 0 &&
             blitz_future_wait(job, &value) == 0 && value == 1;
    blitz_future_drop(job);
    return right;
}

static void be_busy(void *arg) {
    (void)wait_for_go(arg);
}

/* After another thread has taken this one's job: forks, and lets the job end in the parent when the child has ended.
 * Returns 0 in the child. */
static pid_t fork_after_theft(int *right) {
    int status;
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
        usleep(100);
    pid_t child = fork();
    if (child > 0) {
        *right = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
        __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    }
    return child;
}

/* A job that another thread has taken never ends in the child: the child ends with a message, and the parent goes
 * on. */
static int fork_with_frame(void) {
    int right = 0;
    blitz_frame frame;
    blitz_fork(&frame, be_busy, NULL);
    pid_t child = fork_after_theft(&right);
    blitz_sync(&frame);
    if (child == 0)
        _exit(0);
    return right && use();
}

static int fork_with_scope(void) {
    int right = 0;
    blitz_scope scope;
    blitz_scope_begin(&scope);
    blitz_scope_spawn(&scope, be_busy, NULL);
    pid_t child = fork_after_theft(&right);
    blitz_scope_wait(&scope);
    if (child == 0)
        _exit(0);
    return right && use();
}

static int child_status = -1;

static void fork_lent(void *arg) {
    (void)arg;
    pid_t child = fork();
    if (child == 0) {
        blitz_pool_recall(NULL); /* the only thread */
        go = 1;
        return;
    }
    waitpid(child, &child_status, 0);
    blitz_pool_recall(NULL);
}

/* A lent thread forks in a job: its lease goes on in the child, and ends there. */
static int fork_while_lent(void) {
    blitz_config config = {.workers = 1};
    if (blitz_configure(&config) || blitz_submit(NULL, be_busy, NULL))
        return 0;
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) /* the only thread is busy */
        usleep(100);
    if (blitz_submit(NULL, fork_lent, NULL) || blitz_pool_lend(NULL, BLITZ_FOREVER))
        return 0;
    if (child_status != 0)
        _exit(go && use() && blitz_pool_lend(NULL, 1000) == 0 ? 0 : 1);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    return use();
}

/* Without a wait: the process ends with threads asleep and at work. */
static void go_on(void *arg) {
    (void)arg;
    blitz_submit(NULL, go_on, NULL);
}

static int end_at_work(void) {
    for (int i = 0; i < 4; i++)
        blitz_submit(NULL, go_on, NULL);
    return 1;
}

static const struct {
    const char *name;
    int (*run)(void);
} cases[] = {{"use", use},
             {"pin", pin},
             {"workers", print_workers},
             {"fork", fork_twice},
             {"future", fork_with_future},
             {"frame", fork_with_frame},
             {"scope", fork_with_scope},
             {"lent", fork_while_lent},
             {"end", end_at_work}};

static int run_case(const char *name) {
    alarm(250);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strcmp(name, cases[i].name) == 0)
            return cases[i].run() ? 0 : 1;
    return 2;
}

/* ---- the tests ---- */

static char said[512];

/* Runs a case with variable=value; stores its output in `said`, cut to its size. */
static void assert_case(const char *name, const char *variable, const char *value) {
    struct capture capture;
    int status;
    capture_begin(&capture);
    pid_t child = fork();
    if (child == 0) {
        if (variable)
            setenv(variable, value, 1);
        execl("/proc/self/exe", "api_process", name, (char *)NULL);
        _exit(3);
    }
    pid_t ended = waitpid(child, &status, 0);
    size_t length = 0, more;
    while (length < sizeof said - 1 &&
           (more = capture_next(&capture, said + length, sizeof said - length)) > 0)
        length += more;
    capture_end(&capture);
    assert_int_equal(ended, child);
    if (status != 0)
        print_message("%s: %s", name, said);
    assert_int_equal(status, 0);
}

static void the_environment_sets_the_workers(void **state) {
    (void)state;
    assert_case("workers", "BLITZ_WORKERS", "3");
    assert_string_equal(said, "3");
    assert_case("use", "BLITZ_WORKERS", "1");
    assert_case("use", "BLITZ_WORKERS", "8");
    assert_case("use", "BLITZ_SPIN", "0");
    assert_case("use", "BLITZ_SPIN", "infinite");
    assert_case("use", "BLITZ_STACKSIZE", "64k");
    assert_string_equal(said, "");
    assert_case("workers", "BLITZ_WORKERS", "-1");
    assert_non_null(strstr(said, "blitz: BLITZ_WORKERS=-1: invalid value; using "));
}

static void pins_are_as_configured(void **state) {
    (void)state;
    assert_case("pin", NULL, NULL);
    assert_string_equal(said, "");
}

static void statistics_come_at_the_end(void **state) {
    (void)state;
    assert_case("use", "BLITZ_STATS", "1");
    if (!strstr(said, "blitz: statistics of api_process")) /* libblitz-tools.so is not there */
        assert_non_null(strstr(said, " 1 from outside; "));
}

static void forked_processes_go_on(void **state) {
    (void)state;
    if (UNDER_ASAN)
        skip(); /* a child forked while another thread allocates finds the sanitizer's allocator locked forever */
    assert_case("fork", "BLITZ_WORKERS", "4");
    assert_case("future", NULL, NULL);
    assert_case("lent", NULL, NULL);
}

static void a_child_that_waits_for_what_is_lost_says_so(void **state) {
    (void)state;
    if (SANITIZED)
        skip(); /* their own thread counts as one that might wake it */
    assert_case("frame", "BLITZ_WORKERS", "4");
    assert_non_null(strstr(said, "a process that was forked inside a region or a task waits for a thread"));
    assert_case("scope", "BLITZ_WORKERS", "4");
    assert_non_null(strstr(said, "a process that was forked inside a region or a task waits for a thread"));
}

static void a_process_may_end_at_any_time(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_case("end", "BLITZ_WORKERS", "4");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_sets_the_workers),
        cmocka_unit_test(pins_are_as_configured),
        cmocka_unit_test(statistics_come_at_the_end),
        cmocka_unit_test(forked_processes_go_on),
        cmocka_unit_test(a_child_that_waits_for_what_is_lost_says_so),
        cmocka_unit_test(a_process_may_end_at_any_time),
    };
    if (argc > 1)
        return run_case(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
