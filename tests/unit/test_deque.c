/* test_deque.c: deque.h on one thread; stress_deque.c has thieves on other threads. */
#include "sched/deque.h"

#include <errno.h>

#include "../asserts.h"
#include "deque_jobs.h"
#include "wait/fence.h"

/* Memory as the deque sees it (linked with --wrap=bz_alloc). */
static bool no_memory;

void *__real_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size);
void *__wrap_bz_alloc(size_t size) {
    return no_memory ? NULL : __real_bz_alloc(size);
}

/* Whether a barrier on other threads is available, and the owner's action during it. */
static bool no_barrier;
static void (*meanwhile)(struct bz_deque *deque);
static struct bz_deque *watched;

bool __wrap_bz_os_membarrier(void);
bool __wrap_bz_os_membarrier(void) {
    if (meanwhile)
        meanwhile(watched);
    return !no_barrier;
}

static int64_t capacity(const struct bz_deque *deque) {
    return deque->mask + 1;
}

static void a_new_deque_is_empty_and_has_a_request(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 4);
    assert_int_equal(capacity(&deque), 4);
    assert_true(bz_deque_is_requested(&deque));
    assert_false(bz_deque_wanted(&deque)); /* it has nothing to give */
    for (int i = 0; i < 3; i++)
        expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void the_owner_pops_the_newest(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    push_range(&deque, 0, 10);
    assert_int_equal(bz_deque_size(&deque), 10);
    for (int i = 9; i >= 0; i--)
        assert_int_equal(pop(&deque), i);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void the_owner_sees_thefts_when_it_checks(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 4);
    push_range_public(&deque, 0, 3);
    assert_int_equal(steal(&deque), 0);
    bz_deque_read_top(&deque);
    assert_int_equal(deque.top_seen, 2);
    assert_int_equal(steal(&deque), 1);
    assert_int_equal(pop(&deque), 2); /* the last one: the pop sees the second theft */
    bz_deque_destroy(&deque);
}

static void thieves_do_not_see_private_jobs(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    bz_deque_clear_request(&deque, deque.split);
    push_range(&deque, 0, 3);
    assert_false(bz_deque_has_public(&deque));
    assert_false(bz_deque_wanted(&deque));
    assert_int_equal(steal(&deque), EMPTY);
    assert_true(bz_deque_is_requested(&deque)); /* but requests it from the owner */
    assert_true(bz_deque_wanted(&deque));
    assert_int_equal(pop(&deque), 2);
    bz_deque_destroy(&deque);
}

static void exposing_gives_the_older_half(void **state) {
    (void)state;
    static const struct { int private, given; } cases[] = {{1, 1}, {2, 1}, {3, 2}, {4, 2}, {9, 5}};
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct bz_deque deque;
        bz_deque_init(&deque, 16);
        push_range(&deque, 0, cases[c].private);
        assert_true(bz_deque_expose(&deque));
        assert_false(bz_deque_is_requested(&deque));
        assert_false(bz_deque_expose(&deque)); /* there is no request */
        for (int i = 0; i < cases[c].given; i++)
            assert_int_equal(steal(&deque), i);     /* oldest first */
        assert_true(bz_deque_is_requested(&deque)); /* the thief took the last */
        assert_int_equal(steal(&deque), EMPTY);
        for (int i = cases[c].private - 1; i >= cases[c].given; i--)
            assert_int_equal(pop(&deque), i);
        expect_empty(&deque);
        bz_deque_destroy(&deque);
    }
}

static void one_that_has_nothing_to_give_keeps_the_request(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    assert_false(bz_deque_expose(&deque));
    push_range_public(&deque, 0, 2);
    assert_false(bz_deque_wanted(&deque));
    assert_false(bz_deque_expose(&deque)); /* all is public already */
    assert_true(bz_deque_is_requested(&deque));
    push_range(&deque, 2, 3);
    assert_true(bz_deque_wanted(&deque));
    assert_true(bz_deque_expose(&deque));
    for (int i = 0; i < 3; i++)
        assert_int_equal(steal(&deque), i);
    bz_deque_destroy(&deque);
}

