/* test_reduction.c: managed task reductions: which thread initialises which copy and when, the order of combination,
 * the lookup of copies, and separate copies for nested groups. */
#include "omp/task/reduction.h"

#include "omp/task/taskgroup.h"
#include "task_scene.h"

struct value {
    long sum;
    char order[8]; /* of the copies that were combined into it */
};

static unsigned begun, ended;
static struct value original, second, inner;
static long source = 7;

static void begin_value(void *copy, void *from) {
    struct value *value = copy;
    assert_ptr_equal(from, &source);
    for (size_t i = 0; i < sizeof *value; i++)
        assert_int_equal(((char *)copy)[i], 0);
    assert_int_equal((uintptr_t)copy % 64, 0);
    value->sum = 0;
    value->order[0] = (char)('0' + bomp_thread_num());
    begun++;
}

static void combine_value(void *into, void *copy) {
    struct value *to = into, *from = copy;
    to->sum += from->sum;
    strcat(to->order, from->order);
}

static void end_value(void *copy) {
    ((struct value *)copy)->sum = -1;
    ended++;
}

static bool soon;

static struct bomp_reduction_variable variable(const void *arg, size_t index) {
    struct value *const *all = arg;
    return (struct bomp_reduction_variable){.original = all[index],
                                            .size = sizeof(struct value),
                                            .source = &source,
                                            .init = begin_value,
                                            .combine = combine_value,
                                            .fini = end_value,
                                            .soon = soon};
}

static const struct bomp_group *start(struct value *first, struct value *other) {
    struct value *all[] = {first, other};
    bomp_taskgroup_start();
    return bomp_reduction_register(bomp_reduction_new_managed(other ? 2 : 1, variable, all));
}

static struct value *target; /* of the tasks: they have no arguments */

static void add(void *data) {
    (void)data;
    struct value *copy = bomp_reduction_copy(target, NULL, NULL);
    copy->sum++;
    assert_ptr_equal(bomp_reduction_copy(copy, NULL, NULL), copy); /* also by its own address */
    runs++;
}

/* Both threads take part, the other one first; a third copy does not exist. */
static void both_take_part(void) {
    start(&original, &second);
    queue(add, NULL);
    other_takes_one();
    assert_int_equal(begun, 1);
    queue(add, NULL);
    queue(add, NULL);
    other_takes_one();
    assert_int_equal(begun, 1);
    bomp_taskgroup_end();
    assert_int_equal(runs, 3);
    assert_int_equal(begun, 2);
    assert_int_equal(ended, 2);
    assert_int_equal(original.sum, 3);
    assert_string_equal(original.order, "01"); /* in the order of the threads */
    assert_string_equal(second.order, "");     /* no task requested it */
    assert_null(current()->group);
}

static void no_thread_takes_part(void) {
    start(&original, NULL);
    bomp_taskgroup_end();
    assert_int_equal(begun + ended, 0);
    assert_string_equal(original.order, "");
}

static struct value *seen; /* the other thread's copy */

static void add_and_tell(void *data) {
    (void)data;
    seen = bomp_reduction_copy(target, NULL, NULL);
    seen->sum += 10;
}

/* A task may know the variable by the address of another thread's copy. */
static void by_another_copy(void) {
    start(&original, &second);
    target = &second;
    queue(add_and_tell, NULL);
    other_takes_one();
    assert_ptr_not_equal(seen, &second);
    struct value *copy = bomp_reduction_copy(seen, NULL, NULL);
    assert_ptr_not_equal(copy, seen);
    assert_ptr_equal(copy, bomp_reduction_copy(&second, NULL, NULL));
    copy->sum = 5;
    bomp_taskgroup_end();
    assert_int_equal(second.sum, 15);
    assert_string_equal(second.order, "01");
    assert_int_equal(original.sum, 0);
}

/* The innermost group applies, unless one is named. */
static void groups_in_groups(void) {
    const struct bomp_group *outer = start(&original, NULL);
    struct value *copy = bomp_reduction_copy(&original, NULL, NULL);
    start(&original, &inner);
    struct value *nearer = bomp_reduction_copy(&original, NULL, NULL);
    assert_ptr_not_equal(copy, nearer);
    assert_ptr_equal(bomp_reduction_copy(&original, outer, NULL), copy);
    nearer->sum = 3;
    bomp_taskgroup_end();
    assert_int_equal(original.sum, 3);
    copy->sum = 40;
    bomp_taskgroup_end();
    assert_int_equal(original.sum, 43);
    assert_int_equal(begun, 2);
    assert_int_equal(ended, 2);
}

/* The copies of another thread's tasks are combined when those end. */
static void combined_soon(void) {
    soon = true;
    start(&original, &second);
    soon = false;
    bomp_taskgroup_start(); /* also for tasks in a group inside */
    for (int i = 1; i <= 3; i++) {
        queue(add, NULL);
        other_takes_one();
        assert_int_equal(original.sum, i);
        assert_int_equal(begun, i);
        assert_int_equal(ended, i);
    }
    queue(add, NULL);
    bomp_taskgroup_end();
    assert_int_equal(original.sum, 3); /* without its own part */
    bomp_taskgroup_end();
    assert_int_equal(original.sum, 4);
    assert_string_equal(original.order, "1110");
    assert_int_equal(begun, ended);
}

/* A group that a construct starts is not the one that "cancel taskgroup" cancels. */
static void own_group(void) {
    struct value *all[] = {&original};
    const struct bomp_group *group =
        bomp_reduction_group_start(bomp_reduction_new_managed(1, variable, all), false);
    assert_true(group->implicit);
    add(NULL);
    bomp_taskgroup_end();
    assert_int_equal(original.sum, 1);
}

static int fresh(void **state) {
    begun = ended = 0;
    target = &original;
    original = second = inner = (struct value){0};
    return set_up(state);
}

#define PLAYED(name)                                                                                         \
    static void name##_test(void **state) {                                                                  \
        (void)state;                                                                                         \
        play(name);                                                                                          \
    }
PLAYED(both_take_part)
PLAYED(no_thread_takes_part)
PLAYED(by_another_copy)
PLAYED(groups_in_groups)
PLAYED(combined_soon)
PLAYED(own_group)

#define FRESH(name) cmocka_unit_test_setup(name##_test, fresh)

int main(void) {
    const struct CMUnitTest tests[] = {FRESH(both_take_part),  FRESH(no_thread_takes_part),
                                       FRESH(by_another_copy), FRESH(groups_in_groups),
                                       FRESH(combined_soon),   FRESH(own_group)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
