/* Jobs for tests of the deque, by number. */
#ifndef DEQUE_JOBS_H
#define DEQUE_JOBS_H

#include "../asserts.h"
#include "sched/deque.h"

#define MANY 1000

/* Never run: a deque only moves addresses. */
static struct bz_job jobs[MANY];

static inline int number_of(const struct bz_job *job) {
    return job ? (int)(job - jobs) : -1;
}

static inline int pop(struct bz_deque *deque) {
    return number_of(bz_deque_pop(deque));
}

/* The result of a steal: a job's number, or -1 - (enum bz_steal). */
static inline int steal(struct bz_deque *deque) {
    struct bz_job *job = NULL;
    enum bz_steal result = bz_deque_steal(deque, NULL, NULL, &job);
    return result == BZ_STEAL_TAKEN ? number_of(job) : -1 - (int)result;
}

enum { EMPTY = -1 - BZ_STEAL_EMPTY, REFUSED = -1 - BZ_STEAL_REFUSED };

static inline void push_range(struct bz_deque *deque, int from, int to) {
    for (int i = from; i < to; i++)
        assert_true(bz_deque_push(deque, &jobs[i]));
}

static inline void push_range_public(struct bz_deque *deque, int from, int to) {
    for (int i = from; i < to; i++)
        assert_true(bz_deque_push_public(deque, &jobs[i]));
}

static inline void expect_empty(struct bz_deque *deque) {
    assert_int_equal(steal(deque), EMPTY);
    assert_int_equal(pop(deque), -1);
    assert_int_equal(bz_deque_bottom(deque), deque->top.v);
    assert_int_equal(deque->split, bz_deque_bottom(deque));
    assert_int_equal(deque->public_split.v, bz_deque_bottom(deque));
    assert_int_equal(bz_deque_size(deque), 0);
    assert_false(bz_deque_has_public(deque));
}

#endif
