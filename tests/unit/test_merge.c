/* test_merge.c: merge.h: with BLITZ_DETERMINISTIC the members of a team merge in the order of their numbers, reduction
 * by reduction. Without it, alone, and in a region where a construct was cancelled, no member waits. Also parts that
 * are gathered, unless there is cancellation. */
#include "omp/loop/merge.h"

#include <stdlib.h>
#include <unistd.h>

#include "../asserts.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/team/caller.h"

enum { SIZE = 4, ROUNDS = 20 };

static int merged[SIZE * ROUNDS]; /* members, in order of merging */
static int count;

static void merge(void) {
    bomp_merge_start();
    merged[count++] = bomp_thread_num();
    bomp_merge_end();
}

static void merges(void *data) {
    (void)data;
    for (int i = 0; i < ROUNDS; i++) {
        if (i % 10 == 0) /* so that the others arrive first, and sleep */
            usleep(bomp_thread_num() == 0 ? 20000 : 0);
        merge();
    }
}

static void check_order(int size, int rounds) {
    assert_int_equal(count, size * rounds);
    for (int i = 0; i < count; i++)
        assert_int_equal(merged[i], i % size);
    count = 0;
}

static void members_come_in_order(void **state) {
    static const int sizes[] = {SIZE, 2, 3, 1, SIZE};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        bomp_parallel(merges, NULL, (unsigned)sizes[i]);
        check_order(sizes[i], ROUNDS);
    }
}

/* ---- regions in regions: each team has an order of its own ---- */

static int inner_count[2], wrong[2];

static void inner(void *data) {
    int *mine = data;
    bomp_merge_start();
    wrong[mine - inner_count] += *mine % 2 != bomp_thread_num();
    ++*mine;
    bomp_merge_end();
}

static void outer(void *data) {
    (void)data;
    for (int i = 0; i < ROUNDS; i++)
        bomp_parallel(inner, &inner_count[bomp_thread_num()], 2);
    merge();
}

static void each_team_has_its_own(void **state) {
    (void)state;
    bomp_icv_set_max_active_levels(bomp_icv_own(), 2);
    bomp_parallel(outer, NULL, 2);
    bomp_icv_set_max_active_levels(bomp_icv_own(), 1);
    check_order(2, 1);
    assert_int_equal(inner_count[0], 2 * ROUNDS);
    assert_int_equal(inner_count[1], 2 * ROUNDS);
    assert_int_equal(wrong[0] + wrong[1], 0);
}

/* ---- a member that never arrives ---- */

static void only_the_last(void *data) {
    (void)data;
    if (bomp_thread_num() == SIZE - 1)
        merge();
}

static void no_member_waits_without_determinism(void **state) {
    (void)state;
    bomp_global()->deterministic = false;
    bomp_parallel(only_the_last, NULL, SIZE);
    bomp_global()->deterministic = true;
    assert_int_equal(count, 1);
    count = 0;
    bomp_parallel(merges, NULL, SIZE);
    check_order(SIZE, ROUNDS);
}

static void leaves_early(void *data) {
    if (bomp_thread_num() == 0) {
        usleep(20000); /* the others sleep by now */
        bomp_cancel(*(enum bomp_cancel *)data);
        return;
    }
    bomp_merge_start();
    bomp_merge_end();
}

static void no_member_waits_after_a_cancellation(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        enum bomp_cancel what = i % 2 ? BOMP_CANCEL_PARALLEL : BOMP_CANCEL_LOOP;
        bomp_parallel(leaves_early, &what, SIZE);
        bomp_parallel(merges, NULL, SIZE);
        check_order(SIZE, ROUNDS);
    }
}

/* ---- gathered: the member with all parts merges them ---- */

static long total, wholes;

static void add(void *into, void *from) {
    *(long *)into += *(long *)from;
}

static enum bomp_merge_way give(long part) {
    const struct bomp_merge how = {.data = &part, .combine = add};
    enum bomp_merge_way way = bomp_merge_choose(&how);
    if (way == BOMP_MERGE_ALONE) {
        total += part;
        wholes++;
        bomp_merge_end_alone();
    }
    part = -1000000; /* no member reads it any more */
    return way;
}

static void give_all(void *data) {
    (void)data;
    for (int i = 0; i < ROUNDS * 20; i++) {
        if (i % 100 == 0) /* so that the others sleep */
            usleep((i / 100) % bomp_num_threads() == bomp_thread_num() ? 5000 : 0);
        (void)give(bomp_thread_num() + 1);
        bomp_reduction_barrier();
    }
}

static void check_gathered(int size) {
    assert_int_equal(wholes, ROUNDS * 20);
    assert_int_equal(total, wholes * size * (size + 1) / 2);
    total = wholes = 0;
}

static void parts_become_one(void **state) {
    (void)state;
    bomp_global()->deterministic = bomp_global()->cancellation = false;
    for (int size = 1; size <= 2 * SIZE; size++) {
        bomp_parallel(give_all, NULL, (unsigned)size);
        check_gathered(size);
    }
    bomp_global()->deterministic = bomp_global()->cancellation = true;
}

/* Without a barrier after it no member waits: the last one gives its part late, after the others have gone on. */
static void one_comes_last(void *data) {
    int *through = data;
    long part = 1;
    const struct bomp_merge how = {.data = &part};
    while (bomp_thread_num() == 0 && __atomic_load_n(through, __ATOMIC_ACQUIRE) < bomp_num_threads() - 1)
        usleep(100);
    assert_int_equal(bomp_merge_choose(&how), BOMP_MERGE_ALONE);
    total += part;
    bomp_merge_end_alone();
    __atomic_fetch_add(through, 1, __ATOMIC_ACQ_REL);
}

static void no_member_waits_without_a_barrier(void **state) {
    (void)state;
    bomp_global()->deterministic = false;
    for (int size = 1; size <= 2 * SIZE; size++) {
        int through = 0;
        bomp_parallel(one_comes_last, &through, (unsigned)size);
        assert_int_equal(total, size);
        total = 0;
    }
    bomp_global()->deterministic = true;
}

/* A member may skip a reduction: the others do not wait for its part. */
static void gives_its_own(void *data) {
    (void)data;
    if (bomp_thread_num() != 0)
        assert_int_equal(give(1), BOMP_MERGE_ALONE);
}

static void no_member_leaves_a_part_with_cancellation(void **state) {
    (void)state;
    bomp_global()->deterministic = false;
    bomp_parallel(gives_its_own, NULL, SIZE);
    assert_int_equal(wholes, SIZE - 1);
    total = wholes = 0;
    bomp_global()->deterministic = true;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_come_in_order),
        cmocka_unit_test(each_team_has_its_own),
        cmocka_unit_test(no_member_waits_without_determinism),
        cmocka_unit_test(no_member_waits_after_a_cancellation),
        cmocka_unit_test(parts_become_one),
        cmocka_unit_test(no_member_waits_without_a_barrier),
        cmocka_unit_test(no_member_leaves_a_part_with_cancellation),
    };
    alarm(250); /* a wait for an absent member never ends */
    setenv("BLITZ_DETERMINISTIC", "1", 1);
    setenv("OMP_CANCELLATION", "true", 1);
    unsetenv("OMP_DYNAMIC");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
