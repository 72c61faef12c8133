/* test_task_policy.c: task_policy.h: when a task runs at once, and when it is queued. */
#include "omp/task/taskgroup.h"
#include "task_scene.h"

static void queues(void) {
    for (int i = 0; i < BOMP_QUEUE_LEAST; i++)
        bomp_task_plain(count, NULL, NULL, 0, 1, false);
    assert_int_equal(runs, 0);
    bomp_task_plain(count, NULL, NULL, 0, 1, false); /* that many are queued */
    assert_int_equal(runs, 1);
    other_takes_one();
    bomp_task_plain(count, NULL, NULL, 0, 1, false);
    assert_int_equal(bz_deque_size(&bz_self->deque), BOMP_QUEUE_LEAST);
    assert_int_equal(runs, 2);
    bomp_taskwait();
    assert_int_equal(runs, 2 + BOMP_QUEUE_LEAST);
}

static void queues_have_a_length(void **state) {
    (void)state;
    play(queues);
}

static void queue_alone(void *data) {
    (void)data;
    for (int i = 0; i <= BOMP_QUEUE_PER_THREAD; i++)
        bomp_task_plain(count, NULL, NULL, 0, 1, false);
    assert_int_equal(runs, 0);
    bomp_task_plain(queue_count, NULL, NULL, 0, 1, false);
    assert_int_equal(runs, 1); /* and its child is queued */
}

static void alone_they_have_that_of_gccs_runtime(void **state) {
    (void)state;
    bomp_parallel(queue_alone, NULL, 1);
    assert_int_equal(runs, 3 + BOMP_QUEUE_PER_THREAD);
}

static void below_the_stack(void *data) {
    (void)data;
    assert_true(current()->flags & BOMP_TASK_STACK);
    bomp_task_plain(count, NULL, NULL, 0, 1, false);
    assert_int_equal(runs, 0);
    assert_false(current()->flags & BOMP_TASK_STACK);
}

static void undeferred(void) {
    run_now(below_the_stack, NULL);
    bomp_taskwait();
}

static void children_of_tasks_on_the_stack_are_queued(void **state) {
    (void)state;
    play(undeferred);
}

static void two_levels(void *data) {
    for (int i = 0; i < 3; i++)
        bomp_task_plain(count, data, NULL, i, 1, false);
    int64_t others = bz_deque_size(&bz_self->deque) - 3;
    assert_int_equal(bz_deque_bottom(&bz_self->deque), current()->floor + 3);
    bomp_taskwait();
    assert_int_equal(bz_deque_size(&bz_self->deque), others);
}

static void all_queued(void *data) {
    char text[70] = "arguments";
    (void)data;
    for (int i = 0; i < 2 * BOMP_QUEUE_LEAST; i++)
        bomp_task_plain(count, text, NULL, i % 70, 1, i % 2);
    assert_int_equal(runs, 0);
    bomp_taskyield(); /* to one of them */
    assert_int_equal(runs, 1);
    bomp_taskwait();
    assert_int_equal(runs, 2 * BOMP_QUEUE_LEAST);
    for (int i = 0; i < 5; i++)
        bomp_task_plain(two_levels, text, NULL, 70, 1, false); /* the region's end waits for them */
    assert_int_equal(runs, 2 * BOMP_QUEUE_LEAST);
}

/* Also alone, where no thief requests any. */
static void without_throttling_all_is_queued(void **state) {
    (void)state;
    bomp_global()->task_throttling = false;
    bomp_parallel(all_queued, NULL, 1);
    assert_int_equal(runs, 2 * BOMP_QUEUE_LEAST + 15);
    bomp_global()->task_throttling = true;
}

/* On one thread: the child begins on its own stack while its parent yields, and ends after it. */
static bool child_ended;

static void child_yields(void *data) {
    (void)data;
    bomp_taskyield();
    child_ended = true;
}

static void parent_yields(void *data) {
    (void)data;
    bomp_task_plain(child_yields, NULL, NULL, 0, 1, 0);
    bomp_taskyield();
    assert_false(child_ended);
}

