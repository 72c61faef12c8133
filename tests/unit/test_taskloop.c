/* test_taskloop.c: taskloop.h: how iterations are cut, up to the largest counts; a queued taskloop is one job. */
#include "omp/task/taskloop.h"

#include "task_scene.h"

static struct bomp_taskloop loop_of(uint64_t count, uint64_t number, bool by_grain, bool strict) {
    return (struct bomp_taskloop){
        .loop = {.base = 0, .step = 1, .count = count, .end = count},
        .number = number,
        .by_grain = by_grain,
        .strict = strict,
    };
}

/* The first n and the last n tasks follow on each other, from 0 and up to the count, and have the requested sizes. */
static void check(struct bomp_taskloop loop, uint64_t tasks, uint64_t least, uint64_t most) {
    struct bomp_cut cut = bomp_taskloop_cut(&loop, 4);
    uint64_t count = loop.loop.count, next = 0;
    assert_int_equal(cut.tasks, tasks);
    for (uint64_t i = 0; i < cut.tasks; i++) {
        if (i == 100 && cut.tasks > 200) {
            i = cut.tasks - 100;
            next = bomp_taskloop_part(&loop, &cut, i - 1).last;
        }
        struct bomp_part part = bomp_taskloop_part(&loop, &cut, i);
        bool odd = loop.strict && loop.by_grain && i + 1 == cut.tasks;
        assert_true(part.first == next && part.last > part.first);
        assert_true(part.last - part.first <= most && (odd || part.last - part.first >= least));
        next = part.last;
    }
    assert_true(next == count);
}

static void cuts(void **state) {
    (void)state;
    check(loop_of(10, 0, false, false), 4, 2, 3); /* as many as threads */
    check(loop_of(3, 0, false, false), 3, 1, 1);
    check(loop_of(10, 3, false, false), 3, 3, 4);
    check(loop_of(10, 500, false, false), 10, 1, 1);
    check(loop_of(10, 3, true, false), 3, 3, 5);
    check(loop_of(10, 4, true, false), 2, 4, 7);
    check(loop_of(10, 11, true, false), 1, 10, 10);
    check(loop_of(10, 3, true, true), 4, 3, 3);
    check(loop_of(10, 3, false, true), 3, 3, 4);
    check(loop_of(10, 0, true, false), 10, 1, 1); /* a grain of 0 makes no sense */
    for (uint64_t count = 1; count < 70; count++)
        for (uint64_t grain = 1; grain < 80; grain++)
            check(loop_of(count, grain, true, false), count < grain ? 1 : count / grain,
                  count < grain ? count : grain, 2 * grain - 1);
}

static void large_cuts(void **state) {
    (void)state;
    check(loop_of(UINT64_MAX, 1, true, false), UINT64_MAX, 1, 1);
    check(loop_of(UINT64_MAX, 1, true, true), UINT64_MAX, 1, 1);
    check(loop_of(UINT64_MAX, 3, false, false), 3, UINT64_MAX / 3, UINT64_MAX / 3);
    check(loop_of(UINT64_MAX, UINT64_MAX - 1, false, false), UINT64_MAX - 1, 1, 2);
    check(loop_of(UINT64_MAX, UINT64_MAX - 1, true, true), 2, UINT64_MAX - 1, UINT64_MAX - 1);
    check(loop_of(UINT64_MAX, (uint64_t)1 << 40, true, false), (1 << 24) - 1, (uint64_t)1 << 40,
          ((uint64_t)1 << 41) - 1);
}

/* ---- running ---- */

static uint64_t done;

static void add(void *data) {
    const uint64_t *bounds = data;
    assert_true(bounds[0] < bounds[1] && bounds[2] == 77);
    done += bounds[1] - bounds[0];
}

static struct bomp_taskloop adding(uint64_t count, uint64_t *data) {
    struct bomp_taskloop loop = loop_of(count, 1, true, false);
    data[2] = 77;
    loop.task = (struct bomp_task_spec){.fn = add, .data = data, .size = 24, .align = 8};
    return loop;
}

static void queue_and_wait(void) {
    uint64_t data[3];
    struct bomp_taskloop loop = adding(1000, data);
    done = 0;
    bomp_taskloop(&loop);
    assert_int_equal(bz_deque_size(&bz_self->deque), 1);
    assert_int_equal(bz_tally_count(&current()->children), 1);
    assert_int_equal(done, 0);
    data[2] = 0; /* its own copy */
    bomp_taskwait();
    assert_int_equal(done, 1000);
    assert_int_equal(bz_tally_count(&current()->children), 0);
}

