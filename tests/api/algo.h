/* algo.h: common parts of the tests of blitz/algo.h: sizes, random numbers, and the places where each test runs. */
#ifndef TESTS_ALGO_H
#define TESTS_ALGO_H

#include <blitz/algo.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../asserts.h"
#include "../sanitized.h"

/* Around the sizes of vectors, pieces, tiles and blocks, and up to some thousand tiles of the smallest size. */
static const size_t sizes[] = {0,     1,     2,     3,     7,     15,    16,     17,    31,   63,
                               127,   128,   129,   255,   256,   257,   1000,   1023,  1024, 1025,
                               2047,  2048,  2049,  4095,  4096,  4097,  5000,   8191,  8193, 9973,
                               16383, 16384, 16385, 32769, 65537, 99991, 131072, 300007};
enum { SIZES = sizeof sizes / sizeof *sizes, MOST = 300007 };
enum { NEXT_SIZE = SANITIZED ? 3 : 1 }; /* sanitizers take long: every third size */

static inline uint64_t random_next(uint64_t *state) {
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline void *memory(size_t bytes) {
    void *found = malloc(bytes ? bytes : 1);
    assert_non_null(found);
    return found;
}

typedef void algo_test(void);

static void algo_call(void *arg) {
    (*(algo_test **)arg)();
}

/* As one task among others of a scope, which run the same. */
static void algo_nested(void *arg) {
    blitz_scope scope;
    blitz_scope_begin(&scope);
    for (int i = 0; i < 2; i++)
        blitz_scope_spawn(&scope, algo_call, arg);
    blitz_scope_wait(&scope);
}

/* Runs the test outside of all pools, then inside of pools of many sizes, in turns also nested in tasks. */
static inline void everywhere(algo_test *test) {
    static const unsigned workers[] = {3, 64, 1, 8, 2};
    int count = SANITIZED ? 1 : 5;
    alarm(HANG_SECONDS);
    test();
    for (int i = 0; i < count; i++) {
        blitz_pool *pool;
        const blitz_config config = {.workers = workers[i]};
        assert_int_equal(blitz_pool_create(&config, &pool), 0);
        assert_int_equal(blitz_call(pool, i % 2 ? algo_call : algo_nested, &test), 0);
        assert_int_equal(blitz_pool_destroy(pool), 0);
    }
    alarm(0);
}

#endif
