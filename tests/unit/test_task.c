/* test_task.c: task.h: the memory of tasks, their references, the tasks that a waiting thread runs, and behaviour
 * without memory. */
#include "task_scene.h"

/* ---- memory (linked with --wrap=bz_os_alloc and --wrap=bz_alloc) ---- */

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);
void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);

static unsigned slabs; /* and other memory from the system, so far */
static bool no_memory; /* all requests fail from now on; no other thread runs then */

void *__wrap_bz_os_alloc(size_t size) {
    slabs++;
    return no_memory ? NULL : __real_bz_os_alloc(size);
}

void *__wrap_bz_alloc(size_t size) {
    return no_memory ? NULL : __real_bz_alloc(size);
}

/* All free slab objects for one task without arguments but `left`, as a list; returned by give_objects. */
static void *take_objects(unsigned left) {
    struct bz_slabs *own = &bz_self->slabs;
    void *list = NULL, *object, *last[8];
    while ((object = bz_slabs_alloc(own, sizeof(struct bomp_task)))) {
        *(void **)object = list;
        list = object;
    }
    for (unsigned i = 0; i < left; i++) {
        last[i] = list;
        list = *(void **)list;
    }
    while (left > 0)
        bz_slabs_free(own, last[--left]);
    return list;
}

static void give_objects(void *list) {
    while (list) {
        void *next = *(void **)list;
        bz_slabs_free(&bz_self->slabs, list);
        list = next;
    }
}

/* ---- undeferred tasks ---- */

static struct bomp_task *moved_outer, *moved_inner;

static void inner(void *data) {
    struct bomp_task *before = current();
    uintptr_t id = bomp_task_number();
    (void)data;
    assert_true(before->flags & BOMP_TASK_STACK);
    queue(count, NULL);
    moved_inner = current();
    assert_ptr_not_equal(moved_inner, before);
    assert_false(moved_inner->flags & BOMP_TASK_STACK);
    assert_int_equal(bomp_task_number(), id);
    moved_outer = moved_inner->parent.v;
    assert_ptr_equal(moved_outer->parent.v, &self()->implicit);
    assert_int_equal(moved_inner->depth.v >> 1, 2);
    assert_int_equal(moved_outer->depth.v >> 1, 1);
    bomp_taskwait();
    assert_int_equal(runs, 1);
    queue(count, NULL);
    assert_ptr_equal(current(), moved_inner);
    bomp_taskwait();
}

static void outer(void *data) {
    uintptr_t id = bomp_task_number();
    bomp_taskgroup_start();
    run_now(inner, data);
    assert_ptr_equal(current(), moved_outer);
    assert_int_equal(bomp_task_number(), id);
    queue(count, NULL);
    assert_ptr_equal(current(), moved_outer);
    bomp_taskgroup_end();
    assert_int_equal(runs, 3);
}

static void moving(void) {
    run_now(outer, NULL);
    assert_int_equal(current()->refs.v, 0);
    run_now(count, NULL);
    assert_int_equal(current()->created, 2);
}

static void stack_tasks_move_for_their_children(void **state) {
    (void)state;
    play(moving);
}

static void say_final(void *data) {
    *(bool *)data = bomp_in_final() && current()->flags & BOMP_TASK_STACK;
}

static void say_final_below(void *data) {
    bomp_task_plain(say_final, data, NULL, 0, 1, false);
}

static void finals(void) {
    bool said = false;
    bomp_task_create(&(struct bomp_task_spec){.fn = say_final, .data = &said, .undeferred = true});
    assert_false(said);
    bomp_task_create(
        &(struct bomp_task_spec){.fn = say_final, .data = &said, .undeferred = true, .final = true});
    assert_true(said);
    said = false;
    bomp_task_create(
        &(struct bomp_task_spec){.fn = say_final_below, .data = &said, .undeferred = true, .final = true});
    assert_true(said);
    assert_false(bomp_in_final());
}

static void finality_is_the_tasks_own(void **state) {
    (void)state;
    play(finals);
}

/* ---- which tasks are kept ---- */

