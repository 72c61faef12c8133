/* test_gomp_depend.c: compat/gomp/depend.h: both layouts of GCC's arrays, depend objects, long lists, a bad kind. */
#include "depend.h"

#include "../asserts.h"

static int at[40];

#define PLACE(n) ((void *)(uintptr_t)(n)) /* the address in the clause */
#define WORD(n) ((void *)(uintptr_t)(n))

static struct bomp_depend_room room;
static struct bomp_depend_list got;

static void expect(size_t i, const void *address, enum bomp_depend_kind kind) {
    assert_true(i < got.count);
    assert_ptr_equal(got.items[i].address, address);
    assert_int_equal(got.items[i].kind, kind);
}

static void the_old_layout(void **state) {
    (void)state;
    void *array[] = {WORD(3), WORD(1), &at[0], &at[1], &at[2]};
    got = gomp_depend_decode(&room, array);
    assert_int_equal(got.count, 3);
    expect(0, &at[0], BOMP_DEPEND_OUT);
    expect(1, &at[1], BOMP_DEPEND_IN);
    expect(2, &at[2], BOMP_DEPEND_IN);
    assert_null(room.heap);
    bomp_depend_free(&room);
}

static void the_new_layout(void **state) {
    (void)state;
    struct {
        void *address;
        uintptr_t kind;
    } object[] = {{&at[4], 1}, {&at[5], 2}, {&at[6], 3}, {&at[7], 4}, {&at[8], 5}};
    void *array[] = {WORD(0), WORD(9), WORD(1),    WORD(2),    WORD(1),    &at[0],     &at[1],
                     &at[2],  &at[3],  &object[0], &object[1], &object[2], &object[3], &object[4]};
    got = gomp_depend_decode(&room, array);
    assert_int_equal(got.count, 9);
    expect(0, &at[0], BOMP_DEPEND_OUT);
    expect(1, &at[1], BOMP_DEPEND_MUTEX);
    expect(2, &at[2], BOMP_DEPEND_MUTEX);
    expect(3, &at[3], BOMP_DEPEND_IN);
    expect(4, &at[4], BOMP_DEPEND_IN);
    expect(5, &at[5], BOMP_DEPEND_OUT);
    expect(6, &at[6], BOMP_DEPEND_OUT);
    expect(7, &at[7], BOMP_DEPEND_MUTEX);
    expect(8, &at[8], BOMP_DEPEND_INOUTSET);
    object[0].address = NULL; /* read when the task was created */
    expect(4, &at[4], BOMP_DEPEND_IN);
    bomp_depend_free(&room);
}

/* An address of NULL, among the out ones and in an object of that kind. */
static void all_memory(void **state) {
    (void)state;
    void *array[] = {WORD(3), WORD(2), &at[0], NULL, NULL};
    got = gomp_depend_decode(&room, array);
    expect(0, PLACE(1), BOMP_DEPEND_ALL); /* comes first */
    expect(1, &at[0], BOMP_DEPEND_OUT);
    expect(2, NULL, BOMP_DEPEND_IN);
    struct {
        void *address;
        uintptr_t kind;
    } object[] = {{NULL, 2}, {NULL, 3}, {NULL, 1}, {NULL, 5}};
    void *newer[] = {WORD(0), WORD(7), WORD(1),    WORD(1),    WORD(1),    NULL,
                     NULL,    NULL,    &object[0], &object[1], &object[2], &object[3]};
    got = gomp_depend_decode(&room, newer);
    expect(0, PLACE(4), BOMP_DEPEND_ALL); /* the last of the three */
    expect(1, NULL, BOMP_DEPEND_MUTEX);
    expect(2, NULL, BOMP_DEPEND_IN);
    expect(3, PLACE(0), BOMP_DEPEND_ALL);
    expect(4, PLACE(3), BOMP_DEPEND_ALL);
    expect(5, NULL, BOMP_DEPEND_IN);
    expect(6, NULL, BOMP_DEPEND_INOUTSET);
}

static void long_lists(void **state) {
    (void)state;
    void *array[42] = {WORD(40), WORD(20)};
    for (int i = 0; i < 40; i++)
        array[2 + i] = &at[i];
    got = gomp_depend_decode(&room, array);
    assert_non_null(room.heap);
    assert_int_equal(got.count, 40);
    for (size_t i = 0; i < 40; i++)
        expect(i, &at[i], i < 20 ? BOMP_DEPEND_OUT : BOMP_DEPEND_IN);
    bomp_depend_free(&room);
}

static void empty_ones(void **state) {
    (void)state;
    void *array[] = {WORD(0), WORD(0), WORD(0), WORD(0), WORD(0)};
    got = gomp_depend_decode(&room, array);
    assert_int_equal(got.count, 0);
    bomp_depend_free(&room);
}

static void a_kind_that_does_not_exist(void **state) {
    (void)state;
    struct {
        void *address;
        intptr_t kind;
    } object = {&at[0], -1}; /* destroyed */
    void *array[] = {WORD(0), WORD(1), WORD(0), WORD(0), WORD(0), &object};
    got = gomp_depend_decode(&room, array);
    expect(0, &at[0], BOMP_DEPEND_OUT);
    bomp_depend_free(&room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_old_layout), cmocka_unit_test(the_new_layout),
        cmocka_unit_test(all_memory),     cmocka_unit_test(long_lists),
        cmocka_unit_test(empty_ones),     cmocka_unit_test(a_kind_that_does_not_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
