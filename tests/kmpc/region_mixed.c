// Calls of GCC's and of clang's code in one process, nested: one numbering of threads, correct levels, and each sees
// the other's settings.
#include "calls.h"

void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
void GOMP_barrier(void);
_Bool GOMP_single_start(void);
void GOMP_critical_name_start(void **), GOMP_critical_name_end(void **);

enum { OUTER = 3, INNER = 2, ROUNDS = 20 };

static int entered, singles, sum;
static critical_name lock;
static int32_t outer_ids[OUTER];

static void check_place(int level, int num, int size) {
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_active_level(), level);
    CHECK_EQ(omp_get_thread_num(), num);
    CHECK_EQ(omp_get_num_threads(), size);
    CHECK_EQ(__kmpc_bound_thread_num(&here), num);
    CHECK_EQ(__kmpc_bound_num_threads(&here), size);
    CHECK(__kmpc_in_parallel(&here));
}

/* ---- clang's inside of gcc's ---- */

static void clang_inner(int32_t *id, int32_t *num, int *outer) {
    CHECK_EQ(*id, ME);
    check_place(2, *num, INNER);
    CHECK_EQ(omp_get_ancestor_thread_num(1), *outer);
    CHECK_EQ(*num == 0, *id == outer_ids[*outer]);
    __kmpc_barrier(&here, *id);
    GOMP_barrier();
    if (GOMP_single_start())
        count_up(&singles);
    if (__kmpc_single(&here, *id)) {
        count_up(&singles);
        __kmpc_end_single(&here, *id);
    }
    __kmpc_critical(&here, *id, &lock);
    sum++;
    __kmpc_end_critical(&here, *id, &lock);
    GOMP_critical_name_start((void **)&lock); /* the word is the same, and so is the lock */
    sum++;
    GOMP_critical_name_end((void **)&lock);
    count_up(&entered);
}

static void gcc_outer(void *data) {
    (void)data;
    int num = omp_get_thread_num();
    outer_ids[num] = ME;
    check_place(1, num, OUTER);
    CHECK_EQ(omp_get_max_threads(), 5);
    REGION(INNER, clang_inner, 1, &num);
    check_place(1, num, OUTER);
    CHECK_EQ(outer_ids[num], ME);
}

/* ---- gcc's inside of clang's ---- */

static void gcc_inner(void *data) {
    int outer = *(int32_t *)data, num = omp_get_thread_num();
    check_place(2, num, INNER);
    CHECK_EQ(omp_get_ancestor_thread_num(1), outer);
    CHECK_EQ(num == 0, ME == outer_ids[outer]);
    GOMP_barrier();
    __kmpc_serialized_parallel(&here, ME);
    CHECK_EQ(omp_get_level(), 3);
    CHECK_EQ(omp_get_active_level(), 2);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(2), num);
    GOMP_barrier();
    __kmpc_end_serialized_parallel(&here, ME);
    check_place(2, num, INNER);
    count_up(&entered);
}

static void clang_outer(int32_t *id, int32_t *num) {
    outer_ids[*num] = *id;
    check_place(1, *num, OUTER);
    GOMP_parallel(gcc_inner, num, INNER, 0);
    check_place(1, *num, OUTER);
    CHECK_EQ(*id, ME);
}

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
    omp_set_num_threads(5);
    CHECK_EQ(ME, 0);
    for (int i = 0; i < ROUNDS; i++) {
        GOMP_parallel(gcc_outer, NULL, OUTER, 0);
        REGION(OUTER, clang_outer, 0);
        CHECK_EQ(ME, 0);
        CHECK_EQ(omp_get_level(), 0);
    }
    CHECK_EQ(entered, 2 * ROUNDS * OUTER * INNER);
    CHECK_EQ(singles, 2 * ROUNDS * OUTER);
    CHECK_EQ(sum, 2 * ROUNDS * OUTER * INNER);
    return check_done("region_mixed");
}