static void one_ends_before_its_child(void) {
    run_now(queue_count, NULL);
    assert_int_equal(runs, 1);
    assert_int_equal(current()->refs.v, 1);
    bomp_taskwait(); /* it has no children */
    assert_int_equal(runs, 1);
    assert_false(bz_domain_quiet(bz_self->domain));
    other_takes_one();
    assert_int_equal(runs, 2);
    assert_int_equal(current()->refs.v, 0);
    assert_true(bz_domain_quiet(bz_self->domain));
}

static void a_task_that_has_ended_keeps_its_parent(void **state) {
    (void)state;
    play(one_ends_before_its_child);
}

#define CHAIN 10

static void chain(void *data) {
    if (++runs < CHAIN)
        queue(chain, data);
}

static void many_end_before_their_child(void) {
    queue(chain, NULL);
    for (unsigned i = 1; i < CHAIN; i++) {
        other_takes_one();
        assert_int_equal(runs, i);
        assert_int_equal(current()->refs.v, 1);
        assert_true(bz_tally_none(&current()->children));
    }
    other_takes_one();
    assert_int_equal(runs, CHAIN);
    assert_int_equal(current()->refs.v, 0);
}

static void the_last_descendant_frees_all(void **state) {
    (void)state;
    play(many_end_before_their_child);
}

/* Two children and their children, one of each on the other thread, ending in any order. */
static void family(void) {
    queue(queue_count, NULL);
    queue(queue_count, NULL);
    other_takes_one();
    if (runs % 3 == 0)
        other_takes_one();
    bomp_taskwait();
    if (runs % 2)
        run_now(queue_count, NULL);
}

static void families(void) {
    unsigned before = 0;
    for (unsigned i = 0; i < 3000; i++) {
        family();
        while (!bz_domain_quiet(bz_self->domain))
            other_takes_one();
        if (i == 1000)
            before = slabs;
    }
    assert_int_equal(slabs, before);
}

static void no_memory_is_lost(void **state) {
    (void)state;
    play(families);
}

/* ---- waiting ---- */

static void wait_for_own(void *data) {
    unsigned before = runs;
    (void)data;
    queue(count, NULL);
    while (runs == before) /* its creator may be resumed first */
        bomp_taskyield();
    assert_int_equal(runs, before + 1);
    bomp_taskyield();
    queue(count, NULL);
    queue(count, NULL);
    bomp_taskwait();
    assert_int_equal(runs, before + 3);
    bomp_taskgroup_start();
    queue(queue_count, NULL);
    bomp_taskgroup_end();
    assert_int_equal(runs, before + 5);
}

static void siblings(void) {
    queue(count, NULL);
    run_now(wait_for_own, NULL); /* without that one */
    assert_int_equal(bz_deque_size(&bz_self->deque), 1);
    queue(wait_for_own, NULL);
    do
        bomp_taskyield(); /* to the last one, which also yields */
    while (runs < 10);
    assert_int_equal(bz_deque_size(&bz_self->deque), 1);
    bomp_taskwait();
    assert_int_equal(runs, 11);
}

static void a_task_waits_for_its_own(void **state) {
    (void)state;
    play(siblings);
}

static void descendants_elsewhere(void) {
    queue(queue_count, NULL);
    other_takes_one(); /* its child is in the other's deque now */
    assert_int_equal(runs, 1);
    bomp_taskwait();
    assert_int_equal(runs, 1);
    other_takes_one();
    assert_int_equal(runs, 2);
    bomp_taskgroup_start();
    queue(queue_count, NULL);
    other_takes_one();
    assert_int_equal(runs, 3);
    bomp_taskgroup_end(); /* takes it from there */
    assert_int_equal(runs, 4);
}

static void a_taskgroup_is_of_descendants(void **state) {
    (void)state;
    play(descendants_elsewhere);
}

/* Returns when thread 0 sleeps: only the end of this task can wake it. */
static void outlast(void *data) {
    struct bz_worker *waiter = *(struct bz_worker **)data;
    while (bz_load_relaxed(&waiter->sleeper.latch.state) != BZ_LATCH_SLEEPING)
        sched_yield();
    runs++;
}

