/* test_future.c: future.h: references to a future, which thread runs its job, and behaviour without memory.
 * stress_future.c has many threads. */
#include "api/future.h"

#include <errno.h>

#include "../asserts.h"
#include "pool/pool.h"

/* Memory as futures see it (linked with --wrap=bz_alloc,--wrap=bz_free). */
static bool no_memory;
static void *made; /* the last future */
static int freed;

void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size) {
    void *block = no_memory ? NULL : __real_bz_alloc(size);
    if (size == sizeof(struct blitz_future))
        made = block;
    return block;
}

void __real_bz_free(void *memory);
void __wrap_bz_free(void *memory);
void __wrap_bz_free(void *memory) {
    freed += memory == made;
    __real_bz_free(memory);
}

static int runs;

static intptr_t run(void *arg) {
    runs++;
    return (intptr_t)arg;
}

static blitz_pool *make_pool(unsigned flags) {
    blitz_config config = {.workers = 1, .flags = flags};
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    runs = freed = 0;
    return pool;
}

static void without_memory_nothing_has_happened(void **state) {
    (void)state;
    for (unsigned flags = 0; flags <= BLITZ_POOL_SERIAL; flags += BLITZ_POOL_SERIAL) {
        blitz_pool *pool = make_pool(flags);
        blitz_future *future;
        no_memory = true;
        int error = blitz_future_submit(pool, run, NULL, NULL, &future);
        no_memory = false;
        assert_int_equal(error, ENOMEM);
        assert_int_equal(pool->pending.v, 0);
        assert_int_equal(blitz_pool_destroy(pool), 0);
        assert_int_equal(runs, 0);
    }
}

/* The caller occupies the pool's only place, so no other thread runs anything: the job is queued and the waiter takes
 * it. A thread that finds it in the queue later sees it done, and frees it. */
static void wait_inside(void *arg) {
    blitz_pool *pool = arg;
    blitz_future *future;
    intptr_t value = 0;
    assert_int_equal(blitz_future_submit(pool, run, (void *)7, NULL, &future), 0);
    assert_int_equal(future->holders.v, 2);
    assert_int_equal(future->state.v, BZ_FUTURE_PENDING);
    assert_int_equal(blitz_future_wait(future, &value), 0);
    assert_int_equal(value, 7);
    assert_int_equal(future->state.v, BZ_FUTURE_DONE);
    assert_int_equal(future->holders.v, 2);
    assert_int_equal(pool->pending.v, 1); /* it is still queued */
    blitz_future_drop(future);
    assert_int_equal(freed, 0);
    bz_self->running.theft.robbed = bz_self; /* as if stolen from a deque */
    assert_true(blitz_help(pool));
    assert_null(bz_self->running.theft.robbed); /* else the next fork here would count as stolen */
    assert_int_equal(freed, 1);
    assert_int_equal(pool->pending.v, 0);
    assert_int_equal(runs, 1);
}

static void a_waiter_inside_runs_the_job(void **state) {
    blitz_pool *pool = make_pool(0);
    (void)state;
    assert_int_equal(blitz_call(pool, wait_inside, pool), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void help_inside(void *arg) {
    blitz_future *future;
    intptr_t value = 0;
    assert_int_equal(blitz_future_submit(arg, run, (void *)1, NULL, &future), 0);
    assert_false(blitz_future_is_done(future));
    assert_true(blitz_help(arg));
    assert_true(blitz_future_is_done(future));
    assert_int_equal(future->holders.v, 1);
    assert_int_equal(blitz_future_help(future, &value), 0);
    assert_int_equal(value, 1);
    blitz_future_drop(future);
    assert_int_equal(freed, 1);
}

static void a_helper_runs_it_from_the_queue(void **state) {
    blitz_pool *pool = make_pool(0);
    (void)state;
    assert_int_equal(blitz_call(pool, help_inside, pool), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void a_serial_one_is_done_when_it_is_there(void **state) {
    blitz_pool *pool = make_pool(BLITZ_POOL_SERIAL);
    blitz_future *future;
    intptr_t value = 0;
    (void)state;
    assert_int_equal(blitz_future_submit(pool, run, (void *)3, NULL, &future), 0);
    assert_int_equal(runs, 1);
    assert_int_equal(future->holders.v, 1);
    assert_true(blitz_future_is_done(future));
    assert_int_equal(blitz_future_wait_for(future, 0, &value), 0);
    assert_int_equal(value, 3);
    blitz_future_drop(future);
    assert_int_equal(freed, 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_nothing_has_happened),
        cmocka_unit_test(a_waiter_inside_runs_the_job),
        cmocka_unit_test(a_helper_runs_it_from_the_queue),
        cmocka_unit_test(a_serial_one_is_done_when_it_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
