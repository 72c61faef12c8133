/* api_reducer.c: the guarantees of blitz/reducer.h. Also compiled as serial code and as C++, with the same results. */
#include <blitz/cilk.h>
#include <blitz/reducer.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "../asserts.h"
#ifdef __cplusplus
}
#endif

enum { TIMES = 30, MANY = 20000, DEPTH = 12 };

/* ---- order ---- */

/* A tree in order: left, itself, right. */
BLITZ_VOID_TASK_3(walk, int, lo, int, hi, blitz_reducer *, words) {
    if (lo >= hi)
        return;
    int middle = lo + (hi - lo) / 2;
    CILK_SPAWN(left, walk, lo, middle, words);
    blitz_text_print(BLITZ_VIEW(blitz_text, words), "%d ", middle);
    BLITZ_CALL(walk, middle + 1, hi, words);
    CILK_SYNC(left, walk);
}

static void check_counting(blitz_text *text, int n) {
    char *at = text->data;
    assert_int_equal(text->error, 0);
    assert_int_equal(text->size, strlen(text->data));
    for (int i = 0; i < n; i++)
        assert_int_equal(strtol(at, &at, 10), i);
    assert_string_equal(at, " ");
    blitz_text_free(text);
    assert_null(text->data);
}

static void a_tree_is_written_in_order(void **state) {
    (void)state;
    for (int i = 0; i < TIMES; i++) {
        blitz_reducer words;
        blitz_text text = BLITZ_TEXT_EMPTY;
        assert_int_equal(blitz_reducer_begin(&words, &blitz_text_op, NULL, &text), 0);
        walk(0, 1 << DEPTH, &words);
        assert_int_equal(blitz_reducer_end(&words), 0);
        check_counting(&text, 1 << DEPTH);
    }
}

BLITZ_LOOP_1(write_index, i, blitz_reducer *, words) {
    blitz_text_print(BLITZ_VIEW(blitz_text, words), "%d ", (int)i);
}

static void a_loop_is_written_in_order(void **state) {
    (void)state;
    for (int i = 0; i < TIMES; i++) {
        blitz_reducer words;
        blitz_text text = BLITZ_TEXT_EMPTY;
        assert_int_equal(blitz_reducer_begin(&words, &blitz_text_op, NULL, &text), 0);
        CILK_FOR(write_index, 0, MANY / 2, &words);
        blitz_text_print(BLITZ_VIEW(blitz_text, &words), "%d ", MANY / 2);
        CILK_FOR(write_index, MANY / 2 + 1, MANY, &words);
        assert_int_equal(blitz_reducer_end(&words), 0);
        check_counting(&text, MANY);
    }
}

/* Later spawns stay open while older ones are synced; a block syncs what is left. */
BLITZ_VOID_TASK_2(write_number, int, n, blitz_reducer *, words) {
    blitz_text_print(BLITZ_VIEW(blitz_text, words), "%d ", n);
}
BLITZ_VOID_TASK_1(out_of_order, blitz_reducer *, words) {
    CILK_SPAWN(a, write_number, 0, words);
    BLITZ_CALL(write_number, 1, words);
    CILK_SCOPE {
        CILK_SPAWN(b, write_number, 2, words);
        BLITZ_CALL(write_number, 3, words);
        CILK_SPAWN(c, write_number, 4, words);
        CILK_SYNC(b, write_number);
        BLITZ_CALL(write_number, 5, words);
    }
    CILK_SPAWN(d, write_number, 6, words);
    CILK_SYNC(a, write_number);
    BLITZ_CALL(write_number, 7, words);
}

static void syncs_may_come_in_any_order(void **state) {
    (void)state;
    for (int i = 0; i < 100 * TIMES; i++) {
        blitz_reducer words;
        blitz_text text = BLITZ_TEXT_EMPTY;
        assert_int_equal(blitz_reducer_begin(&words, &blitz_text_op, NULL, &text), 0);
        out_of_order(&words);
        assert_int_equal(blitz_reducer_end(&words), 0);
        check_counting(&text, 8);
    }
}

