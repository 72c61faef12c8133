/* Coroutines of one worker; fibers, stacks, and picking from the worker's own deque below. */
#include "sched/coroutine.h"

#include <errno.h>
#include <fenv.h>
#include <string.h>

#include "../asserts.h"
#include "base/config.h"
#include "sched/worker.h"
#include "team/adopt.h"

void *__real_bz_os_stack_new(size_t size);
void *__wrap_bz_os_stack_new(size_t size);

static bool no_stacks;
static unsigned stacks;

void *__wrap_bz_os_stack_new(size_t size) {
    if (no_stacks)
        return NULL;
    stacks++;
    return __real_bz_os_stack_new(size);
}

/* ---- a layer ---- */

static void *current; /* of the running coroutine */

static void *leave(struct bz_worker *self) {
    (void)self;
    return current;
}

static void enter(struct bz_worker *self, void *kept) {
    (void)self;
    current = kept;
}

static const struct bz_job *forbidden;
static bool all_forbidden;

static bool may_any_begin(struct bz_worker *self, const void **rule) {
    (void)self;
    *rule = forbidden;
    return !all_forbidden;
}

static bool may_begin(const struct bz_job *job, const void *rule) {
    return job != rule;
}

static unsigned times_kept_out;

static void kept_out(struct bz_worker *worker) {
    (void)worker;
    times_kept_out++;
}

static const struct bz_coroutines_layer layer = {.leave = leave,
                                                 .enter = enter,
                                                 .may_any_begin = may_any_begin,
                                                 .may_begin = may_begin,
                                                 .kept_out = kept_out};

/* ---- jobs that record their order ---- */

static char trace[256];
static unsigned length;

static void note(char letter) {
    trace[length++] = letter;
    trace[length] = '\0';
}

static void clear(void) {
    length = 0;
    trace[0] = '\0';
}

struct work {
    struct bz_job job;
    char letter;
    unsigned yields;
    unsigned depth; /* of calls, between the yields */
};

static unsigned wrong; /* failures in jobs: a failed assertion would jump off their stack */

static unsigned recurse(unsigned depth) {
    char block[512];
    memset(block, (int)depth, sizeof block);
    __asm__ volatile("" : : "r"(block) : "memory");
    return depth > 0 ? recurse(depth - 1) + (unsigned char)block[7] : 0;
}

static void run(struct bz_job *job, struct bz_worker *self) {
    struct work *work = bz_container_of(job, struct work, job);
    void *outer = current;
    current = work;
    wrong += fegetround() != FE_TONEAREST; /* its starter's */
    for (unsigned i = 0; i <= work->yields; i++) {
        note(work->letter);
        recurse(work->depth);
        errno = work->letter;
        fesetround(work->letter % 2 ? FE_UPWARD : FE_DOWNWARD);
        wrong += (uintptr_t)__builtin_frame_address(0) <= self->stack.limit;
        if (i < work->yields)
            bz_coroutine_yield(self, false);
        wrong += current != work;
        wrong += errno != work->letter;
        wrong += fegetround() != (work->letter % 2 ? FE_UPWARD : FE_DOWNWARD);
    }
    current = outer;
}

static struct work work_of(char letter, unsigned yields) {
    return (struct work){.job = {.run = run}, .letter = letter, .yields = yields, .depth = 100};
}

/* State of this coroutine is restored, whatever the jobs did. */
static void begin(struct bz_worker *self, struct work *work) {
    errno = 99;
    fesetround(FE_TONEAREST);
    assert_true(bz_coroutine_begin(self, &work->job, false));
    assert_int_equal(errno, 99);
    assert_int_equal(fegetround(), FE_TONEAREST);
}

static struct bz_worker *prepared(void) {
    struct bz_worker *self = bz_worker_adopt();
    assert_non_null(self);
    assert_true(bz_coroutines_prepare(self, &layer));
    clear();
    return self;
}

/* ---- turns ---- */

