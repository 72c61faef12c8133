/* test_task.c: task.h and task_policy.h, in a region of two. Thread 0 is the test; thread 1 takes a task when it is told to,
 * and otherwise stays out of everything, so that it is known who runs what when. */
#include "task_policy.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api.h"

/* ---- memory (linked with --wrap=bz_os_alloc and --wrap=malloc) ---- */

void *__real_bz_os_alloc(size_t size, size_t align);
void *__wrap_bz_os_alloc(size_t size, size_t align);
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static unsigned slabs; /* and whatever else comes from the system, so far */
static bool no_memory; /* all fails from now on; no other thread runs then */

void *__wrap_bz_os_alloc(size_t size, size_t align) {
    slabs++;
    return no_memory ? NULL : __real_bz_os_alloc(size, align);
}

void *__wrap_malloc(size_t size) {
    return no_memory ? NULL : __real_malloc(size);
}

/* All free cells for one task without arguments but `left`, as a list; back with give_cells. */
static void *take_cells(unsigned left) {
    struct bz_cells *cells = &bz_self->cells;
    void *list = NULL, *cell, *last[8];
    while ((cell = bz_cells_alloc(cells, sizeof(struct bomp_task)))) {
        *(void **)cell = list;
        list = cell;
    }
    for (unsigned i = 0; i < left; i++) {
        last[i] = list;
        list = *(void **)list;
    }
    while (left > 0)
        bz_cells_free(cells, last[--left]);
    return list;
}

static void give_cells(void *list) {
    while (list) {
        void *next = *(void **)list;
        bz_cells_free(&bz_self->cells, list);
        list = next;
    }
}

/* ---- the scene ---- */

enum order { ABSENT, IDLE, TAKE, LEAVE };

static struct bz_a32 order; /* written by thread 0, set back by thread 1 */

static struct bomp_member *self(void) {
    return bz_self->context;
}

static struct bomp_task *current(void) {
    return self()->current;
}

static void obey(void) {
    const struct bz_filter any = {.floor = 0};
    uint32_t what;
    bz_store_release(&order, IDLE);
    while ((what = bz_load_acquire(&order)) != LEAVE) {
        struct bz_job *job = what == TAKE ? bz_worker_find(bz_self, &any) : NULL;
        if (job)
            bz_worker_run(bz_self, job);
        if (job)
            bz_store_release(&order, IDLE);
        else
            sched_yield();
    }
}

static void wait_for_other(void) {
    while (bz_load_acquire(&order) != IDLE)
        sched_yield();
}

/* Thread 1 takes one task, its own last or our first, and has run it when this returns. */
static void other_takes_one(void) {
    bz_store_release(&order, TAKE);
    wait_for_other();
}

static void implicit(void *data) {
    if (bomp_thread_num() == 1) {
        obey();
        return;
    }
    wait_for_other(); /* until then it looks for work, still in the last region */
    (*(void (**)(void))data)();
    /* Whatever it was about: nothing stays. */
    bomp_taskwait();
    while (!bz_domain_quiet(bz_self->domain))
        other_takes_one();
    assert_ptr_equal(current(), &self()->implicit);
    assert_true(bz_tally_none(&current()->children));
    assert_int_equal(current()->holds.v, 1);
    assert_null(current()->group);
    bz_store_release(&order, LEAVE);
}

static void play(void (*scene)(void)) {
    bz_store_release(&order, ABSENT);
    bomp_parallel(implicit, &scene, 2);
}

static void queue(void (*fn)(void *), void *data) {
    int64_t before = bz_deque_size(&bz_self->deque);
    bomp_task_create(&(struct bomp_task_spec){.fn = fn, .data = data, .align = 1});
    assert_int_equal(bz_deque_size(&bz_self->deque), before + 1);
}

static void run_now(void (*fn)(void *), void *data) {
    bomp_task_create(&(struct bomp_task_spec){.fn = fn, .data = data, .align = 1, .undeferred = true});
}

static unsigned runs; /* of the functions below; one thread at a time */

static void count(void *data) {
    (void)data;
    runs++;
}

static void queue_count(void *data) {
    (void)data;
    runs++;
    queue(count, NULL);
}

/* ---- undeferred tasks ---- */

static struct bomp_task *moved_outer, *moved_inner;

static void inner(void *data) {
    struct bomp_task *before = current();
    const void *id = bomp_task_id();
    (void)data;
    assert_true(before->flags & BOMP_TASK_STACK);
    queue(count, NULL);
    moved_inner = current();
    assert_ptr_not_equal(moved_inner, before);
    assert_false(moved_inner->flags & BOMP_TASK_STACK);
    assert_ptr_equal(bomp_task_id(), id);
    moved_outer = moved_inner->parent.v;
    assert_ptr_equal(moved_outer->parent.v, &self()->implicit);
    assert_int_equal(moved_inner->depth.v, 2);
    assert_int_equal(moved_outer->depth.v, 1);
    bomp_taskwait();
    assert_int_equal(runs, 1);
    queue(count, NULL);
    assert_ptr_equal(current(), moved_inner);
    bomp_taskwait();
}