static void outlive(void *data) {
    (void)data;
    bomp_task_plain(parent_yields, NULL, NULL, 0, 1, 0);
    bomp_taskwait();
    assert_false(child_ended);
    assert_int_equal(current()->refs.v, 1); /* the parent's, for its child */
    while (!child_ended)
        bomp_taskyield();
    assert_int_equal(current()->refs.v, 0);
}

static void a_child_on_another_stack_may_end_after_its_parent(void **state) {
    (void)state;
    bomp_global()->task_throttling = false;
    bomp_parallel(outlive, NULL, 1);
    bomp_global()->task_throttling = true;
}

static struct bz_a32 begun;

static void begin_one(void *data) {
    (void)data;
    bz_fetch_add_relaxed(&begun, 1);
}

/* Thread 0 creates tasks and stays away from the runtime until the others have begun all of them. */
static void queue_and_be_busy(void *data) {
    if (bomp_thread_num() != 0)
        return;
    for (int i = 0; i < 7; i++)
        bomp_task_plain(begin_one, data, NULL, 0, 1, false);
    while (bz_load_relaxed(&begun) < 7)
        bz_cpu_relax();
}

static void without_throttling_nothing_waits_for_a_busy_task(void **state) {
    (void)state;
    bomp_global()->task_throttling = false;
    for (unsigned i = 0; i < 100; i++) {
        bz_store_relaxed(&begun, 0);
        bomp_parallel(queue_and_be_busy, NULL, 2 + i % 3);
        assert_int_equal(begun.v, 7);
    }
    bomp_global()->task_throttling = true;
}

static void no_stack_left(void) {
    for (int i = 0; i < BOMP_QUEUE_LEAST; i++)
        queue(count, NULL);
    uintptr_t limit = bz_self->stack.limit;
    bz_self->stack.limit = (uintptr_t)__builtin_frame_address(0);
    bomp_task_create(&(struct bomp_task_spec){.fn = count, .align = 1});
    bomp_task_plain(count, NULL, NULL, 0, 1, false);
    bz_self->stack.limit = limit;
    assert_int_equal(runs, 2);
    assert_int_equal(bz_deque_size(&bz_self->deque), BOMP_QUEUE_LEAST);
}

static void at_the_end_of_a_stack_tasks_run_on_another_one(void **state) {
    (void)state;
    play(no_stack_left);
}

static const int depend_on[3];

static struct bomp_depend_list depends(const int *address) {
    static struct bomp_depend item;
    item = (struct bomp_depend){address, BOMP_DEPEND_OUT};
    return (struct bomp_depend_list){.count = 1, .items = &item};
}

static void fruitless(void *data) {
    (void)data;
    assert_int_equal(self()->yields.fruitless, 0);
    self()->yields.fruitless = 9;
    self()->yields.at++;
    runs++;
}

static void count_yields(void) {
    bomp_task_create(&(struct bomp_task_spec){.fn = count, .align = 1, .depend = depends(depend_on)});
    set_most(NONE);
    self()->yields.fruitless = 5;
    self()->yields.at = 1;
    bomp_task_create(&(struct bomp_task_spec){.fn = fruitless, .align = 1});
    bomp_task_create(&(struct bomp_task_spec){.fn = fruitless, .align = 1, .depend = depends(depend_on + 1)});
    assert_int_equal(runs, 2);
    assert_int_equal(self()->yields.fruitless, 5);
    assert_int_equal(self()->yields.at, 1);
    self()->yields.fruitless = 0;
    set_usual();
}

static void tasks_that_run_at_once_count_their_own_yields(void **state) {
    (void)state;
    play(count_yields);
}

static void outside_of_regions_tasks_run_at_once(void **state) {
    (void)state;
    bomp_task_plain(count, NULL, NULL, 0, 1, false);
    bomp_taskgroup_start();
    bomp_task_create(&(struct bomp_task_spec){.fn = count, .align = 1});
    bomp_taskgroup_end();
    bomp_taskwait();
    assert_int_equal(runs, 2);
    assert_ptr_equal(current(), &self()->implicit);
}

/* The decision about a child with these clauses. */
#define WAY(...) bomp_task_decide(self(), &(struct bomp_task_spec){.fn = count, .align = 1, __VA_ARGS__})