static void a_job_that_does_not_yield_is_a_call(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    uintptr_t limit = self->stack.limit;
    struct work a = work_of('a', 0), b = work_of('b', 0);
    assert_false(bz_coroutine_yield(self, false));
    begin(self, &a);
    assert_string_equal(trace, "a");
    assert_int_equal(self->row.suspended, 0);
    unsigned before = stacks;
    begin(self, &b);
    assert_int_equal(wrong, 0);
    assert_string_equal(trace, "ab");
    assert_int_equal(stacks, before);
    assert_int_equal(self->stack.limit, limit);
}

static void all_get_their_turn_in_order(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    struct work a = work_of('a', 2), b = work_of('b', 2), c = work_of('c', 2);
    begin(self, &a);
    note('.');
    begin(self, &b); /* yields to a, the first one */
    note('.');
    begin(self, &c);
    while (bz_coroutine_yield(self, false))
        note('.');
    /* A coroutine that ends hands over to the last in the row: to this one while none follows it. */
    unsigned count[3] = {0};
    for (unsigned i = 0; i < length; i++)
        if (trace[i] != '.')
            count[trace[i] - 'a']++;
    assert_int_equal(wrong, 0);
    assert_int_equal(count[0], 3);
    assert_int_equal(count[1], 3);
    assert_int_equal(count[2], 3);
    assert_memory_equal(trace, "a.ba.cba", 3);
    assert_int_equal(self->row.suspended, 0);
}

static unsigned left;

static void counting(struct bz_job *job, struct bz_worker *self) {
    (void)job;
    left++;
    while (left < 2 * BZ_COROUTINES_SPARE)
        bz_coroutine_yield(self, false);
}

static void unused_stacks_are_bounded(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    static struct bz_job jobs[2 * BZ_COROUTINES_SPARE];
    for (unsigned i = 0; i < 2 * BZ_COROUTINES_SPARE; i++) {
        jobs[i].run = counting;
        assert_true(bz_coroutine_begin(self, &jobs[i], false));
    }
    while (bz_coroutine_yield(self, false)) {
    }
    assert_int_equal(left, 2 * BZ_COROUTINES_SPARE);
    assert_true(self->row.coroutines->spare <= BZ_COROUTINES_SPARE);
    assert_int_equal(self->row.coroutines->made, self->row.coroutines->spare);
}

static unsigned held;
static bool released;

static void holding(struct bz_job *job, struct bz_worker *self) {
    (void)job;
    held++;
    while (!released)
        bz_coroutine_yield(self, false);
    held--;
}

static void without_a_stack_nothing_happens(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    static struct bz_job jobs[BZ_COROUTINES_SPARE + 1];
    unsigned begun = 0;
    no_stacks = true;
    for (; begun <= BZ_COROUTINES_SPARE; begun++) {
        jobs[begun].run = holding;
        if (!bz_coroutine_begin(self, &jobs[begun], false))
            break;
    }
    assert_in_range(begun, 0, BZ_COROUTINES_SPARE); /* as many as there were stacks */
    assert_int_equal(held, begun);
    no_stacks = false;
    released = true;
    while (bz_coroutine_yield(self, false)) {
    }
    assert_int_equal(held, 0);
    assert_int_equal(self->row.suspended, 0);
}

static void new_ones_are_due_now_and_then(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    struct work works[8];
    assert_true(bz_coroutine_new_is_due(self));
    for (unsigned i = 0; i < 8; i++) {
        works[i] = work_of('w', 20);
        begin(self, &works[i]);
    }
    unsigned passed = 0;
    while (!bz_coroutine_new_is_due(self)) {
        assert_true(bz_coroutine_yield(self, false));
        passed++;
    }
    assert_in_range(passed, 0, 8);
    while (bz_coroutine_yield(self, false)) {
    }
}

/* ---- waits ---- */

static bool is_over(void *arg) {
    return *(unsigned *)arg >= 5;
}

static unsigned passes;

static void finishing(struct bz_job *job, struct bz_worker *self) {
    (void)job;
    while (passes < 5) {
        passes++;
        bz_coroutine_yield(self, false);
    }
}

static void a_waiting_job_yields(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    struct bz_job job = {.run = finishing};
    assert_true(bz_coroutine_begin(self, &job, false)); /* suspended after its first yield */
    struct bz_wait wait = {.done = is_over, .arg = &passes};
    bz_worker_wait_until(self, &wait);
    assert_int_equal(passes, 5);
    while (bz_coroutine_yield(self, false)) {
    }
}

