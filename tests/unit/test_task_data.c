/* test_task_data.c: the data of a task: control variables, arguments, and the actions that copy functions may take. */
#include "task_scene.h"

/* ---- control variables ---- */

static void see(void *data) {
    *(uint32_t *)data = bomp_icv()->threads;
}

static void see_through(void *data) {
    see(*(void **)data);
}

static void see_later(void *data) {
    bomp_task_create(
        &(struct bomp_task_spec){.fn = see_through, .data = &data, .size = sizeof data, .align = 8});
}

static void change_on_the_stack(void *data) {
    struct bomp_icv *own = bomp_icv_own();
    own->threads = 20;
    assert_ptr_equal(bomp_icv_own(), own);
    see_later(data);
    assert_ptr_equal(bomp_icv(), own); /* it moved with its block */
    bomp_icv_own()->threads = 21;
    assert_ptr_not_equal(bomp_icv(), own);
}

static void change(void) {
    uint32_t seen = 0, inherited = bomp_icv()->threads;
    assert_ptr_equal(bomp_icv(), &self()->team->icv);
    struct bomp_icv *own = bomp_icv_own();
    assert_ptr_equal(bomp_icv_own(), own);
    assert_int_equal(own->threads, inherited);
    own->threads = 7;
    see_later(&seen);
    struct bomp_icv *next = bomp_icv_own();
    assert_ptr_not_equal(next, own);
    next->threads = 8;
    bomp_taskwait();
    assert_int_equal(seen, 7);
    assert_ptr_equal(bomp_icv_own(), next); /* no task is left that could read it */
    run_now(see_later, &seen);
    assert_ptr_not_equal(bomp_icv_own(), next); /* a grandchild is left */
    bomp_icv_own()->threads = 9;
    other_takes_one();
    assert_int_equal(seen, 8);
    run_now(change_on_the_stack, &seen);
    other_takes_one();
    assert_int_equal(seen, 20);
    assert_int_equal(bomp_icv()->threads, 9);
}

static void changes_are_the_tasks_own(void **state) {
    (void)state;
    play(change);
    assert_ptr_equal(bomp_icv(), &self()->team->icv);
}

/* ---- arguments ---- */

struct argument {
    size_t size, align;
    unsigned char first; /* of the pattern */
};

static struct argument expected;

static void check_arguments(void *data) {
    const unsigned char *bytes = data;
    assert_int_equal((uintptr_t)data % expected.align, 0);
    for (size_t i = 0; i < expected.size; i++)
        assert_int_equal(bytes[i], (unsigned char)(expected.first + i));
    runs++;
}

static void fill(unsigned char *bytes) {
    for (size_t i = 0; i < expected.size; i++)
        bytes[i] = (unsigned char)(expected.first + i);
}

static void copy_arguments(void *to, void *from) {
    assert_ptr_equal(from, &expected);
    assert_int_equal((uintptr_t)to % expected.align, 0);
    assert_true(bomp_in_final());
    assert_ptr_not_equal(current(), &self()->implicit);
    fill(to);
}

static void pass(bool copy, bool undeferred) {
    static unsigned char block[5000] __attribute__((aligned(1024)));
    unsigned before = runs;
    struct bomp_task_spec spec = {.fn = check_arguments, .data = block, .undeferred = undeferred};
    spec.size = expected.size;
    spec.align = expected.align;
    expected.first++;
    if (copy) {
        spec.copy = copy_arguments;
        spec.data = &expected;
        spec.final = true;
    } else {
        fill(block);
    }
    bomp_task_create(&spec);
    if (undeferred)
        assert_int_equal(runs, before + 1);
    memset(block, 0, sizeof block);
    bomp_taskwait();
    assert_int_equal(runs, before + 1);
}

static void arguments(void) {
    static const size_t sizes[] = {0, 1, 8, 64, 65, 190, 192, 255, 257, 800, 895, 896, 897, 1008, 1009, 5000};
    for (expected.align = 1; expected.align <= 1024; expected.align *= 2)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            expected.size = sizes[i];
            for (unsigned how = 0; how < 4; how++)
                if (how != 3 || expected.size > 0)
                    pass(how & 1, how & 2);
        }
}

static void arguments_arrive(void **state) {
    (void)state;
    play(arguments);
}

