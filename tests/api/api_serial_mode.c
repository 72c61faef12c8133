/* api_serial_mode.c: serial pools, and BLITZ_WORKERS=0: everything in program order on the caller, with the results of
 * any other pool. Each case of the environment is this program again. */
#include <blitz.h>
#include <blitz/cilk.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The order of the calls. Only one thread writes it, or the test (and TSan) fails. */
static char trace[256];
static pthread_t caller;
static int strangers;
static char a[] = "a", b[] = "b"; /* names that jobs record */

static void note(char what) {
    size_t length = strlen(trace);
    strangers += !pthread_equal(pthread_self(), caller);
    if (length + 1 < sizeof trace)
        trace[length] = what;
}

static void begin(void) {
    memset(trace, 0, sizeof trace);
    caller = pthread_self();
    strangers = 0;
}

static int expect(const char *wanted) {
    int right = strcmp(trace, wanted) == 0 && strangers == 0;
    if (!right)
        fprintf(stderr, "%s instead of %s, %d strangers\n", trace, wanted, strangers);
    begin();
    return right;
}

static void run(void *arg) {
    note(*(const char *)arg);
}

static void submit_one(void *arg) {
    note('(');
    blitz_submit(blitz_pool_current(), run, arg);
    note(')');
}

/* ---- each verb ---- */

static int joins(void) {
    blitz_join(run, a, run, b);
    return expect("ab");
}

static int forks(void) {
    blitz_frame one, two;
    blitz_fork(&one, run, a);
    note('-');
    blitz_fork(&two, run, b);
    note('-');
    blitz_sync(&two);
    blitz_sync(&one);
    return expect("a-b-");
}

static blitz_scope scope;

static void spawn_two(void *arg) {
    note('<');
    blitz_scope_spawn(&scope, run, arg);
    blitz_scope_spawn(&scope, run, arg);
    note('>');
}

static int scopes(void) {
    blitz_scope_begin(&scope);
    note('-');
    blitz_scope_spawn(&scope, spawn_two, a);
    blitz_scope_spawn(&scope, run, b);
    note('-');
    blitz_scope_wait(&scope);
    return expect("-<aa>b-");
}

static int range(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    if (lo == 3 && hi == 100000)
        note('l');
    else
        note('?');
    return 0;
}

static blitz_token token;

/* In order, and stops after the cancellation. */
static int range_that_cancels(size_t lo, size_t hi, void *ctx) {
    size_t *next = ctx;
    note(lo == *next ? 'l' : '?');
    *next = hi;
    if (hi > 10)
        blitz_token_cancel(&token);
    return 0;
}

static int loops(void) {
    int error = blitz_for(3, 100000, 0, range, NULL);
    blitz_token_init(&token, NULL);
    size_t next = 0;
    int cancelled = blitz_for_with(0, 1000, 0, range_that_cancels, &next, &(blitz_options){.token = &token});
    return expect("ll") && error == 0 && cancelled == ECANCELED && next < 100;
}

/* Pieces of a grain, beginning at 3: a body that is blocked for a cache relies on them. */
struct blocks {
    size_t grain, next, end, pieces;
    int wrong;
};

static int take_block(size_t lo, size_t hi, void *ctx) {
    struct blocks *blocks = ctx;
    size_t length = hi - lo;
    blocks->wrong |= lo != blocks->next || !pthread_equal(pthread_self(), caller);
    blocks->wrong |= hi < blocks->end ? length != blocks->grain : length >= 2 * blocks->grain;
    blocks->next = hi;
    blocks->pieces++;
    return 0;
}

static int map_block(size_t lo, size_t hi, void *value, void *ctx) {
    *(size_t *)value += hi - lo;
    return take_block(lo, hi, ctx);
}

static void add_lengths(void *left, const void *right, void *ctx) {
    (void)ctx;
    *(size_t *)left += *(const size_t *)right;
}

static int is_blocked(const struct blocks *blocks) {
    size_t count = blocks->end - 3, pieces = count < 2 * blocks->grain ? 1 : count / blocks->grain;
    return !blocks->wrong && blocks->next == blocks->end && blocks->pieces == pieces;
}

static int keeps_grain(size_t count, size_t grain) {
    struct blocks once = {grain, 3, 3 + count, 0, 0}, until = once, reduced = once, both = once;
    static const size_t none;
    blitz_reduce_op op = {sizeof none, &none, map_block, add_lengths};
    blitz_token never;
    size_t length = 0, length_until = 0;
    blitz_token_init(&never, NULL);
    return blitz_for(3, once.end, grain, take_block, &once) == 0 && is_blocked(&once) &&
           blitz_for_with(3, until.end, grain, take_block, &until, &(blitz_options){.token = &never}) == 0 &&
           is_blocked(&until) && blitz_reduce(3, reduced.end, grain, &op, &reduced, &length) == 0 &&
           is_blocked(&reduced) &&
           blitz_reduce_with(3, both.end, grain, &op, &both, &(blitz_options){.token = &never},
                             &length_until) == 0 &&
           is_blocked(&both) && length == count && length_until == count;
}

static int grains(void) {
    static const size_t counts[] = {1, 2, 7, 1000, 1023, 1024, 1025}, sizes[] = {1, 3, 64, 512, 5000};
    for (size_t i = 0; i < COUNT(counts); i++)
        for (size_t j = 0; j < COUNT(sizes); j++)
            if (!keeps_grain(counts[i], sizes[j]))
                return 0;
    return 1;
}