/* ---- finding own jobs one by one ---- */

static bool is_wanted(const struct bz_job *job, const void *arg) {
    return job == arg;
}

static void own_jobs_are_found_anywhere(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    struct work works[10];
    for (unsigned i = 0; i < 10; i++) {
        works[i] = work_of('k', 0);
        assert_true(bz_deque_push(&self->deque, &works[i].job));
    }
    struct bz_filter filter = {.floor = BZ_FLOOR_MIXED, .may_take = is_wanted, .arg = &works[4].job};
    forbidden = &works[4].job;
    times_kept_out = 0;
    assert_null(bz_worker_find(self, &filter));
    assert_int_equal(times_kept_out, 1);
    forbidden = NULL;
    all_forbidden = true;
    assert_null(bz_worker_find(self, &filter));
    assert_int_equal(times_kept_out, 2);
    all_forbidden = false;
    assert_ptr_equal(bz_worker_find(self, &filter), &works[4].job);
    assert_null(bz_worker_find(self, &filter));
    assert_int_equal(times_kept_out, 2); /* nothing that they refuse */
    assert_int_equal(bz_deque_size(&self->deque), 9);
    for (int i = 9; i >= 0; i--)
        if (i != 4)
            assert_ptr_equal(bz_deque_pop(&self->deque), &works[i].job);
    assert_null(bz_deque_pop(&self->deque));

    filter = (struct bz_filter){.floor = BZ_FLOOR_MIXED, .may_take = is_wanted, .oldest = true};
    assert_true(bz_deque_push(&self->deque, &works[0].job));
    filter.arg = &works[0].job;
    assert_ptr_equal(bz_worker_find(self, &filter), &works[0].job);
    assert_int_equal(bz_deque_size(&self->deque), 0);
}

/* However many other jobs lie at both ends of the deque. */
static void a_job_in_the_middle_is_found(void **state) {
    (void)state;
    enum { COUNT = 320 };
    struct bz_worker *self = prepared();
    static struct work works[COUNT];
    for (unsigned i = 0; i < COUNT; i++) {
        works[i] = work_of('m', 0);
        assert_true(bz_deque_push(&self->deque, &works[i].job));
    }
    struct bz_filter filter = {.floor = BZ_FLOOR_MIXED, .may_take = is_wanted, .arg = &works[COUNT / 2].job};
    assert_ptr_equal(bz_worker_find(self, &filter), &works[COUNT / 2].job);
    assert_null(bz_worker_find(self, &filter));
    for (int i = COUNT - 1; i >= 0; i--)
        if (i != COUNT / 2)
            assert_ptr_equal(bz_deque_pop(&self->deque), &works[i].job);
    assert_null(bz_deque_pop(&self->deque));
}

static bool any(const struct bz_job *job, const void *arg) {
    (void)job, (void)arg;
    return true;
}

static void the_last_job_is_picked_too(void **state) {
    (void)state;
    struct bz_worker *self = prepared();
    struct work one = work_of('o', 0);
    bool moved;
    assert_null(bz_deque_pick(&self->deque, any, NULL, &moved));
    assert_true(bz_deque_push_public(&self->deque, &one.job));
    assert_ptr_equal(bz_deque_pick(&self->deque, any, NULL, &moved), &one.job);
    assert_false(moved);
    assert_null(bz_deque_pick(&self->deque, any, NULL, &moved));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_job_that_does_not_yield_is_a_call),
        cmocka_unit_test(all_get_their_turn_in_order),
        cmocka_unit_test(unused_stacks_are_bounded),
        cmocka_unit_test(without_a_stack_nothing_happens),
        cmocka_unit_test(new_ones_are_due_now_and_then),
        cmocka_unit_test(a_waiting_job_yields),
        cmocka_unit_test(own_jobs_are_found_anywhere),
        cmocka_unit_test(a_job_in_the_middle_is_found),
        cmocka_unit_test(the_last_job_is_picked_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