/* A copy constructor may do anything that a task may, though its task has not begun. */
static void busy_copy(void *to, void *from) {
    (void)to, (void)from;
    unsigned before = runs;
    struct bomp_task *task = current();
    bomp_task_plain(count, NULL, NULL, 0, 1, false);
    assert_int_equal(runs, before + 1);
    bomp_task_plain(queue_count, NULL, NULL, 0, 1, false); /* below it, tasks are queued as usual */
    bomp_taskwait();
    assert_int_equal(runs, before + 2);
    bomp_taskgroup_start();
    bomp_task_plain(queue_count, NULL, NULL, 0, 1, false);
    bomp_taskgroup_end();
    assert_int_equal(runs, before + 4);
    bomp_icv_own()->threads = 77;
    assert_ptr_equal(current(), task);
}

static void after_copy(void *data) {
    (void)data;
    assert_int_equal(bomp_icv()->threads, 77);
    queue(count, NULL);
    bomp_taskwait();
}

static void copies(void) {
    struct bomp_task_spec spec = {.fn = after_copy, .data = &spec, .copy = busy_copy, .size = 8, .align = 8};
    bomp_task_create(&spec);
    assert_int_equal(runs, 4);
    bomp_taskwait();
    assert_int_equal(runs, 5);
    other_takes_one();
    assert_int_equal(runs, 6);
}

static void copy_functions_may_create_tasks(void **state) {
    (void)state;
    play(copies);
}

/* ---- queued without clauses ---- */

static void copy_plainly(void *to, void *from) {
    assert_ptr_equal(from, &expected);
    assert_ptr_not_equal(current(), &self()->implicit);
    assert_int_equal((uintptr_t)to % expected.align, 0);
    fill(to);
}

static void pass_plainly(bool copy, bool grouped) {
    static unsigned char block[5000] __attribute__((aligned(1024)));
    unsigned before = runs;
    void *data = copy ? (void *)&expected : expected.size > 0 ? block : NULL;
    expected.first++;
    fill(block);
    if (grouped)
        bomp_taskgroup_start();
    bomp_task_plain(check_arguments, data, copy ? copy_plainly : NULL, expected.size, expected.align, 0);
    memset(block, 0, sizeof block);
    assert_int_equal(runs, before);
    if (grouped)
        bomp_taskgroup_end();
    else
        bomp_taskwait();
    assert_int_equal(runs, before + 1);
}

static void pass_all_plainly(void *data) {
    static const size_t large[] = {190, 911, 912, 913, 1009, 5000};
    (void)data;
    for (expected.align = 1; expected.align <= 64; expected.align *= 2)
        for (unsigned i = 0; i < 70 + sizeof large / sizeof *large; i++) {
            expected.size = i < 70 ? i : large[i - 70];
            for (unsigned how = 0; how < 4; how++)
                pass_plainly(how & 1, how & 2);
        }
}

static void arguments_arrive_in_queued_tasks(void **state) {
    (void)state;
    bomp_global()->task_throttling = false;
    bomp_parallel(pass_all_plainly, NULL, 1);
    bomp_global()->task_throttling = true;
}

/* More tasks than the deque had room for when the copy began; the copy also changes a control variable. */
static void queue_many(void *data) {
    (void)data;
    for (unsigned i = 0; i < 2 * BZ_DEQUE_CAPACITY; i++)
        bomp_task_plain(count, NULL, NULL, 0, 1, 0);
}

static void crowded_copy(void *to, void *from) {
    unsigned before = runs;
    bomp_task_plain(queue_many, NULL, NULL, 0, 1, 0);
    assert_int_equal(runs, before);
    bomp_icv_own()->threads = *(uint32_t *)from;
    memcpy(to, from, sizeof(uint32_t));
}

static void after_crowd(void *data) {
    assert_int_equal(bomp_icv()->threads, *(uint32_t *)data);
    bomp_task_plain(count, NULL, NULL, 0, 1, 0); /* outlives this one */
}

static void copy_among_many(void *data) {
    (void)data;
    for (uint32_t i = 1; i <= 40; i++) /* finally a producer */
        bomp_task_plain(after_crowd, &i, crowded_copy, sizeof i, sizeof i, 0);
    bomp_taskwait();
}

static void copy_functions_may_fill_the_queue(void **state) {
    (void)state;
    bomp_global()->task_throttling = false;
    bomp_parallel(copy_among_many, NULL, 1);
    assert_int_equal(runs, 40 * (2 * BZ_DEQUE_CAPACITY + 1));
    bomp_global()->task_throttling = true;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(changes_are_the_tasks_own),         TEST(arguments_arrive),
        TEST(arguments_arrive_in_queued_tasks),  TEST(copy_functions_may_create_tasks),
        TEST(copy_functions_may_fill_the_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
