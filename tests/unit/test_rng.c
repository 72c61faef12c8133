/* test_rng.c: rng.h. */
#include "base/rng.h"

#include "../asserts.h"

static void numbers_stay_below_the_bound(void **state) {
    (void)state;
    static const uint32_t bounds[] = {1, 2, 3, 7, 64, 65535, 1000003, UINT32_MAX};
    struct bz_rng rng;
    bz_rng_seed(&rng, 0);
    for (unsigned b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
        for (unsigned i = 0; i < 10000; i++)
            assert_true(bz_rng_below(&rng, bounds[b]) < bounds[b]);
}

/* All victims are equally likely, within four standard deviations; the sequence is always the same. */
static void all_numbers_come_about_equally_often(void **state) {
    (void)state;
    enum { N = 13, DRAWS = 13000 };
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct bz_rng rng;
        unsigned seen[N] = {0};
        bz_rng_seed(&rng, seed);
        for (unsigned i = 0; i < DRAWS; i++)
            seen[bz_rng_below(&rng, N)]++;
        for (unsigned i = 0; i < N; i++)
            assert_in_range(seen[i], 1000 - 4 * 31, 1000 + 4 * 31);
    }
}

static void workers_differ(void **state) {
    (void)state;
    struct bz_rng rngs[16];
    for (unsigned i = 0; i < 16; i++)
        bz_rng_seed(&rngs[i], i);
    unsigned same = 0;
    for (unsigned i = 1; i < 16; i++)
        for (unsigned n = 0; n < 64; n++) {
            uint32_t a = bz_rng_below(&rngs[0], 1u << 31), b = bz_rng_below(&rngs[i], 1u << 31);
            same += a == b;
        }
    assert_int_equal(same, 0);
}

static void no_seed_makes_it_stand_still(void **state) {
    (void)state;
    static const uint64_t seeds[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, UINT64_C(1) << 63};
    for (unsigned i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct bz_rng rng;
        bz_rng_seed(&rng, seeds[i]);
        assert_int_not_equal(rng.state, 0);
        uint64_t before = rng.state;
        bz_rng_below(&rng, 10);
        assert_int_not_equal(rng.state, before);
        assert_int_not_equal(rng.state, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_stay_below_the_bound),
        cmocka_unit_test(all_numbers_come_about_equally_often),
        cmocka_unit_test(workers_differ),
        cmocka_unit_test(no_seed_makes_it_stand_still),
    };
    return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