static void a_public_push_makes_older_jobs_public_too(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    push_range(&deque, 0, 3);
    assert_false(bz_deque_has_public(&deque));
    push_range_public(&deque, 3, 4);
    assert_true(bz_deque_has_public(&deque));
    assert_int_equal(steal(&deque), 0);
    assert_int_equal(steal(&deque), 1);
    assert_int_equal(pop(&deque), 3);
    assert_int_equal(steal(&deque), 2);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void all_can_be_made_public_at_once(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    assert_false(bz_deque_expose_all(&deque));
    assert_true(bz_deque_is_requested(&deque));
    push_range(&deque, 0, 5);
    bz_deque_clear_request(&deque, deque.split); /* with or without a request */
    assert_true(bz_deque_expose_all(&deque));
    assert_false(bz_deque_expose_all(&deque));
    for (int i = 0; i < 5; i++)
        assert_int_equal(steal(&deque), i);
    assert_true(bz_deque_is_requested(&deque));
    bz_deque_destroy(&deque);
}

static void pops_pass_from_the_private_to_the_public_part(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    int64_t first = bz_deque_bottom(&deque);
    push_range(&deque, 0, 6);
    assert_true(bz_deque_expose(&deque)); /* 0 1 2 public, 3 4 5 private */
    for (int i = 5; i >= 3; i--)
        assert_int_equal(pop(&deque), i);
    assert_int_equal(deque.split, first + 3);
    assert_int_equal(pop(&deque), 2); /* public, with others left */
    assert_false(bz_deque_is_requested(&deque));
    assert_int_equal(deque.public_split.v, first + 2);
    push_range(&deque, 6, 7); /* private again, above the public ones */
    assert_int_equal(pop(&deque), 6);
    assert_int_equal(steal(&deque), 0);
    assert_false(bz_deque_is_requested(&deque));
    assert_int_equal(pop(&deque), 1); /* the last: the owner wins it */
    assert_true(bz_deque_is_requested(&deque));
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void indices_wrap_around_the_buffer(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 4);
    int64_t first = bz_deque_bottom(&deque);
    for (int round = 0; round < MANY; round++) {
        push_range_public(&deque, 0, 2);
        push_range(&deque, 2, 4); /* full */
        assert_int_equal(steal(&deque), 0);
        assert_int_equal(pop(&deque), 3);
        assert_int_equal(pop(&deque), 2);
        assert_int_equal(pop(&deque), 1);
        expect_empty(&deque);
    }
    assert_int_equal(capacity(&deque), 4); /* theft made room */
    assert_int_equal(deque.top.v, first + 2 * MANY);
    bz_deque_destroy(&deque);
}

static void it_grows_by_doubling(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 1);
    push_range(&deque, 0, MANY);
    assert_int_equal(capacity(&deque), 1024);
    for (int i = MANY - 1; i >= 0; i--)
        assert_int_equal(pop(&deque), i);
    expect_empty(&deque);
    int buffers = 0;
    for (struct bz_buffer *buffer = deque.buffer_own; buffer; buffer = buffer->older)
        buffers++;
    assert_int_equal(buffers, 11); /* 1 to 1024 */
    bz_deque_destroy(&deque);
}

