/* test_credit.c: credit.h, and what a team of one queues with it (task_policy.h), by a clock that only the test advances. */
#include "omp/base/credit.h"

#include "task_scene.h"

static struct bz_a64 clock_ns; /* one thread at a time */

/* linked with --wrap=bz_os_now_ns */
uint64_t __wrap_bz_os_now_ns(void);
uint64_t __wrap_bz_os_now_ns(void) {
    return bz_load_relaxed(&clock_ns);
}

static void pass(uint64_t ns) {
    bz_store_relaxed(&clock_ns, bz_load_relaxed(&clock_ns) + ns);
}

static int set_clock(void **state) {
    bz_store_relaxed(&clock_ns, (uint64_t)1 << 40);
    return set_up(state);
}

static unsigned taken(struct bomp_credit *credit, unsigned tries) {
    unsigned n = 0;
    for (unsigned i = 0; i < tries; i++)
        n += bomp_credit_take(credit, 1);
    return n;
}

static void a_credit_is_full_at_first(void **state) {
    struct bomp_credit credit = {0};
    (void)state;
    assert_int_equal(taken(&credit, 10 * BOMP_CREDIT_MOST), BOMP_CREDIT_MOST);
}

static void what_costs_more_leaves_it(void **state) {
    struct bomp_credit credit = {0};
    (void)state;
    assert_true(bomp_credit_take(&credit, BOMP_CREDIT_MOST - 3));
    for (unsigned i = 0; i < 2 * BOMP_CREDIT_ASKS; i++)
        assert_false(bomp_credit_take(&credit, 4));
    pass(2 * BOMP_CREDIT_NS);
    for (unsigned i = 0; i < 2 * BOMP_CREDIT_ASKS; i++) /* adds to what is left */
        if (bomp_credit_take(&credit, 4))
            break;
    assert_int_equal(credit.left, 1);
    assert_int_equal(taken(&credit, 10 * BOMP_CREDIT_ASKS), 1);
}

static void a_credit_grows_with_time(void **state) {
    struct bomp_credit credit = {0};
    (void)state;
    taken(&credit, 2 * BOMP_CREDIT_MOST);
    pass(BOMP_CREDIT_NS - 1);
    assert_int_equal(taken(&credit, 10 * BOMP_CREDIT_ASKS), 0);
    pass(1);
    assert_int_equal(taken(&credit, 10 * BOMP_CREDIT_ASKS), 1);
    pass(7 * BOMP_CREDIT_NS);
    assert_int_equal(taken(&credit, 10 * BOMP_CREDIT_ASKS), 7);
    pass((uint64_t)1 << 40);
    assert_int_equal(taken(&credit, 10 * BOMP_CREDIT_MOST), BOMP_CREDIT_MOST);
}

/* ---- a team of one ---- */

static int64_t queued(void) {
    return bz_deque_size(&bz_self->deque);
}

static void create(void (*fn)(void *)) {
    bomp_task_plain(fn, NULL, NULL, 0, 1, false);
}

static void many(void *data) {
    (void)data;
    for (int i = 0; i < 3 * BOMP_QUEUE_ALONE; i++)
        create(count);
    assert_int_equal(queued(), BOMP_QUEUE_ALONE);
    assert_int_equal(runs, 2 * BOMP_QUEUE_ALONE);
    bomp_taskwait();
    assert_int_equal(queued(), 0);
    assert_int_equal(runs, 3 * BOMP_QUEUE_ALONE);
    for (int i = 0; i < 10 * BOMP_CREDIT_MOST; i++) { /* needs no credit */
        create(count);
        assert_int_equal(queued(), 1);
        bomp_taskwait();
    }
    assert_int_equal(self()->credit.since, 0);
}

static void children_of_implicit_tasks_are_queued(void **state) {
    (void)state;
    bomp_parallel(many, NULL, 1);
}

static unsigned were_queued; /* children of explicit tasks, as far as they were counted */

