/* test_slab.c: slab.h on one thread: where objects are allocated, and where they return to. stress_slab.c passes
 * objects between threads. */
#include "sched/slab.h"

#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "os/os.h"

/* Slabs asked for (linked with --wrap=bz_os_alloc). */
static unsigned slabs;
static bool no_memory;

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size) {
    slabs++;
    return no_memory ? NULL : __real_bz_os_alloc(size);
}

static struct bz_slabs *homes; /* two, aligned as in a worker */

static int setup(void **state) {
    (void)state;
    homes = __real_bz_os_alloc(2 * sizeof *homes);
    slabs = 0;
    no_memory = false;
    return 0;
}

static int teardown(void **state) {
    (void)state;
    bz_slabs_destroy(&homes[0]);
    bz_slabs_destroy(&homes[1]);
    bz_os_free(homes, 2 * sizeof *homes);
    return 0;
}

static void sizes_go_to_the_smallest_class_that_fits(void **state) {
    (void)state;
    static const struct {
        size_t size;
        unsigned class;
    } cases[] = {{0, 0},   {1, 0},   {120, 0}, {121, 1},  {184, 1},
                 {185, 2}, {312, 2}, {313, 3}, {1015, 3}, {BZ_SLAB_MAX, 3}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(bz_slab_class_behind(0, cases[i].size), cases[i].class);
}

/* All bytes of all objects can be used, and no two overlap. */
static void objects_are_aligned_and_disjoint(void **state) {
    (void)state;
    enum { MANY = 400 };
    static const size_t sizes[] = {1, 120, 121, 184, 185, 312, 313, BZ_SLAB_MAX};
    unsigned char *object[MANY];
    for (unsigned i = 0; i < MANY; i++) {
        object[i] = bz_slabs_alloc(&homes[0], sizes[i % 8]);
        assert_non_null(object[i]);
        assert_int_equal((uintptr_t)object[i] % 64, 8);
        memset(object[i], (int)(i % 251), sizes[i % 8]);
    }
    for (unsigned i = 0; i < MANY; i++) {
        for (size_t b = 0; b < sizes[i % 8]; b++)
            assert_int_equal(object[i][b], i % 251);
        bz_slabs_free(&homes[0], object[i]);
    }
}

static void the_last_freed_comes_first(void **state) {
    (void)state;
    void *a = bz_slabs_alloc(&homes[0], 100), *b = bz_slabs_alloc(&homes[0], 100);
    assert_ptr_not_equal(a, b);
    bz_slabs_free(&homes[0], a);
    bz_slabs_free(&homes[0], b);
    assert_ptr_equal(bz_slabs_alloc(&homes[0], 50), b);
    assert_ptr_equal(bz_slabs_alloc(&homes[0], 112), a);
    void *large = bz_slabs_alloc(&homes[0], 500); /* another class */
    assert_ptr_not_equal(large, a);
    assert_int_equal(slabs, 2);
}

/* Allocates here and frees elsewhere; fewer objects than a batch and a slab are not home yet. */
static void foreign_objects_come_home(void **state) {
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        void *object = bz_slabs_alloc(&homes[0], 100);
        assert_non_null(object);
        bz_slabs_free(&homes[1], object);
    }
    assert_true(slabs <= 2); /* one is 127 objects, the current batch holds 32 */
    assert_null(homes[1].list);
    for (unsigned c = 0; c < BZ_SLAB_CLASSES; c++)
        assert_null(homes[1].free[c]); /* only its home may reuse a foreign object */
}

static void batches_may_mix_classes(void **state) {
    (void)state;
    static const size_t sizes[] = {100, 170, 300, 1000};
    unsigned before = 0;
    for (unsigned round = 0; round < 200; round++) {
        void *object[40];
        for (unsigned i = 0; i < 40; i++)
            object[i] = bz_slabs_alloc(&homes[0], sizes[i % 4]);
        for (unsigned i = 0; i < 40; i++) {
            memset(object[i], 0xee, sizes[i % 4]);
            bz_slabs_free(&homes[1], object[i]);
        }
        if (round == 100)
            before = slabs;
    }
    assert_int_equal(slabs, before); /* a steady state */
}

static void a_batch_for_another_home_is_sent_first(void **state) {
    (void)state;
    struct bz_slabs *third = __real_bz_os_alloc(sizeof *third);
    void *a = bz_slabs_alloc(&homes[0], 100), *b = bz_slabs_alloc(&homes[1], 100);
    bz_slabs_free(third, a);
    assert_null(homes[0].returned.v);
    bz_slabs_free(third, b);
    assert_non_null(homes[0].returned.v); /* a is home */
    assert_null(homes[1].returned.v);
    assert_int_equal(third->outgoing_count, 1);
    bz_slabs_destroy(third);
    bz_os_free(third, sizeof *third);
}

static void no_memory_is_no_object(void **state) {
    (void)state;
    void *first = bz_slabs_alloc(&homes[0], 1000);
    unsigned objects = 1;
    no_memory = true;
    while (bz_slabs_alloc(&homes[0], 1000))
        objects++;
    assert_int_equal(objects, 15); /* what the slab had */
    assert_null(bz_slabs_alloc(&homes[0], 1000));
    assert_null(bz_slabs_alloc(&homes[0], 10)); /* another class: needs a slab of its own */
    bz_slabs_free(&homes[0], first);
    assert_ptr_equal(bz_slabs_alloc(&homes[0], 1000), first);
    no_memory = false;
    assert_non_null(bz_slabs_alloc(&homes[0], 10));
}

static void what_came_home_is_used_before_new_memory(void **state) {
    (void)state;
    enum { SLAB = 127 };
    void *object[SLAB];
    for (unsigned i = 0; i < SLAB; i++)
        object[i] = bz_slabs_alloc(&homes[0], 100);
    assert_int_equal(slabs, 1);
    for (unsigned i = 0; i < 33; i++) /* the 33rd sends the previous 32 */
        bz_slabs_free(&homes[1], object[i]);
    no_memory = true;
    for (unsigned i = 0; i < 32; i++)
        assert_non_null(bz_slabs_alloc(&homes[0], 100));
    assert_null(bz_slabs_alloc(&homes[0], 100));
}

#define case_of(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_go_to_the_smallest_class_that_fits),
        case_of(objects_are_aligned_and_disjoint),
        case_of(the_last_freed_comes_first),
        case_of(foreign_objects_come_home),
        case_of(batches_may_mix_classes),
        case_of(a_batch_for_another_home_is_sent_first),
        case_of(no_memory_is_no_object),
        case_of(what_came_home_is_used_before_new_memory),
    };
    return cmocka_run_group_tests_name("slab", tests, NULL, NULL);
}