static void growth_keeps_what_has_wrapped(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 8);
    push_range_public(&deque, 0, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(steal(&deque), i);
    push_range(&deque, 5, 9);
    push_range_public(&deque, 9, 11); /* indices 5 to 10 in 8 slots */
    assert_int_equal(steal(&deque), 5);
    push_range(&deque, 11, 40);
    assert_int_equal(capacity(&deque), 64);
    for (int i = 6; i < 11; i++)
        assert_int_equal(steal(&deque), i);
    assert_int_equal(steal(&deque), EMPTY);
    for (int i = 39; i >= 11; i--)
        assert_int_equal(pop(&deque), i);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void a_deque_that_cannot_grow_loses_nothing(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 8);
    push_range(&deque, 0, 8);
    no_memory = true;
    for (int i = 0; i < 3; i++) {
        assert_false(bz_deque_push(&deque, &jobs[8]));
        assert_false(bz_deque_push_public(&deque, &jobs[8]));
    }
    assert_false(bz_deque_has_public(&deque)); /* the failed public push exposed nothing */
    assert_int_equal(bz_deque_size(&deque), 8);
    assert_true(bz_deque_expose(&deque));
    assert_int_equal(steal(&deque), 0);
    assert_true(bz_deque_push(&deque, &jobs[8])); /* theft made room */
    assert_false(bz_deque_push(&deque, &jobs[9]));
    no_memory = false;
    assert_true(bz_deque_push(&deque, &jobs[9]));
    assert_int_equal(capacity(&deque), 16);
    for (int i = 9; i >= 1; i--)
        assert_int_equal(pop(&deque), i);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void without_memory_the_first_job_finds_no_room(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 8);
    no_memory = true;
    assert_false(bz_deque_reserve(&deque));
    no_memory = false;
    assert_true(bz_deque_reserve(&deque));
    bz_deque_destroy(&deque);
}

struct choice {
    const struct bz_job *shown;
    bool answer;
    int asked;
};

static bool choose(const struct bz_job *job, const void *arg) {
    struct choice *choice = (struct choice *)arg;
    choice->shown = job;
    choice->asked++;
    return choice->answer;
}

static void a_thief_may_refuse_the_oldest(void **state) {
    (void)state;
    struct bz_deque deque;
    struct choice choice = {.answer = false};
    struct bz_job *job = NULL;
    bz_deque_init(&deque, 8);
    assert_int_equal(bz_deque_steal(&deque, choose, &choice, &job), BZ_STEAL_EMPTY);
    assert_int_equal(choice.asked, 0);
    push_range_public(&deque, 0, 2);
    for (int i = 1; i <= 3; i++) {
        assert_int_equal(bz_deque_steal(&deque, choose, &choice, &job), BZ_STEAL_REFUSED);
        assert_int_equal(choice.asked, i);
        assert_ptr_equal(choice.shown, &jobs[0]);
        assert_null(job);
    }
    choice.answer = true;
    assert_int_equal(bz_deque_steal(&deque, choose, &choice, &job), BZ_STEAL_TAKEN);
    assert_ptr_equal(job, &jobs[0]);
    assert_int_equal(steal(&deque), 1);
    bz_deque_destroy(&deque);
}

/* Another thief overtakes this one between its read of top and the job: may_take must not see the job. */
static struct bz_deque *overtaken;

static bool overtake(const struct bz_job *job, const void *arg) {
    struct choice *choice = (struct choice *)arg;
    choice->shown = job;
    if (choice->asked++ == 0)
        assert_int_equal(steal(overtaken), 0); /* the other thief */
    return true;
}

static void an_answer_counts_only_if_the_claim_succeeds(void **state) {
    (void)state;
    struct bz_deque deque;
    struct choice choice = {0};
    struct bz_job *job = NULL;
    bz_deque_init(&deque, 8);
    push_range_public(&deque, 0, 2);
    overtaken = &deque;
    assert_int_equal(bz_deque_steal(&deque, overtake, &choice, &job), BZ_STEAL_RETRY);
    assert_null(job);
    assert_int_equal(bz_deque_steal(&deque, overtake, &choice, &job), BZ_STEAL_TAKEN);
    assert_ptr_equal(job, &jobs[1]);
    assert_ptr_equal(choice.shown, &jobs[1]);
    bz_deque_destroy(&deque);
}