static void sleeps(void) {
    struct bz_worker *waiter = bz_self;
    struct bomp_task_spec spec = {.fn = outlast, .data = &waiter, .size = sizeof waiter, .align = 8};
    bz_store_release(&order, TAKE);
    bomp_task_create(&spec);
    while (bz_deque_size(&bz_self->deque) > 0)
        sched_yield();
    bomp_taskwait();
    assert_int_equal(runs, 1);
    wait_for_other();
    bomp_taskgroup_start();
    bz_store_release(&order, TAKE);
    bomp_task_create(&spec);
    while (bz_deque_size(&bz_self->deque) > 0)
        sched_yield();
    bomp_taskgroup_end();
    assert_int_equal(runs, 2);
    wait_for_other();
}

static void a_waiter_is_woken(void **state) {
    (void)state;
    play(sleeps);
}

/* A wait for a task that is no descendant of the waiting task: the other's tasks stay queued. */
static void wait_for_sibling(void *data) {
    (void)data;
    queue(count, NULL);
    bomp_taskyield();
    bomp_taskyield();
    bomp_taskyield();
    bomp_taskwait();
}

static void not_ours(void) {
    queue(queue_count, NULL);
    other_takes_one();
    run_now(wait_for_sibling, NULL);
    assert_int_equal(runs, 2);
    bomp_taskyield(); /* a grandchild of this task */
    assert_int_equal(runs, 3);
}

static void a_thief_takes_descendants_alone(void **state) {
    (void)state;
    play(not_ours);
}

/* A thief may still read the object when a taskgroup reuses it. */
static void group_in_a_slab_object(void) {
    queue(count, NULL);
    const struct bz_deque *deque = &bz_self->deque;
    struct bz_job *job = deque->buffer_own->slots[(bz_deque_bottom(deque) - 1) & deque->buffer_own->mask].v;
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bomp_taskwait();
    bomp_taskgroup_start();
    assert_ptr_equal(current()->group, task);
    queue(queue_count, NULL);
    assert_ptr_equal(task->parent.v, current());
    assert_int_equal(task->depth.v >> 1, 1);
    other_takes_one();
    bomp_taskgroup_end();
    assert_ptr_equal(task->parent.v, current());
    assert_int_equal(task->depth.v >> 1, 1);
    assert_int_equal(runs, 3);
}

static void a_taskgroup_leaves_what_thieves_read(void **state) {
    (void)state;
    play(group_in_a_slab_object);
}

/* ---- without memory ---- */

static void poor_inner(void *data) {
    (void)data;
    assert_true(current()->flags & BOMP_TASK_STACK);
    bomp_task_plain(count, NULL, NULL, 0, 1, false);
    assert_int_equal(runs, 1); /* at once */
}

static void poor_outer(void *data) {
    uintptr_t id = bomp_task_number();
    struct bomp_icv *own = bomp_icv_own();
    no_memory = true;
    void *list = take_objects(*(unsigned *)data);
    own->threads = 33;
    run_now(poor_inner, NULL);
    assert_int_equal(bomp_task_number(), id);
    assert_int_equal(bomp_icv()->threads, 33);
    give_objects(list);
    no_memory = false;
    queue(count, NULL);
    assert_int_equal(bomp_task_number(), id);
    bomp_taskwait();
    assert_int_equal(runs, 2);
}

/* Slab objects for zero, one and two tasks: tasks that have moved stay moved, and the child gets no object. */
static void poor_tasks(void) {
    for (unsigned objects = 0; objects < 3; objects++) {
        runs = 0;
        run_now(poor_outer, &objects);
        assert_ptr_equal(current(), &self()->implicit);
        assert_int_equal(current()->refs.v, 0);
    }
    no_memory = true;
    char large[2000];
    bomp_task_plain(count, large, NULL, sizeof large, 1, false);
    assert_int_equal(runs, 3);
    no_memory = false;
}

static void without_memory_tasks_run_at_once(void **state) {
    (void)state;
    play(poor_tasks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(stack_tasks_move_for_their_children),
        TEST(finality_is_the_tasks_own),
        TEST(a_task_that_has_ended_keeps_its_parent),
        TEST(the_last_descendant_frees_all),
        TEST(no_memory_is_lost),
        TEST(a_task_waits_for_its_own),
        TEST(a_taskgroup_is_of_descendants),
        TEST(a_thief_takes_descendants_alone),
        TEST(a_waiter_is_woken),
        TEST(a_taskgroup_leaves_what_thieves_read),
        TEST(without_memory_tasks_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
