/* api_loops.c: loops of long bodies: how soon they end after an error, and that the first bodies are shared. */
#include <blitz.h>
#include <blitz/algo.h>

#include <errno.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "../asserts.h"

enum { MOST = 2000000, WORKERS = 8, AT = 50, FAILED = 42 };

static atomic_size_t bodies;

static void sleep_us(long us) {
    nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

/* An element that takes long. */
static int is_last(size_t i) {
    atomic_fetch_add(&bodies, 1);
    sleep_us(100);
    return i == AT;
}

static int fail_in(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    for (size_t i = lo; i < hi; i++)
        if (is_last(i))
            return FAILED;
    return 0;
}

static int fail_with_value(size_t lo, size_t hi, void *value, void *ctx) {
    (void)value;
    return fail_in(lo, hi, ctx);
}

static void combine_nothing(void *left, const void *right, void *ctx) {
    (void)left;
    (void)right;
    (void)ctx;
}

/* It does not stop by itself. */
static int cancel(size_t lo, size_t hi, void *token) {
    for (size_t i = lo; i < hi; i++)
        if (is_last(i))
            blitz_token_cancel(token);
    return 0;
}

static int fail_one(const void *in, void *out, void *base) {
    (void)out;
    return is_last((size_t)((const char *)in - (const char *)base)) ? FAILED : 0;
}

/* Bodies that ran: those up to the last one, as many on each other worker, and some more on a busy machine. A 64th of
 * the range would be 31250. */
static void assert_few(void) {
    assert_in_range(atomic_exchange(&bodies, 0), 1, 12000);
}

static void loops_end_soon_after_an_error(void **state) {
    char zero = 0;
    const blitz_reduce_op op = {1, &zero, fail_with_value, combine_nothing};
    (void)state;
    for (size_t grain = 0; grain <= 1; grain++) {
        assert_int_equal(blitz_for(0, MOST, grain, fail_in, NULL), FAILED);
        assert_few();
        assert_int_equal(blitz_reduce(0, MOST, grain, &op, NULL, &zero), FAILED);
        assert_few();
    }
}

static void loops_end_soon_after_a_cancellation(void **state) {
    blitz_token token;
    (void)state;
    blitz_token_init(&token, NULL);
    assert_int_equal(blitz_for_with(0, MOST, 0, cancel, &token, &(blitz_options){.token = &token}),
                     ECANCELED);
    assert_few();
}

static void maps_end_soon_after_an_error(void **state) {
    static char array[MOST];
    (void)state;
    assert_int_equal(blitz_map(array, 1, array, 1, MOST, fail_one, array), FAILED);
    assert_few();
}

/* ---- some long bodies among others ---- */

enum { COUNT = 3200, LONG = 100 };

static atomic_size_t long_of[WORKERS + 1]; /* by worker; outside threads come last */

static int run_long(size_t lo, size_t hi, void *ctx) {
    (void)ctx;
    for (size_t i = lo; i < hi; i++)
        if (i < LONG) {
            unsigned index = blitz_worker_index();
            atomic_fetch_add(&long_of[index < WORKERS ? index : WORKERS], 1);
            sleep_us(2000);
        }
    return 0;
}

/* Elements after many short ones may be in the same piece. */
static void long_ones_at_the_beginning_are_shared(void **state) {
    (void)state;
    size_t all = 0, most = 0;
    assert_int_equal(blitz_for(0, COUNT, 1, run_long, NULL), 0);
    for (size_t i = 0; i <= WORKERS; i++) {
        size_t count = atomic_load(&long_of[i]);
        all += count;
        most = count > most ? count : most;
    }
    assert_int_equal(all, LONG);
    assert_in_range(most, 1, LONG / 2);
}

static int begin(void **state) {
    (void)state;
    alarm(HANG_SECONDS);
    return blitz_configure(&(blitz_config){.workers = WORKERS});
}

static int end(void **state) {
    (void)state;
    return blitz_shutdown();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_end_soon_after_an_error),
        cmocka_unit_test(loops_end_soon_after_a_cancellation),
        cmocka_unit_test(maps_end_soon_after_an_error),
        cmocka_unit_test(long_ones_at_the_beginning_are_shared),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