static void owner_and_thief_meet_in_the_middle(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 2);
    bool taken[MANY] = {false};
    push_range_public(&deque, 0, MANY);
    for (int i = 0; i < MANY; i++) {
        int n = i % 3 == 0 ? pop(&deque) : steal(&deque);
        assert_in_range(n, 0, MANY - 1);
        assert_false(taken[n]);
        taken[n] = true;
    }
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void a_sealed_one_takes_nothing(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 2);
    bz_deque_seal(&deque);
    for (int i = 0; i < 4; i++)
        assert_false(i % 2 ? bz_deque_push(&deque, &jobs[i]) : bz_deque_push_public(&deque, &jobs[i]));
    assert_int_equal(pop(&deque), -1);
    assert_int_equal(steal(&deque), EMPTY);
    bz_deque_destroy(&deque);
}

/* ---- exposing from outside ---- */

/* A thief exposes jobs of an owner that has `count` private ones and no request. The owner runs `what` during the
 * thief's barrier. */
static bool expose_for(struct bz_deque *deque, int count, void (*what)(struct bz_deque *)) {
    bz_store_relaxed(&bz_fence_symmetric, false);
    bz_deque_init(deque, 16);
    push_range(deque, 0, count);
    bz_deque_clear_request(deque, deque->split);
    watched = deque;
    meanwhile = what;
    bool exposed = bz_deque_expose_for(deque);
    meanwhile = NULL;
    assert_false(deque->exposer.v);
    assert_true(deque->public_split.v >= 0); /* the request is cleared */
    assert_int_equal(bz_deque_is_requested(deque), count > 0);
    return exposed;
}

static void an_owner_that_does_not_poll_is_helped(void **state) {
    (void)state;
    struct bz_deque deque;
    assert_true(expose_for(&deque, 5, NULL));
    assert_int_equal(bz_deque_public_size(&deque), 3);
    assert_int_equal(steal(&deque), 0);
    assert_int_equal(pop(&deque), 4);
    assert_int_equal(pop(&deque), 3);
    assert_int_equal(bz_deque_public_size(&deque), 2);
    push_range(&deque, 5, 6); /* the owner has noticed: private again */
    assert_true(bz_deque_expose_for(&deque));
    assert_false(bz_deque_expose_for(&deque)); /* all is public */
    assert_int_equal(pop(&deque), 5);
    assert_int_equal(pop(&deque), 2);
    assert_int_equal(steal(&deque), 1);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
    assert_false(expose_for(&deque, 0, NULL));
    bz_deque_destroy(&deque);
}

