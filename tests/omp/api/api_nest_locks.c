// beyond libomp: its nestable locks belong to threads, not to tasks
// Nestable locks: depth, ownership (by the task, not the thread), and exclusion.
#include "../check.h"

static void depths(void) {
    omp_nest_lock_t lock;

    omp_init_nest_lock(&lock);
    for (int depth = 1; depth <= 5; depth++)
        CHECK_EQ(omp_test_nest_lock(&lock), depth);
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 7);
    for (int i = 0; i < 7; i++)
        omp_unset_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    omp_unset_nest_lock(&lock);
    omp_destroy_nest_lock(&lock);
}

/* Another task does not own it, on whatever thread it runs. */
static void owners(void) {
    omp_nest_lock_t lock;
    int refused = 0;

    omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4)
    {
#pragma omp master
        omp_set_nest_lock(&lock);
#pragma omp barrier
        if (omp_get_thread_num() != 0) {
#pragma omp atomic
            refused += omp_test_nest_lock(&lock) == 0;
        } else {
            CHECK_EQ(omp_test_nest_lock(&lock), 2);
            omp_unset_nest_lock(&lock);
#pragma omp task if (0) shared(lock, refused)
            {
#pragma omp atomic
                refused += omp_test_nest_lock(&lock) == 0;
            }
#pragma omp parallel num_threads(1)
            {
#pragma omp atomic
                refused += omp_test_nest_lock(&lock) == 0;
            }
        }
#pragma omp barrier
#pragma omp master
        omp_unset_nest_lock(&lock);
#pragma omp barrier
#pragma omp single
#pragma omp task shared(lock)
        {
            CHECK_EQ(omp_test_nest_lock(&lock), 1);
            omp_set_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
            omp_unset_nest_lock(&lock);
        }
    }
    CHECK_EQ(refused, 5);
    omp_destroy_nest_lock(&lock);
}

static long locked_sum(omp_nest_lock_t *lock, struct gauge *inside, int depth) {
    long sum = depth;

    omp_set_nest_lock(lock);
    if (depth == 3)
        gauge_enter(inside);
    if (depth > 0)
        sum += locked_sum(lock, inside, depth - 1);
    if (depth == 3)
        gauge_leave(inside);
    omp_unset_nest_lock(lock);
    return sum;
}

static long exclusion(int rounds) {
    omp_nest_lock_t lock;
    struct gauge inside = {0, 0, 0};
    long sum = 0;

    omp_init_nest_lock(&lock);
#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        omp_set_nest_lock(&lock);
        sum += locked_sum(&lock, &inside, 3);
        omp_unset_nest_lock(&lock);
    }
    CHECK_EQ(inside.most, 1);
    omp_destroy_nest_lock(&lock);
    return sum;
}

int main(void) {
    enum { ROUNDS = 1000 };
    long sum;

    for (int i = 0; i < 20; i++) {
        depths();
        owners();
    }
    sum = exclusion(ROUNDS);
    CHECK_EQ(sum, 6L * ROUNDS * omp_get_max_threads());
    printf("sum %ld size %d align %d\n", sum, (int)sizeof(omp_nest_lock_t), (int)_Alignof(omp_nest_lock_t));
    return check_done("api_nest_locks");
}