/* ---- predefined reducers ---- */

struct all {
    blitz_reducer sum, least, greatest, best, list, bits;
};
struct number {
    blitz_item item;
    int64_t value;
};

static int64_t scatter(size_t i) {
    return (int64_t)((i * 7919) % 10007) - 5000;
}

BLITZ_LOOP_2(add_number, i, struct all *, all, struct number *, numbers) {
    int64_t value = numbers[i].value = scatter(i);
    *BLITZ_VIEW(int64_t, &all->sum) += value;
    int64_t *least = BLITZ_VIEW(int64_t, &all->least), *greatest = BLITZ_VIEW(int64_t, &all->greatest);
    *least = value < *least ? value : *least;
    *greatest = value > *greatest ? value : *greatest;
    *BLITZ_VIEW(uint64_t, &all->bits) |= (uint64_t)1 << (i % 64);
    blitz_best candidate = {(double)(value / 100), &numbers[i]};
    blitz_best_max(BLITZ_VIEW(blitz_best, &all->best), &candidate, NULL);
    blitz_list_append(BLITZ_VIEW(blitz_list, &all->list), &numbers[i].item);
}

static void several_reduce_the_same_loop(void **state) {
    static struct number numbers[MANY];
    (void)state;
    struct all all;
    int64_t sum = 5, least = INT64_MAX, greatest = INT64_MIN, expected = 5;
    uint64_t bits = 0;
    blitz_best best = blitz_best_of_none_max;
    blitz_list list = BLITZ_LIST_EMPTY;
    size_t first_best = 0, count = 0;
    assert_int_equal(blitz_reducer_begin(&all.sum, &blitz_sum_int64_op, NULL, &sum), 0);
    assert_int_equal(blitz_reducer_begin(&all.least, &blitz_min_int64_op, NULL, &least), 0);
    assert_int_equal(blitz_reducer_begin(&all.greatest, &blitz_max_int64_op, NULL, &greatest), 0);
    assert_int_equal(blitz_reducer_begin(&all.bits, &blitz_or_uint64_op, NULL, &bits), 0);
    assert_int_equal(blitz_reducer_begin(&all.best, &blitz_best_max_op, NULL, &best), 0);
    assert_int_equal(blitz_reducer_begin(&all.list, &blitz_list_op, NULL, &list), 0);
    CILK_FOR(add_number, 0, MANY, &all, numbers);
    assert_int_equal(blitz_reducer_end(&all.sum), 0); /* in any order */
    assert_int_equal(blitz_reducer_end(&all.list), 0);
    assert_int_equal(blitz_reducer_end(&all.least), 0);
    assert_int_equal(blitz_reducer_end(&all.best), 0);
    assert_int_equal(blitz_reducer_end(&all.greatest), 0);
    assert_int_equal(blitz_reducer_end(&all.bits), 0);
    for (size_t i = 0; i < MANY; i++) {
        expected += scatter(i);
        if (scatter(i) / 100 > scatter(first_best) / 100)
            first_best = i;
    }
    assert_true(sum == expected && least == -5000 && greatest == 5006 && bits == UINT64_MAX);
    assert_ptr_equal(best.item, &numbers[first_best]);
    for (blitz_item *item = list.first; item; item = item->next)
        assert_ptr_equal(item, &numbers[count++].item);
    assert_true(count == MANY && list.count == MANY);
}

/* ---- reducers in tasks, and large ones ---- */

struct wide {
    uint64_t sums[600];
};
static const struct wide none = {{0}};

static void add_wide(void *left, void *right, void *ctx) {
    ++*(int *)ctx;
    for (int i = 0; i < 600; i++)
        ((struct wide *)left)->sums[i] += ((struct wide *)right)->sums[i];
}
static const blitz_reducer_op wide_op = {sizeof(struct wide), &none, add_wide};