/* The flag is set for one call. */
#define WAY_BELOW(flag, way, ...)                                                                            \
    do {                                                                                                     \
        current()->flags |= (flag);                                                                          \
        assert_int_equal(WAY(__VA_ARGS__), way);                                                             \
        current()->flags &= ~(uint32_t)(flag);                                                               \
    } while (0)

/* The rules take precedence over the state of the queue. */
static void assert_rules(void) {
    assert_int_equal(WAY(.undeferred = true), BOMP_TASK_RUN);
    assert_int_equal(WAY(.undeferred = true, .depend = depends(depend_on)), BOMP_TASK_AWAIT);
    assert_int_equal(WAY(.undeferred = true, .detach = true), BOMP_TASK_AWAIT);
    WAY_BELOW(BOMP_TASK_FINAL, BOMP_TASK_RUN, .untied = true);
    WAY_BELOW(BOMP_TASK_COPYING, BOMP_TASK_AWAIT, .depend = depends(depend_on));
    bz_store_relaxed(&current()->group->cancelled, 1);
    WAY_BELOW(BOMP_TASK_CANCELLABLE, BOMP_TASK_DISCARD, .undeferred = true);
    bz_store_relaxed(&current()->group->cancelled, 0);
    WAY_BELOW(BOMP_TASK_CANCELLABLE | BOMP_TASK_FINAL, BOMP_TASK_RUN, .untied = true);
}

static void decide(void) {
    bomp_taskgroup_start();
    assert_rules();
    assert_int_equal(WAY(.untied = true), BOMP_TASK_QUEUE);
    assert_int_equal(WAY(.detach = true), BOMP_TASK_QUEUE);
    assert_int_equal(WAY(.depend = depends(depend_on)), BOMP_TASK_QUEUE);
    self()->queue_private = true;
    assert_int_equal(WAY(.untied = true), BOMP_TASK_QUEUE_PRIVATE);
    assert_int_equal(WAY(.detach = true), BOMP_TASK_QUEUE);
    WAY_BELOW(BOMP_TASK_TSAN, BOMP_TASK_QUEUE, .untied = true);
    self()->queue_private = false;
    bomp_task_create(&(struct bomp_task_spec){.fn = count, .align = 1, .depend = depends(depend_on)});
    assert_int_equal(WAY(.depend = depends(depend_on)), BOMP_TASK_QUEUE);
    /* With children of this size memory is full. Only what waits for siblings does not wait for its creator. */
    assert_int_equal(WAY(.size = BOMP_DEPEND_BYTES, .depend = depends(depend_on)), BOMP_TASK_AWAIT);
    assert_int_equal(WAY(.size = BOMP_DEPEND_BYTES, .depend = depends(depend_on + 1)), BOMP_TASK_QUEUE);
    set_most(NONE);
    assert_int_equal(WAY(.size = BOMP_DEPEND_BYTES, .depend = depends(depend_on + 1)), BOMP_TASK_AWAIT);
    assert_rules();
    assert_int_equal(WAY(.untied = true), BOMP_TASK_RUN);
    WAY_BELOW(BOMP_TASK_TSAN, BOMP_TASK_RUN, .untied = true);
    assert_int_equal(WAY(.detach = true), BOMP_TASK_RUN_SLAB);
    assert_int_equal(WAY(.depend = depends(depend_on)), BOMP_TASK_RUN_SLAB);
    set_usual();
    bomp_taskgroup_end();
}

static void each_way_is_decided(void **state) {
    (void)state;
    play(decide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(queues_have_a_length),
        TEST(alone_they_have_that_of_gccs_runtime),
        TEST(children_of_tasks_on_the_stack_are_queued),
        TEST(without_throttling_all_is_queued),
        TEST(a_child_on_another_stack_may_end_after_its_parent),
        TEST(without_throttling_nothing_waits_for_a_busy_task),
        TEST(at_the_end_of_a_stack_tasks_run_on_another_one),
        TEST(tasks_that_run_at_once_count_their_own_yields),
        TEST(outside_of_regions_tasks_run_at_once),
        TEST(each_way_is_decided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
