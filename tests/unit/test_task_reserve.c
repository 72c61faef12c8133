/* test_task_reserve.c: task_reserve.h: arguments stay where they were reserved, whatever happens to the task, and are
 * freed when it ends; undeferred tasks in two halves; events that exist before their task. */
#include "omp/task/task_reserve.h"

#include "task_scene.h"

/* ---- memory (linked with --wrap=bz_os_alloc) ---- */

void *__real_bz_os_alloc(size_t size);
void *__wrap_bz_os_alloc(size_t size);

static bool no_memory; /* all requests fail from now on; no other thread runs then */

void *__wrap_bz_os_alloc(size_t size) {
    return no_memory ? NULL : __real_bz_os_alloc(size);
}

/* ---- the state in a body ---- */

struct seen {
    void *args;
    uint32_t flags;
    uint64_t note;
    char last;
};

static struct seen seen;

static void note(void *args) {
    char *back = *(char **)args;
    runs++;
    seen = (struct seen){args, current()->flags, *bomp_task_note(args), *back};
}

static int code(int id, void *args) {
    assert_int_equal(id, bomp_thread_id());
    note(args);
    return 1;
}

/* Nothing is known of it yet. */
/* With the last byte of the front and the first one of the back filled in. */
static void *reserve(size_t front, size_t back) {
    char *args = bomp_task_reserve(front, back, 77, code);
    uintptr_t *words = (uintptr_t *)args;
    assert_int_equal((uintptr_t)args % 64, 0);
    assert_true((char *)words[0] >= args + front && (char *)words[0] < args + front + 8);
    assert_int_equal(words[0] % 8, 0);
    assert_int_equal(words[1], (uintptr_t)code);
    assert_int_equal(words[2], 0);
    if (front > 3 * sizeof *words)
        args[front - 1] = 'f';
    memset((char *)words[0], 'b', back);
    return args;
}

static struct bomp_task_spec spec_of(void *args) {
    return (struct bomp_task_spec){.fn = note, .data = args, .align = 1, .reserved = true};
}

/* Queues a task, whatever the queue's length. */
static void queue_spec(const struct bomp_task_spec *spec) {
    set_most(ENDLESS);
    bomp_task_create(spec);
    set_usual();
}

static void assert_seen(const void *args) {
    assert_ptr_equal(seen.args, args);
    assert_int_equal(seen.note, 77);
    assert_int_equal(seen.last, 'b');
}

/* ---- each size, in each way ---- */

static const size_t sizes[] = {24, 40, 41, 48, 64, 65, 192, 193, 800, 896, 897, 1016, 1017, 5000, 100000};
#define SIZES (sizeof sizes / sizeof *sizes)

static void each_size(void) {
    for (size_t i = 0; i < SIZES; i++) {
        void *args = reserve(sizes[i], 8);
        struct bomp_task_spec spec = spec_of(args);
        spec.undeferred = true;
        bomp_task_create(&spec);
        assert_seen(args);
        assert_true(seen.flags & BOMP_TASK_STACK);

        args = reserve(sizes[i], 64);
        spec = spec_of(args);
        queue_spec(&spec);
        assert_int_equal(runs, 3 * i + 1);
        other_takes_one();
        assert_seen(args);
        assert_int_equal(runs, 3 * i + 2);

        args = reserve(sizes[i], sizes[i]);
        queue_spec(&(struct bomp_task_spec){.fn = note, .data = args, .priority = 1, .reserved = true});
        bomp_taskwait();
        assert_seen(args);

        bomp_task_release(reserve(sizes[i], 1));
    }
}

static void arguments_stay_where_they_are(void **state) {
    (void)state;
    play(each_size);
}

/* A child on the stack, by the short cut; afterwards nothing that it took is missing. */
static void plain_below(void *data) {
    void *args = reserve(48, 8);
    (void)data;
    assert_int_equal(bomp_task_plain_reserved(args), 0);
    bomp_taskwait();
    assert_seen(args);
    assert_ptr_equal(reserve(48, 8), args);
    bomp_task_release(args);
}