/* The other thread takes all of it, and runs it to the end. */
static void give_away(void) {
    uint64_t data[3];
    struct bomp_taskloop loop = adding(100, data);
    done = 0;
    bomp_taskgroup_start();
    bomp_taskloop(&loop);
    other_takes_one();
    assert_int_equal(done, 100);
    assert_int_equal(bz_deque_size(&bz_self->deque), 0);
    bomp_taskgroup_end();
}

static void undefer(void) {
    uint64_t data[3];
    struct bomp_taskloop loop = adding(50, data);
    done = 0;
    loop.task.undeferred = true;
    bomp_taskloop(&loop);
    assert_int_equal(done, 50);
    loop.loop.count = 0;
    assert_true(bomp_taskloop_is_void(&loop));
    bomp_taskloop(&loop);
    assert_int_equal(done, 50);
}

/* ---- arguments that the runtime constructs ---- */

/* Their source is copied once, and destroyed once; a task gets the number of iterations in its own block. */
struct source {
    uint64_t magic;
    unsigned *ends;
};

static unsigned made, agains, lasts, made_by_other;

static void make(void *arguments, void *data, struct bomp_span span, unsigned flags) {
    const struct source *source = data;
    assert_int_equal(source->magic, 4711);
    assert_int_equal((uintptr_t)arguments % 64, 0);
    assert_true(!(flags & BOMP_TASKLOOP_AGAIN) ||
                ((unsigned char *)arguments)[126] == 0x5a); /* as the last task left it */
    memset(arguments, 0xa5, 128);
    *(uint64_t *)arguments = span.end - span.first;
    made++;
    agains += (flags & BOMP_TASKLOOP_AGAIN) != 0;
    lasts += flags & BOMP_TASKLOOP_LAST;
    made_by_other += bomp_thread_num() != 0;
}

static void add_made(void *arguments) {
    assert_int_equal(((unsigned char *)arguments)[127], 0xa5);
    done += *(uint64_t *)arguments;
    memset(arguments, 0x5a, 128); /* its own */
}

static void make_and_add(void *arguments, void *data, struct bomp_span span, unsigned flags) {
    make(arguments, data, span, flags);
    add_made(arguments);
}

static void end_source(void *data) {
    struct source *source = data;
    assert_int_equal(source->magic, 4711);
    ++*source->ends;
}

static struct bomp_taskloop making(uint64_t count, struct source *source, size_t size) {
    struct bomp_taskloop loop = loop_of(count, 1, true, false);
    done = made = agains = lasts = made_by_other = 0;
    loop.task = (struct bomp_task_spec){.fn = add_made, .data = source, .size = sizeof *source, .align = 8};
    loop.own = (struct bomp_taskloop_make){
        .make = make, .make_and_run = make_and_add, .size = size, .align = 64, .end = end_source};
    return loop;
}

/* On each path of a loop's tasks; also with arguments too large for the stack: their tasks are created one by one. */
static void make_all(void) {
    for (unsigned way = 0; way < 12; way++) {
        unsigned ends = 0;
        struct source source = {4711, &ends};
        struct bomp_taskloop loop = making(100, &source, way % 2 ? 4000 : 128);
        if (way / 2 == 1)
            loop.own.make_and_run = NULL;
        loop.task.undeferred = way / 2 == 2;
        loop.task.priority = way / 2 == 3;
        loop.waited = way / 2 == 4;
        if (way / 2 == 5)
            loop.loop.count = 0;
        bomp_taskgroup_start();
        bomp_taskloop(&loop);
        source.magic = 0; /* the parts needed later were copied */
        if (way == 0) {
            assert_int_equal(ends, 0);
            other_takes_one();
            assert_int_equal(made_by_other, 100);
        }
        bomp_taskgroup_end();
        assert_int_equal(ends, 1);
        assert_int_equal(done, loop.loop.count);
        assert_int_equal(made, loop.loop.count);
        assert_int_equal(lasts, loop.loop.count > 0);
        if (way == 0 || way == 4)                     /* on the stack */
            assert_true(agains > 50 && agains < 100); /* the range may be split */
        if (way == 1 || way / 2 == 1 || way / 2 == 2)
            assert_int_equal(made_by_other, 0);
    }
}

static void arguments_are_made(void **state) {
    (void)state;
    play(make_all);
}

static void a_taskloop_is_one_job(void **state) {
    (void)state;
    play(queue_and_wait);
}

static void a_thief_may_run_all_of_it(void **state) {
    (void)state;
    play(give_away);
}

static void an_undeferred_one_runs_here(void **state) {
    (void)state;
    play(undefer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(cuts),
        TEST(large_cuts),
        TEST(a_taskloop_is_one_job),
        TEST(a_thief_may_run_all_of_it),
        TEST(an_undeferred_one_runs_here),
        TEST(arguments_are_made),
    };
    return cmocka_run_group_tests_name("taskloop", tests, NULL, NULL);
}
