/* test_lend.c: lend.c: the result of a lease without a place, or without memory. tests/api/api_pools.c and
 * stress_lend.c test the lives of leases. */
#include "pool/pool.h"

#include <errno.h>

#include "../asserts.h"

/* Blocks of memory as places see them (linked with --wrap=bz_os_alloc). */
static bool no_blocks;

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    return no_blocks ? NULL : __real_bz_os_alloc(size);
}

static unsigned starts;

static void count_start(unsigned index, void *arg) {
    (void)index, (void)arg;
    starts++;
}

static blitz_pool *make_pool(void) {
    blitz_config config = {.workers = 1, .on_start = count_start};
    blitz_pool *pool;
    assert_int_equal(blitz_pool_create(&config, &pool), 0);
    starts = 0;
    return pool;
}

static void without_memory_a_thread_is_not_lent(void **state) {
    blitz_pool *pool = make_pool();
    struct bz_place *made_with_pool = pool->free;
    (void)state;
    pool->free = NULL;
    no_blocks = true;
    assert_int_equal(blitz_pool_lend(pool, 1000), ENOMEM);
    no_blocks = false;
    assert_int_equal(starts, 0);
    assert_int_equal(pool->lent, 0);
    assert_int_equal(pool->lenders.v, 0);
    pool->free = made_with_pool;
    assert_int_equal(blitz_pool_lend(pool, 1000), 0);
    assert_int_equal(starts, 1);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

static void to_a_full_pool_a_thread_is_not_lent(void **state) {
    blitz_pool *pool = make_pool();
    struct bz_place *made_with_pool = pool->free;
    (void)state;
    pool->free = NULL;
    pool->places = BZ_POOL_PLACES;
    assert_int_equal(blitz_pool_lend(pool, 1000), EAGAIN);
    pool->places = 1;
    pool->free = made_with_pool;
    assert_int_equal(starts, 0);
    assert_int_equal(blitz_pool_lend(pool, 1000), 0);
    assert_int_equal(blitz_pool_destroy(pool), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory_a_thread_is_not_lent),
        cmocka_unit_test(to_a_full_pool_a_thread_is_not_lent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