static void plain(void) {
    void *args = reserve(48, 8);
    set_most(NONE);
    bomp_task_plain_reserved(args);
    assert_seen(args);
    run_now(plain_below, NULL);
    set_most(ENDLESS);
    run_now(plain_below, NULL); /* it is queued, and so moves its parent */
    args = reserve(48, 8);
    bomp_task_plain_reserved(args);
    assert_int_equal(runs, 3);
    set_usual();
    assert_int_equal(bz_deque_size(&bz_self->deque), 1);
    bomp_taskwait();
    assert_seen(args);
}

static void note_untied(void *args) {
    note(args);
    assert_true(current()->flags & BOMP_TASK_STACK || current()->depth.v & BOMP_TASK_UNTIED);
}

static void plain_untied(void) {
    for (unsigned i = 0; i < 2; i++) {
        set_most(i ? ENDLESS : NONE);
        void *args = reserve(48, 8);
        assert_int_equal(bomp_task_plain_untied(args, note_untied), 0);
        assert_int_equal(runs, 1);
        bomp_taskwait();
        assert_seen(args);
    }
    set_usual();
    assert_int_equal(runs, 2);
    assert_false(seen.flags & BOMP_TASK_STACK);
}

static void plain_ones_do_so_too(void **state) {
    (void)state;
    play(plain);
    runs = 0;
    play(plain_untied);
}

/* ---- in two halves ---- */

static void *enter(size_t size, bool final) {
    void *args = reserve(size, 8);
    struct bomp_task_spec spec = spec_of(args);
    spec.final = final;
    bomp_task_enter(&spec, NULL);
    return args;
}

static void halves(void) {
    struct bomp_task *outside = current();
    for (unsigned i = 0; i < 2; i++) {
        size_t size = i ? 2000 : 48;
        unsigned before = runs;
        void *args = enter(size, false);
        uintptr_t id = bomp_task_number();
        struct bomp_task *inside = current();
        assert_ptr_not_equal(inside, outside);
        assert_ptr_equal(inside->parent.v, outside);
        assert_int_equal(bomp_task_parent_number(), (uintptr_t)outside);
        queue(count, NULL);
        bomp_taskwait();
        assert_int_equal(runs, before + 1);
        void *final = enter(size, true);
        assert_true(bomp_in_final());
        run_now(count, NULL);
        bomp_task_leave(final);
        assert_ptr_equal(current(), inside);
        queue(count, NULL); /* outlives the halves */
        assert_int_equal(bomp_task_number(), id);
        bomp_task_leave(args);
        assert_ptr_equal(current(), outside);
        assert_int_equal(runs, before + 2);
        other_takes_one();
        assert_int_equal(runs, before + 3);
        assert_int_equal(current()->refs.v, 0);
    }
}

static void half_below(void *data) {
    void *args = enter(48, false);
    struct bomp_task *moved = current()->parent.v;
    (void)data;
    assert_false(moved->flags & BOMP_TASK_STACK);
    bomp_task_leave(args);
    assert_ptr_equal(current(), moved);
}

static void halves_below(void) {
    halves();
    run_now(half_below, NULL);
}

static void an_undeferred_one_runs_between_two_calls(void **state) {
    (void)state;
    play(halves_below);
}

/* ---- events ---- */

static void fulfill(void *handle) {
    runs++;
    bomp_event_fulfill(*(void **)handle);
}

/* Before the task is created, while it is queued, and after its body. */
static void deferred_events(void) {
    for (unsigned when = 0; when < 3; when++) {
        runs = 0;
        void *args = reserve(48, 8);
        void *handle = bomp_task_event(args);
        struct bomp_task_spec spec = spec_of(args);
        spec.detach = true;
        if (when == 0)
            bomp_event_fulfill(handle);
        queue_spec(&spec);
        if (when == 1)
            bomp_event_fulfill(handle);
        other_takes_one();
        assert_seen(args);
        assert_int_equal(bz_tally_count(&current()->children), when == 2);
        if (when == 2)
            bomp_event_fulfill(handle);
        bomp_taskwait();
        assert_int_equal(runs, 1);
    }
}

