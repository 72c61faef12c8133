/* test_pqueue.c: pqueue.h: highest priority first, first in first out within a priority, filters, and its use by the
 * domain. stress_event.c has many threads. */
#include "sched/pqueue.h"

#include <stdlib.h>

#include "../asserts.h"
#include "sched/worker.h"
#include "team/adopt.h"

enum { MANY = 60 };

static struct bz_pqueue pqueue;
static struct bz_job jobs[MANY];
static struct bz_pqueue_item items[MANY];

static void put(int i, uint32_t priority) {
    items[i].job = &jobs[i];
    items[i].priority = priority;
    bz_pqueue_put(&pqueue, &items[i]);
}

static void expect(int i) {
    assert_ptr_equal(bz_pqueue_take(&pqueue, NULL, NULL), i < 0 ? NULL : &jobs[i]);
}

static bool is(const struct bz_job *job, const void *arg) {
    return job == arg;
}

static bool take_one(int i) {
    bool allowed = bz_pqueue_has_allowed(&pqueue, is, &jobs[i]);
    struct bz_job *job = bz_pqueue_take(&pqueue, is, &jobs[i]);
    assert_true(job == (allowed ? &jobs[i] : NULL));
    return allowed;
}

static int set_up(void **state) {
    (void)state;
    pqueue = (struct bz_pqueue){.first = NULL};
    return 0;
}

static void an_empty_one_gives_nothing(void **state) {
    (void)state;
    assert_int_equal(bz_pqueue_count(&pqueue), 0);
    assert_false(bz_pqueue_has_allowed(&pqueue, NULL, NULL));
    expect(-1);
}

static void highest_priority_first(void **state) {
    (void)state;
    static const uint32_t priorities[] = {3, 1, 3, BZ_PQUEUE_TOP, 2, 1, 3, 0};
    static const int order[] = {3, 0, 2, 6, 4, 1, 5, 7};
    for (int i = 0; i < 8; i++)
        put(i, priorities[i]);
    assert_int_equal(bz_pqueue_count(&pqueue), 8);
    for (int i = 0; i < 8; i++)
        expect(order[i]);
    expect(-1);
    assert_int_equal(bz_pqueue_count(&pqueue), 0);
}

static void a_filter_may_take_from_the_middle(void **state) {
    (void)state;
    static const int picks[] = {4, 0, 8, 1, 7, 2, 6, 3, 5}; /* firsts, lasts and between, of each priority */
    for (int i = 0; i < 9; i++)
        put(i, (uint32_t)(i / 3));
    for (int i = 0; i < 9; i++) {
        assert_true(take_one(picks[i]));
        assert_false(take_one(picks[i]));
        assert_int_equal(bz_pqueue_count(&pqueue), 8 - i);
    }
    expect(-1);
    put(0, 1);
    put(1, 1);
    assert_true(take_one(1));
    put(2, 1); /* behind what is now the last one */
    expect(0);
    expect(2);
    expect(-1);
}

/* Random mixes of both, compared with plain counts. */
static void random_mixes(void **state) {
    (void)state;
    srand(7);
    for (int round = 0; round < 2000; round++) {
        uint32_t priority[MANY];
        int stamp[MANY] = {0}, clock = 0;
        for (int step = 0; step < 2 * MANY; step++) {
            int i = rand() % MANY;
            if (stamp[i] == 0) {
                priority[i] = (uint32_t)(rand() % 5);
                stamp[i] = ++clock;
                put(i, priority[i]);
            } else if (rand() % 2) {
                assert_true(take_one(i));
                stamp[i] = 0;
            } else {
                int best = -1;
                for (int k = 0; k < MANY; k++)
                    if (stamp[k] && (best < 0 || priority[k] > priority[best] ||
                                     (priority[k] == priority[best] && stamp[k] < stamp[best])))
                        best = k;
                expect(best);
                stamp[best] = 0;
            }
        }
        while (bz_pqueue_take(&pqueue, NULL, NULL))
            ;
    }
}

static void workers_search_it_first(void **state) {
    (void)state;
    struct bz_worker *self = bz_worker_adopt();
    struct bz_filter any = {.floor = 0}, own = {.own_only = true}, from = {.victim = self};
    struct bz_filter one = {.may_take = is, .arg = &jobs[1]};
    assert_true(bz_worker_push(self, &jobs[0]));
    items[1] = (struct bz_pqueue_item){.job = &jobs[1]};
    items[2] = (struct bz_pqueue_item){.job = &jobs[2]};
    bz_domain_put(self->domain, self, &items[2]);
    bz_domain_put_from_outside(self->domain, &items[1]);
    assert_true(bz_worker_pqueue_has_allowed(self, &any));
    assert_true(bz_worker_pqueue_has_allowed(self, &one));
    assert_false(bz_worker_pqueue_has_allowed(self, &own));
    assert_false(bz_worker_pqueue_has_allowed(self, &from));
    assert_ptr_equal(bz_worker_find(self, &one), &jobs[1]);
    assert_ptr_equal(bz_worker_find(self, &own), &jobs[0]);
    assert_null(bz_worker_find(self, &own));
    assert_ptr_equal(bz_worker_find(self, &any), &jobs[2]);
    assert_null(bz_worker_find(self, &any));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(an_empty_one_gives_nothing, set_up),
        cmocka_unit_test_setup(highest_priority_first, set_up),
        cmocka_unit_test_setup(a_filter_may_take_from_the_middle, set_up),
        cmocka_unit_test_setup(random_mixes, set_up),
        cmocka_unit_test_setup(workers_search_it_first, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