static void an_owner_finds_out_what_was_exposed_for_it(void **state) {
    (void)state;
    struct bz_deque deque;
    assert_true(expose_for(&deque, 1, NULL));
    assert_int_equal(steal(&deque), 0);
    assert_int_equal(pop(&deque), -1);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
    assert_true(expose_for(&deque, 2, NULL));
    assert_true(bz_deque_put_requested(&deque, &jobs[2])); /* 0 is public, and half of 1 and 2 */
    assert_int_equal(bz_deque_public_size(&deque), 2);
    assert_false(bz_deque_is_requested(&deque));
    assert_int_equal(steal(&deque), 0);
    assert_int_equal(steal(&deque), 1);
    assert_int_equal(pop(&deque), 2);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
    assert_true(expose_for(&deque, 1, NULL));
    assert_int_equal(steal(&deque), 0);
    assert_false(bz_deque_expose(&deque)); /* nothing is left to give */
    assert_true(bz_deque_is_requested(&deque));
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

static void pop_one(struct bz_deque *deque) {
    assert_int_equal(pop(deque), 4);
}

static void push_one_public(struct bz_deque *deque) {
    push_range_public(deque, 5, 6);
}

static void answer(struct bz_deque *deque) {
    assert_true(bz_deque_expose(deque));
    bz_store_relaxed(&deque->fast, BZ_DEQUE_REQUESTED); /* requests of other thieves */
}

static void help_as_well(struct bz_deque *deque) {
    assert_false(bz_deque_expose_for(deque));
}

static void an_owner_that_polls_meanwhile_is_not_helped(void **state) {
    (void)state;
    struct bz_deque deque;
    assert_true(expose_for(&deque, 5, pop_one)); /* worth another attempt */
    assert_int_equal(steal(&deque), EMPTY);
    for (int i = 3; i >= 0; i--)
        assert_int_equal(pop(&deque), i);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
    assert_true(expose_for(&deque, 5, push_one_public));
    assert_int_equal(bz_deque_public_size(&deque), 6);
    bz_deque_destroy(&deque);
    assert_true(expose_for(&deque, 5, answer));
    assert_int_equal(bz_deque_public_size(&deque), 3);
    bz_deque_destroy(&deque);
}

static void one_thief_helps_at_a_time(void **state) {
    (void)state;
    struct bz_deque deque;
    assert_true(expose_for(&deque, 5, help_as_well));
    assert_int_equal(bz_deque_public_size(&deque), 3);
    bz_deque_destroy(&deque);
}

static void no_thief_exposes_without_a_barrier(void **state) {
    (void)state;
    struct bz_deque deque;
    no_barrier = true;
    assert_false(expose_for(&deque, 5, NULL));
    assert_true(bz_fence_symmetric.v); /* it was refused: no thread tries again */
    no_barrier = false;
    assert_false(bz_deque_expose_for(&deque));
    assert_int_equal(bz_deque_public_size(&deque), 0);
    assert_int_equal(pop(&deque), 4);
    bz_deque_destroy(&deque);
}

static void a_child_has_no_thieves(void **state) {
    (void)state;
    struct bz_deque deque;
    bz_deque_init(&deque, 16);
    push_range(&deque, 0, 3);
    deque.exposer.v = true; /* another thief is exposing */
    deque.public_split.v |= BZ_DEQUE_ASKED;
    bz_deque_forget_thieves(&deque);
    assert_false(deque.exposer.v);
    for (int i = 2; i >= 0; i--)
        assert_int_equal(pop(&deque), i);
    expect_empty(&deque);
    bz_deque_destroy(&deque);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sealed_one_takes_nothing),
        cmocka_unit_test(a_new_deque_is_empty_and_has_a_request),
        cmocka_unit_test(the_owner_pops_the_newest),
        cmocka_unit_test(the_owner_sees_thefts_when_it_checks),
        cmocka_unit_test(thieves_do_not_see_private_jobs),
        cmocka_unit_test(exposing_gives_the_older_half),
        cmocka_unit_test(one_that_has_nothing_to_give_keeps_the_request),
        cmocka_unit_test(a_public_push_makes_older_jobs_public_too),
        cmocka_unit_test(all_can_be_made_public_at_once),
        cmocka_unit_test(pops_pass_from_the_private_to_the_public_part),
        cmocka_unit_test(indices_wrap_around_the_buffer),
        cmocka_unit_test(it_grows_by_doubling),
        cmocka_unit_test(growth_keeps_what_has_wrapped),
        cmocka_unit_test(a_deque_that_cannot_grow_loses_nothing),
        cmocka_unit_test(without_memory_the_first_job_finds_no_room),
        cmocka_unit_test(a_thief_may_refuse_the_oldest),
        cmocka_unit_test(an_answer_counts_only_if_the_claim_succeeds),
        cmocka_unit_test(owner_and_thief_meet_in_the_middle),
        cmocka_unit_test(an_owner_that_does_not_poll_is_helped),
        cmocka_unit_test(an_owner_finds_out_what_was_exposed_for_it),
        cmocka_unit_test(an_owner_that_polls_meanwhile_is_not_helped),
        cmocka_unit_test(one_thief_helps_at_a_time),
        cmocka_unit_test(no_thief_exposes_without_a_barrier),
        cmocka_unit_test(a_child_has_no_thieves),
    };
    return cmocka_run_group_tests_name("deque", tests, NULL, NULL);
}
