/* test_grain.c: grain.h: which tasks of a producer run in place for being fine, by a clock that only tasks advance. */
#include "omp/task/grain.h"

#include "task_scene.h"

static struct bz_a64 clock_ns; /* one thread at a time */

/* linked with --wrap=bz_os_now_ns */
uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return bz_load_relaxed(&clock_ns);
}

static void work_for(uint64_t ns) {
    bz_store_relaxed(&clock_ns, bz_load_relaxed(&clock_ns) + ns);
}

static uint64_t fine_ns; /* what `fine` takes */

static void fine(void *data) {
    (void)data;
    runs++;
    work_for(fine_ns);
}

static void coarse(void *data) {
    (void)data;
    runs++;
    work_for(BOMP_GRAIN_NS);
}

static bool bears; /* whether the next one does */

static void parent(void *data) {
    (void)data;
    runs++;
    if (bears)
        run_now(count, NULL);
    bears = false;
}

static int forget(void **state) {
    (void)state;
    for (size_t i = 0; i < BOMP_GRAINS; i++)
        bz_store_relaxed(&bomp_grains[i], 0);
    work_for(1);
    fine_ns = BOMP_GRAIN_NS - 1;
    return set_up(state);
}

/* A child of the current task, which counts as a producer. True: it was queued. */
static bool is_queued(void (*fn)(void *)) {
    int64_t before = bz_deque_size(&bz_self->deque);
    if (current()->created < BOMP_PRODUCER)
        current()->created = BOMP_PRODUCER;
    bomp_task_create(&(struct bomp_task_spec){.fn = fn, .align = 1});
    return bz_deque_size(&bz_self->deque) > before;
}

static void queue_and_run(void (*fn)(void *), int count) {
    for (int i = 0; i < count; i++) {
        assert_true(is_queued(fn));
        other_takes_one();
    }
}

static void learn(void) {
    queue_and_run(fine, BOMP_GRAIN_SURE - BOMP_GRAIN_ZERO);
    assert_true(bomp_grain_is_fine(fine));
}

static void fine_scene(void) {
    assert_false(bomp_grain_is_fine(fine));
    learn();
    for (unsigned i = 0; i < 1000; i++) {
        assert_false(is_queued(fine));
        assert_int_equal(runs, 9 + i);
    }
    assert_true(is_queued(coarse)); /* each function for itself */
}

static void fine_tasks_of_a_producer_run_in_place(void **state) {
    (void)state;
    play(fine_scene);
}

static void few_scene(void) {
    learn();
    current()->flags &= ~(uint32_t)BOMP_TASK_PRODUCER;
    current()->created = 0;
    queue(fine, NULL); /* of a task with few children so far */
}

static void others_do_not(void **state) {
    (void)state;
    play(few_scene);
}

static void coarse_scene(void) {
    queue_and_run(coarse, 100);
    assert_false(bomp_grain_is_fine(coarse));
    bears = true; /* the first of many that are timed */
    for (int i = 0; i < 200; i++)
        assert_true(is_queued(parent));
    for (int i = 0; i < 200; i++)
        other_takes_one();
    assert_false(bomp_grain_is_fine(parent));
}

static void coarse_tasks_are_queued(void **state) {
    (void)state;
    play(coarse_scene);
}

static void run_batch(uint64_t ns) {
    fine_ns = ns;
    for (int i = 0; i < BOMP_GRAIN_BATCH; i++)
        is_queued(fine);
}

/* Batches in which tasks take long that did not, until some are queued; how many are. */
static uint32_t surprise(void) {
    for (int i = 0; i < 10 && self()->grain.skip == 0; i++)
        run_batch(BOMP_GRAIN_MOST_NS + 1);
    uint32_t skips = self()->grain.skip;
    self()->grain.skip = 0;
    return skips;
}

static void surprise_scene(void) {
    learn();
    run_batch(1); /* with a part of which the first batch begins */
    run_batch(BOMP_GRAIN_MOST_NS + 1);
    assert_int_equal(self()->grain.skip, 0); /* once may be an accident */
    uint32_t first = surprise();
    assert_true(first >= BOMP_GRAIN_SKIP - BOMP_GRAIN_BATCH && first <= BOMP_GRAIN_SKIP);
    for (int i = 0; i < 20; i++)
        surprise();
    assert_true(surprise() >= BOMP_GRAIN_SKIP_MOST - 2 * BOMP_GRAIN_BATCH);
    for (int i = 0; i < BOMP_GRAIN_SKIP_MOST / BOMP_GRAIN_BATCH; i++)
        run_batch(1);
    assert_true(surprise() <= 2 * BOMP_GRAIN_SKIP);
    self()->grain.skip = 3;
    for (int i = 0; i < 3; i++)
        assert_true(is_queued(fine));
    assert_false(is_queued(fine));
}

static void tasks_that_take_long_after_all_are_queued_again(void **state) {
    (void)state;
    play(surprise_scene);
}

static void uncut_scene(void) {
    learn();
    self()->queue_short = self()->queue_long = INT64_MAX / 2;
    self()->queue_end = INT64_MIN;
    assert_true(is_queued(fine));
}

static void without_a_cut_off_all_are_queued(void **state) {
    (void)state;
    play(uncut_scene);
}

/* ---- dependences ---- */

static int cell; /* what the tasks depend on */

static void depend(void (*fn)(void *)) {
    struct bomp_depend item = {.address = &cell, .kind = BOMP_DEPEND_OUT};
    if (current()->created < BOMP_PRODUCER)
        current()->created = BOMP_PRODUCER;
    bomp_task_create(&(struct bomp_task_spec){.fn = fn, .align = 1, .depend = {.count = 1, .items = &item}});
}

static void depend_scene(void) {
    unsigned before;
    learn();
    depend(fine);
    assert_int_equal(runs, 9);
    self()->grain.skip = 2;
    depend(fine);
    depend(fine); /* queued, and kept from it by the last */
    assert_int_equal(runs, 9);
    depend(fine); /* waits for them */
    assert_int_equal(runs, 12);

    queue_and_run(coarse, 1);
    before = runs;
    depend(coarse);
    for (int i = 0; i < 5; i++)
        depend(fine); /* they would have to wait for long */
    assert_int_equal(runs, before);
    other_takes_one();
    bomp_taskwait();
    assert_int_equal(runs, before + 6);
}

static void who_depends_on_fine_tasks_waits_for_them(void **state) {
    (void)state;
    play(depend_scene);
}

static void functions_of_a_page_have_places_of_their_own(void **state) {
    (void)state;
    for (uintptr_t page = 0; page < 4096 * 1000; page += 4096 * 37) {
        bool taken[BOMP_GRAINS] = {false};
        for (uintptr_t at = 0; at < 4096; at += 16) {
            size_t place = (size_t)(bomp_grain_place((void (*)(void *))(page + at)) - bomp_grains);
            assert_true(place < BOMP_GRAINS && !taken[place]);
            taken[place] = true;
        }
    }
}

#undef TEST
#define TEST(name) cmocka_unit_test_setup(name, forget)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(fine_tasks_of_a_producer_run_in_place),
        TEST(others_do_not),
        TEST(coarse_tasks_are_queued),
        TEST(tasks_that_take_long_after_all_are_queued_again),
        TEST(without_a_cut_off_all_are_queued),
        TEST(who_depends_on_fine_tasks_waits_for_them),
        TEST(functions_of_a_page_have_places_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