static void outer(void *data) {
    const void *id = bomp_task_id();
    bomp_taskgroup_start();
    run_now(inner, data);
    assert_ptr_equal(current(), moved_outer);
    assert_ptr_equal(bomp_task_id(), id);
    queue(count, NULL);
    assert_ptr_equal(current(), moved_outer);
    bomp_taskgroup_end();
    assert_int_equal(runs, 3);
}

static void moving(void) {
    run_now(outer, NULL);
    assert_int_equal(current()->holds.v, 1);
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
    bomp_task_plain(say_final, data, 0, 1);
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

/* ---- who is held ---- */

static void one_zombie(void) {
    run_now(queue_count, NULL);
    assert_int_equal(runs, 1);
    assert_int_equal(current()->holds.v, 2);
    bomp_taskwait(); /* for children: there are none */
    assert_int_equal(runs, 1);
    assert_false(bz_domain_quiet(bz_self->domain));
    other_takes_one();
    assert_int_equal(runs, 2);
    assert_int_equal(current()->holds.v, 1);
    assert_true(bz_domain_quiet(bz_self->domain));
}

static void a_task_that_has_ended_holds_its_parent(void **state) {
    (void)state;
    play(one_zombie);
}

#define CHAIN 10

static void chain(void *data) {
    if (++runs < CHAIN)
        queue(chain, data);
}

static void many_zombies(void) {
    queue(chain, NULL);
    for (unsigned i = 1; i < CHAIN; i++) {
        other_takes_one();
        assert_int_equal(runs, i);
        assert_int_equal(current()->holds.v, 2);
        assert_true(bz_tally_none(&current()->children));
    }
    other_takes_one();
    assert_int_equal(runs, CHAIN);
    assert_int_equal(current()->holds.v, 1);
}

static void the_last_descendant_frees_all(void **state) {
    (void)state;
    play(many_zombies);
}

/* Two children and their own, one of each at the other thread, in whatever order they end. */
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
    run_now(wait_for_own, NULL); /* and not for that one */
    assert_int_equal(bz_deque_size(&bz_self->deque), 1);
    queue(wait_for_own, NULL);
    bomp_taskyield(); /* the last one */
    assert_int_equal(bz_deque_size(&bz_self->deque), 1);
    assert_int_equal(runs, 10);
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

/* Returns when thread 0 sleeps: only the end of this can wake it. */
static void outlast(void *data) {
    struct bz_worker *waiter = *(struct bz_worker **)data;
    while (bz_load_relaxed(&waiter->latch.state) != BZ_LATCH_SLEEPING)
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

static void who_waits_is_woken(void **state) {
    (void)state;
    play(sleeps);
}

/* A wait for what is no descendant of the waiting task's: the other's stay where they are. */
static void wait_beside(void *data) {
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
    run_now(wait_beside, NULL);
    assert_int_equal(runs, 2);
    bomp_taskyield(); /* a grandchild of this task */
    assert_int_equal(runs, 3);
}

static void a_thief_takes_descendants_alone(void **state) {
    (void)state;
    play(not_ours);
}

/* A thief may still look at what was in a taskgroup's memory before. */
static void group_in_a_cell(void) {
    queue(count, NULL);
    const struct bz_deque *deque = &bz_self->deque;
    struct bz_job *job = deque->buffer_own->slots[(deque->bottom - 1) & deque->buffer_own->mask].v;
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bomp_taskwait();
    bomp_taskgroup_start();
    assert_ptr_equal(current()->group, task);
    queue(queue_count, NULL);
    assert_ptr_equal(task->parent.v, current());
    assert_int_equal(task->depth.v, 1);
    other_takes_one();
    bomp_taskgroup_end();
    assert_ptr_equal(task->parent.v, current());
    assert_int_equal(task->depth.v, 1);
    assert_int_equal(runs, 3);
}

static void a_taskgroup_leaves_what_thieves_read(void **state) {
    (void)state;
    play(group_in_a_cell);
}

/* ---- policy ---- */

static void queues(void) {
    for (int i = 0; i < 2 * BOMP_QUEUE_PER_THREAD; i++)
        queue(count, NULL);
    bomp_task_plain(count, NULL, 0, 1); /* enough are queued */
    assert_int_equal(runs, 1);
    current()->created = BOMP_PRODUCER - 2;
    bomp_task_plain(count, NULL, 0, 1);
    assert_int_equal(runs, 2);
    while (bz_deque_size(&bz_self->deque) < BOMP_QUEUE_PRODUCER)
        queue(count, NULL); /* a producer now */
    bomp_task_plain(count, NULL, 0, 1);
    assert_int_equal(runs, 3);
    bomp_taskwait();
    assert_int_equal(runs, 3 + BOMP_QUEUE_PRODUCER);
}

static void queues_have_a_length(void **state) {
    (void)state;
    play(queues);
}

static void no_stack_left(void) {
    for (int i = 0; i < 2 * BOMP_QUEUE_PER_THREAD; i++)
        queue(count, NULL);
    uintptr_t limit = bz_self->stack_limit;
    bz_self->stack_limit = (uintptr_t)__builtin_frame_address(0) - BZ_STACK_RESERVE;
    queue(count, NULL);
    bz_self->stack_limit = limit;
    assert_int_equal(runs, 0);
}

static void a_task_needs_stack_to_run_at_once(void **state) {
    (void)state;
    play(no_stack_left);
}

static void outside_of_regions_tasks_run_at_once(void **state) {
    (void)state;
    bomp_task_plain(count, NULL, 0, 1);
    bomp_taskgroup_start();
    bomp_task_create(&(struct bomp_task_spec){.fn = count, .align = 1});
    bomp_taskgroup_end();
    bomp_taskwait();
    assert_int_equal(runs, 2);
    assert_ptr_equal(current(), &self()->implicit);
}

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
    assert_ptr_equal(bomp_icv(), own); /* it has moved with its block */
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
    assert_ptr_equal(bomp_icv_own(), next); /* nobody is left who could look */
    run_now(see_later, &seen);
    assert_ptr_not_equal(bomp_icv_own(), next); /* a grandchild is */
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
    assert_int_not_equal(current()->depth.v, 0);
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

/* A copy constructor may do whatever a task may, though its task has not begun. */
static void busy_copy(void *to, void *from) {
    (void)to, (void)from;
    unsigned before = runs;
    struct bomp_task *task = current();
    bomp_task_plain(count, NULL, 0, 1);
    assert_int_equal(runs, before + 1);
    bomp_task_plain(queue_count, NULL, 0, 1); /* below it, tasks are queued as ever */
    bomp_taskwait();
    assert_int_equal(runs, before + 2);
    bomp_taskgroup_start();
    bomp_task_plain(queue_count, NULL, 0, 1);
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

/* ---- without memory ---- */

static void poor_inner(void *data) {
    (void)data;
    assert_true(current()->flags & BOMP_TASK_STACK);
    bomp_task_plain(count, NULL, 0, 1);
    assert_int_equal(runs, 1); /* at once */
}

static void poor_outer(void *data) {
    const void *id = bomp_task_id();
    struct bomp_icv *own = bomp_icv_own();
    no_memory = true;
    void *list = take_cells(*(unsigned *)data);
    own->threads = 33;
    run_now(poor_inner, NULL);
    assert_ptr_equal(bomp_task_id(), id);
    assert_int_equal(bomp_icv()->threads, 33);
    give_cells(list);
    no_memory = false;
    queue(count, NULL);
    assert_ptr_equal(bomp_task_id(), id);
    bomp_taskwait();
    assert_int_equal(runs, 2);
}

/* Cells for none, one and two tasks: those that moved stay moved, and the child has none. */
static void poor_tasks(void) {
    for (unsigned cells = 0; cells < 3; cells++) {
        runs = 0;
        run_now(poor_outer, &cells);
        assert_ptr_equal(current(), &self()->implicit);
        assert_int_equal(current()->holds.v, 1);
    }
    no_memory = true;
    char large[2000];
    bomp_task_plain(count, large, sizeof large, 1);
    assert_int_equal(runs, 3);
    no_memory = false;
}

static void without_memory_tasks_run_at_once(void **state) {
    (void)state;
    play(poor_tasks);
}

static int set_up(void **state) {
    (void)state;
    runs = 0;
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(stack_tasks_move_for_their_children),
        TEST(finality_is_the_tasks_own),
        TEST(a_task_that_has_ended_holds_its_parent),
        TEST(the_last_descendant_frees_all),
        TEST(no_memory_is_lost),
        TEST(a_task_waits_for_its_own),
        TEST(a_taskgroup_is_of_descendants),
        TEST(a_thief_takes_descendants_alone),
        TEST(who_waits_is_woken),
        TEST(a_taskgroup_leaves_what_thieves_read),
        TEST(queues_have_a_length),
        TEST(a_task_needs_stack_to_run_at_once),
        TEST(outside_of_regions_tasks_run_at_once),
        TEST(changes_are_the_tasks_own),
        TEST(arguments_arrive),
        TEST(copy_functions_may_create_tasks),
        TEST(without_memory_tasks_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
