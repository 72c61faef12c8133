// env: OMP_MAX_ACTIVE_LEVELS=1
// env: OMP_MAX_ACTIVE_LEVELS=3
// repeat: 1
// Regions inside tasks and tasks inside nested regions: tasks belong to the team that created them.
#include "../check.h"

static int leaves;
static long sum;

static void tree(int depth, int size) {
    CHECK_EQ(omp_get_num_threads(), size);
    for (int i = 0; depth > 0 && i < 2; i++) {
#pragma omp task
        tree(depth - 1, size);
    }
    count_up(&leaves);
}

/* A region in a task: its own level, its own tasks, all complete when the region ends. */
static void region_in_task(int number) {
    int level = omp_get_level(), size = omp_get_num_threads(), before = omp_get_thread_num();
    int inner = 0;

#pragma omp parallel num_threads(2) shared(inner)
    {
        int members = omp_get_num_threads();

        CHECK_EQ(omp_get_level(), level + 1);
        CHECK_EQ(omp_get_ancestor_thread_num(level), before);
        for (int i = 0; i < 6; i++) {
#pragma omp task shared(inner)
            {
                CHECK_EQ(omp_get_num_threads(), members);
                CHECK_EQ(omp_get_level(), level + 1);
                count_up(&inner);
            }
        }
#pragma omp taskwait
#pragma omp single
        tree(3, members);
#pragma omp single
        inner += 100 * (6 * members == inner);
    }
    CHECK(inner > 100);
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_num_threads(), size);
    __atomic_fetch_add(&sum, number, __ATOMIC_RELAXED);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 6);

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        {
#pragma omp single
            for (int i = 0; i < 10; i++) {
#pragma omp task
                region_in_task(i);
            }
#pragma omp for schedule(dynamic)
            for (int i = 10; i < 14; i++)
                region_in_task(i);
        }
    }
    CHECK_EQ(leaves, rounds * 14 * 15);
    CHECK_EQ(sum, rounds * 91L);
    printf("leaves %d sum %ld\n", leaves, sum);
    return check_done("task_nested");
}