/* Created as undeferred: a child of the current task fulfills the event, and the wait must run that child; or its
 * creator goes on, and may fulfill it. In halves the creator always goes on. */
static void undeferred_events(void) {
    void *handle, *args = reserve(48, 8);
    struct bomp_task_spec spec = spec_of(args);
    handle = bomp_task_event(args);
    spec.detach = spec.undeferred = true;
    queue_spec(&(struct bomp_task_spec){.fn = fulfill, .data = &handle, .size = 8, .align = 8});
    bomp_task_create(&spec);
    assert_int_equal(runs, 2);

    args = reserve(48, 8);
    spec = spec_of(args);
    handle = bomp_task_event(args);
    spec.detach = spec.undeferred = spec.goes_on = true;
    bomp_task_create(&spec);
    assert_int_equal(bz_tally_count(&current()->children), 1);
    bomp_event_fulfill(handle);
    assert_int_equal(bz_tally_count(&current()->children), 0);

    args = reserve(48, 8);
    handle = bomp_task_event(args);
    spec = (struct bomp_task_spec){.fn = note, .data = args, .detach = true, .reserved = true};
    bomp_task_enter(&spec, NULL);
    queue_spec(&(struct bomp_task_spec){.fn = fulfill, .data = &handle, .size = 8, .align = 8});
    bomp_task_leave(args);
    assert_int_equal(bz_tally_count(&current()->children), 1);
    bomp_taskwait();
    assert_int_equal(runs, 4);
}

static void events(void) {
    deferred_events();
    runs = 0;
    undeferred_events();
}

static void an_event_comes_before_its_task(void **state) {
    (void)state;
    play(events);
}

/* ---- discarded ---- */

static void say_discarded(void *args) {
    note(args);
    assert_true(bomp_task_is_discarded());
    assert_ptr_not_equal(current(), &self()->implicit);
}

static void discarded(void) {
    void *args = reserve(48, 8);
    struct bomp_task *task = bomp_task_of_reserved(args);
    struct bomp_task_spec spec = spec_of(args);
    spec.fn = say_discarded;
    spec.cleans = true;
    current()->flags |= BOMP_TASK_CANCELLABLE;
    bomp_taskgroup_start();
    queue_spec(&spec);
    assert_int_equal(task->flags & BOMP_TASK_PHASE, BOMP_TASK_CLEANS);
    bz_store_relaxed(&current()->group->cancelled, 1);
    void *second = reserve(2000, 8);
    spec.data = second;
    bomp_task_create(&spec); /* at once */
    assert_seen(second);
    assert_int_equal(runs, 1);
    bomp_taskgroup_end();
    assert_seen(args);
    assert_int_equal(runs, 2);
    current()->flags &= ~(uint32_t)BOMP_TASK_CANCELLABLE;
}

static void a_discarded_one_cleans_up(void **state) {
    (void)state;
    play(discarded);
}

/* ---- without memory ---- */

static void poor(void *data) {
    void *args = reserve(48, 8), *list = NULL, *object;
    (void)data;
    no_memory = true;
    while ((object = bz_slabs_alloc(&bz_self->slabs, 1))) {
        *(void **)object = list;
        list = object;
    }
    bomp_task_plain_reserved(args); /* its parent cannot leave the stack */
    assert_seen(args);
    assert_int_equal(runs, 1);
    no_memory = false;
    while (list) {
        void *next = *(void **)list;
        bz_slabs_free(&bz_self->slabs, list);
        list = next;
    }
}

static void poor_tasks(void) {
    run_now(poor, NULL);
}

static void without_memory_they_run_at_once(void **state) {
    (void)state;
    play(poor_tasks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(arguments_stay_where_they_are),
        TEST(plain_ones_do_so_too),
        TEST(an_undeferred_one_runs_between_two_calls),
        TEST(an_event_comes_before_its_task),
        TEST(a_discarded_one_cleans_up),
        TEST(without_memory_they_run_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