static void one_by_one(void *data) {
    (void)data;
    int64_t before = queued();
    for (int i = 0; i < 2 * BOMP_CREDIT_MOST; i++) {
        create(count);
        were_queued += queued() > before;
        bomp_taskwait();
    }
}

static void with_credit(void *data) {
    (void)data;
    self()->credit = (struct bomp_credit){0};
    create(one_by_one);
    bomp_taskwait();
    assert_int_equal(were_queued, BOMP_CREDIT_MOST);
    pass(100 * BOMP_CREDIT_NS);
    create(one_by_one);
    bomp_taskwait();
    assert_int_equal(were_queued, BOMP_CREDIT_MOST + 100);
    assert_int_equal(runs, 4 * BOMP_CREDIT_MOST);
}

static void children_of_explicit_ones_as_far_as_there_is_credit(void **state) {
    (void)state;
    were_queued = 0;
    bomp_parallel(with_credit, NULL, 1);
}

static void with_dependences(void *data) {
    static char address;
    const struct bomp_depend item = {&address, BOMP_DEPEND_OUT};
    const struct bomp_task_spec spec = {.fn = count, .align = 1, .depend = {&item, 1}};
    (void)data;
    self()->credit = (struct bomp_credit){0};
    for (int i = 0; i < 2 * BOMP_CREDIT_MOST; i++) {
        int64_t before = queued();
        bomp_task_create(&spec);
        were_queued += queued() > before;
        bomp_taskwait();
    }
}

static void with_dependences_at_their_price(void **state) {
    (void)state;
    were_queued = 0;
    bomp_parallel(with_dependences, NULL, 1);
    assert_int_equal(were_queued, BOMP_CREDIT_MOST / BOMP_CREDIT_DEPEND);
    assert_int_equal(runs, 2 * BOMP_CREDIT_MOST);
}

static unsigned on_stack, in_slabs;

static void tree(void *data) {
    int depth = *(int *)data - 1;
    if (current()->flags & BOMP_TASK_STACK)
        on_stack++;
    else
        in_slabs++;
    for (int i = 0; depth >= 0 && i < 2; i++)
        bomp_task_plain(tree, &depth, NULL, sizeof depth, sizeof depth, false);
    bomp_taskwait();
    assert_int_equal(current()->children.local, 0);
}

static void grow(void *depth) {
    self()->credit = (struct bomp_credit){.since = bz_load_relaxed(&clock_ns)};
    bomp_task_plain(tree, depth, NULL, sizeof(int), sizeof(int), false);
    bomp_taskwait();
}

static void below_what_runs_at_once_all_does(void **state) {
    int depth = 12;
    (void)state;
    on_stack = in_slabs = 0;
    bomp_parallel(grow, &depth, 1);
    assert_int_equal(in_slabs, 1);
    assert_int_equal(on_stack, (2 << depth) - 2);
}

/* But for an undeferred one: it asks, and moves to a slab object for it. */
static void undeferred(void *data) {
    (void)data;
    assert_int_equal(current()->flags, BOMP_TASK_STACK | BOMP_TASK_ASKS);
    create(count);
    assert_int_equal(queued(), 1);
    assert_false(current()->flags & BOMP_TASK_STACK);
    assert_int_equal(runs, 0);
    bomp_taskwait();
    assert_int_equal(runs, 1);
}

static void run_undeferred(void *data) {
    self()->credit = (struct bomp_credit){0};
    run_now(undeferred, data);
}

static void children_of_undeferred_ones_are_queued(void **state) {
    (void)state;
    bomp_parallel(run_undeferred, NULL, 1);
    assert_int_equal(runs, 1);
}

#undef TEST
#define TEST(name) cmocka_unit_test_setup(name, set_clock)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_credit_is_full_at_first),
        TEST(what_costs_more_leaves_it),
        TEST(a_credit_grows_with_time),
        TEST(children_of_implicit_tasks_are_queued),
        TEST(children_of_explicit_ones_as_far_as_there_is_credit),
        TEST(with_dependences_at_their_price),
        TEST(below_what_runs_at_once_all_does),
        TEST(children_of_undeferred_ones_are_queued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