static int submits(void) {
    int error = blitz_submit(blitz_pool_current(), submit_one, a);
    note('-');
    return expect("(a)-") && error == 0;
}

BLITZ_VOID_TASK_1(leaf, int, letter) {
    note((char)letter);
}
BLITZ_VOID_TASK_1(tree, int, letter) {
    BLITZ_FORK(left, leaf, letter);
    BLITZ_FORK(right, leaf, letter + 1);
    note('-');
    BLITZ_SYNC(right, leaf);
    BLITZ_CALL(leaf, letter + 2);
    BLITZ_SYNC(left, leaf);
}

static int macros(void) {
    tree('a');
    return expect("ab-c");
}

static void reach(unsigned index, void *arg) {
    (void)index, (void)arg;
    note('r');
}

static int broadcasts(void) {
    int error = blitz_broadcast(NULL, reach, NULL);
    return expect("r") && error == 0;
}

/* ---- reductions ---- */

static int add_up(size_t lo, size_t hi, void *value, void *ctx) {
    (void)ctx;
    for (size_t i = lo; i < hi; i++)
        *(uint64_t *)value = *(uint64_t *)value * 31 + i; /* together with combine: not commutative */
    return 0;
}

struct part {
    uint64_t value, factor;
};

static int map_part(size_t lo, size_t hi, void *value, void *ctx) {
    struct part *part = value;
    (void)ctx;
    add_up(lo, hi, &part->value, NULL);
    for (size_t i = lo; i < hi; i++)
        part->factor *= 31;
    return 0;
}

static void combine_part(void *left, const void *right, void *ctx) {
    struct part *l = left;
    const struct part *r = right;
    (void)ctx;
    l->value = l->value * r->factor + r->value;
    l->factor *= r->factor;
}

static uint64_t reduced(void) {
    static const struct part none = {0, 1};
    blitz_reduce_op op = {sizeof none, &none, map_part, combine_part};
    struct part out = {0, 0};
    return blitz_reduce(0, 200000, 1, &op, NULL, &out) == 0 ? out.value : 0;
}

static void reduce_into(void *arg) {
    *(uint64_t *)arg = reduced();
}

/* ---- the cases ---- */

static void all_inside(void *arg) {
    *(int *)arg = joins() && forks() && scopes() && loops() && grains() && submits() && macros();
}

static intptr_t drop_own(void *arg) {
    blitz_future_drop(*(blitz_future **)arg);
    return 1;
}

static void a_serial_future_may_be_dropped_by_its_job(void **state) {
    blitz_config config = {.flags = BLITZ_POOL_SERIAL};
    blitz_pool *pool;
    blitz_future *future;
    (void)state;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_future_submit(pool, drop_own, &future, NULL, &future), 0);
    assert_int_equal(blitz_wait_idle(pool), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void a_serial_pool_runs_in_program_order(void **state) {
    blitz_config config = {.workers = 4, .flags = BLITZ_POOL_SERIAL};
    blitz_pool *pool;
    int right = 0;
    (void)state;
    begin();
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_pool_workers(pool), 1);
    assert_int_equal(blitz_call(pool, all_inside, &right), 0);
    assert_true(right);
    assert_int_equal(blitz_submit(pool, all_inside, &right), 0);
    assert_true(right);
    assert_int_equal(blitz_broadcast(pool, reach, NULL), 0);
    assert_true(expect("r"));
    assert_int_equal(blitz_pool_resize(pool, 3), 0);
    assert_int_equal(blitz_pool_workers(pool), 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void results_are_the_same_in_both_modes(void **state) {
    blitz_config config = {.workers = 3};
    blitz_pool *pool;
    uint64_t serial = 0, parallel = 0, expected = 0;
    (void)state;
    add_up(0, 200000, &expected, NULL);
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, reduce_into, &parallel), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    config.flags = BLITZ_POOL_SERIAL;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    assert_int_equal(blitz_call(pool, reduce_into, &serial), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
    assert_int_equal(serial, expected);
    assert_int_equal(parallel, expected);
}

/* Run by this program again, with BLITZ_WORKERS=0: from outside of all pools, and in a pool that requests four
 * workers. */
static int zero_workers(void) {
    blitz_config config = {.workers = 4};
    blitz_pool *pool;
    int right = 0;
    uint64_t expected = 0;
    add_up(0, 200000, &expected, NULL);
    begin();
    if (!joins() || !forks() || !scopes() || !loops() || !grains() || !submits() || !macros() ||
        !broadcasts() || reduced() != expected || blitz_pool_workers(NULL) != 1)
        return 0;
    if (blitz_pool_create(&config, &pool) || blitz_call(pool, all_inside, &right) || !right ||
        blitz_pool_destroy(pool))
        return 0;
    return 1;
}

static char *program;

static void no_workers_in_the_environment_are_a_serial_mode(void **state) {
    int status = -1;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        setenv("BLITZ_WORKERS", "0", 1);
        execl(program, program, "zero", (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_serial_pool_runs_in_program_order),
        cmocka_unit_test(a_serial_future_may_be_dropped_by_its_job),
        cmocka_unit_test(results_are_the_same_in_both_modes),
        cmocka_unit_test(no_workers_in_the_environment_are_a_serial_mode),
    };
    if (argc > 1)
        return zero_workers() ? 0 : 1;
    program = argv[0];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