BLITZ_TASK_2(uint64_t, tree_sum, int, depth, blitz_reducer *, outer) {
    int combined = 0;
    struct wide wide = none;
    blitz_reducer inner;
    if (blitz_reducer_begin(&inner, &wide_op, &combined, &wide))
        abort();
    BLITZ_VIEW(struct wide, outer)->sums[depth] += 1;
    if (depth > 0) {
        CILK_SPAWN(x, tree_sum, depth - 1, &inner);
        BLITZ_VIEW(struct wide, &inner)->sums[599] += 1;
        BLITZ_CALL(tree_sum, depth - 1, &inner);
        CILK_SYNC(x, tree_sum);
    }
    if (blitz_reducer_end(&inner))
        abort();
    return wide.sums[depth > 0 ? depth - 1 : 0] + wide.sums[599];
}

static void tasks_have_reducers_of_their_own(void **state) {
    (void)state;
    for (int i = 0; i < TIMES; i++) {
        int combined = 0;
        struct wide wide = none;
        blitz_reducer top;
        assert_int_equal(blitz_reducer_begin(&top, &wide_op, &combined, &wide), 0);
        assert_int_equal(tree_sum(8, &top), 3);
        assert_int_equal(blitz_reducer_end(&top), 0);
        assert_int_equal(wide.sums[8], 1);
    }
}

/* ---- without parallel work, and wrong use ---- */

static void alone_the_view_is_the_value(void **state) {
    (void)state;
    blitz_reducer sum;
    long value = 40;
    assert_int_equal(blitz_reducer_begin(&sum, &blitz_sum_long_op, NULL, &value), 0);
    *BLITZ_VIEW(long, &sum) += 2;
    assert_int_equal(blitz_reducer_end(&sum), 0);
    assert_int_equal(value, 42);
}

static void wrong_arguments_are_refused(void **state) {
    (void)state;
    blitz_reducer sum;
    long value = 0;
    blitz_reducer_op op = blitz_sum_long_op;
    assert_int_equal(blitz_reducer_begin(NULL, &op, NULL, &value), EINVAL);
    assert_int_equal(blitz_reducer_begin(&sum, NULL, NULL, &value), EINVAL);
    assert_int_equal(blitz_reducer_begin(&sum, &op, NULL, NULL), EINVAL);
    op.size = 0;
    assert_int_equal(blitz_reducer_begin(&sum, &op, NULL, &value), EINVAL);
    op = blitz_sum_long_op;
    op.combine = NULL;
    assert_int_equal(blitz_reducer_begin(&sum, &op, NULL, &value), EINVAL);
    op = blitz_sum_long_op;
    op.identity = NULL;
    assert_int_equal(blitz_reducer_begin(&sum, &op, NULL, &value), EINVAL);
    assert_int_equal(blitz_reducer_end(NULL), EINVAL);
}

/* ---- workers ---- */

BLITZ_LOOP_1(note_worker, i, int *, wrong) {
    (void)i;
    if (CILK_WORKER_NUMBER >= CILK_WORKER_COUNT + 1)
        *wrong = 1;
}

static void workers_have_numbers(void **state) {
    (void)state;
    int wrong = 0;
    CILK_FOR(note_worker, 0, 1000, &wrong);
    assert_int_equal(wrong, 0);
#ifdef BLITZ_SERIAL
    assert_int_equal(CILK_WORKER_COUNT, 1);
#else
    assert_int_equal(CILK_WORKER_COUNT, 4);
#endif
    assert_int_equal(CILK_WORKER_NUMBER, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_is_written_in_order),       cmocka_unit_test(a_loop_is_written_in_order),
        cmocka_unit_test(syncs_may_come_in_any_order),      cmocka_unit_test(several_reduce_the_same_loop),
        cmocka_unit_test(tasks_have_reducers_of_their_own), cmocka_unit_test(alone_the_view_is_the_value),
        cmocka_unit_test(wrong_arguments_are_refused),      cmocka_unit_test(workers_have_numbers),
    };
#ifndef BLITZ_SERIAL
    static blitz_config config; /* all zero, in C and in C++ */
    config.workers = 4;
    if (blitz_configure(&config))
        return 1;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
