// repeat: 4
// taskgroup waits for all descendants, taskwait for children only; groups in groups, groups in tasks.
// env: KMP_ENABLE_TASK_THROTTLING=no
#include "../check.h"

static int descendants;

static void grow(int depth) {
    count_up(&descendants);
    for (int i = 0; depth > 0 && i < 3; i++) {
#pragma omp task firstprivate(depth)
        grow(depth - 1);
    }
}

static void groups_wait_for_all(int depth) {
    int expected = 0, row = 1;

    for (int d = 0; d <= depth; d++, row *= 3)
        expected += row;
    descendants = 0;
#pragma omp taskgroup
    grow(depth);
    CHECK_EQ(count_read(&descendants), expected);
}

static void groups_in_groups(void) {
    int inner = 0, outer = 0;

#pragma omp taskgroup
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(inner, outer)
            {
                int mine = 0;

#pragma omp taskgroup
                for (int k = 0; k < 5; k++) {
#pragma omp task shared(mine, inner)
                    {
#pragma omp task shared(mine, inner)
                        {
                            count_up(&mine);
                            count_up(&inner);
                        }
                        count_up(&mine);
                    }
                }
                CHECK_EQ(count_read(&mine), 10);
                count_up(&outer);
            }
        }
    }
    CHECK_EQ(inner, 50);
    CHECK_EQ(outer, 10);
}

static void children_of_taskwait(void) {
    int child = 0;
    static int grandchild;

    grandchild = 0;
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(child)
        {
#pragma omp task
            count_up(&grandchild);
            count_up(&child);
        }
    }
#pragma omp taskwait
    CHECK_EQ(count_read(&child), 20);
#pragma omp taskgroup
    {
#pragma omp taskwait
    }
}

int main(int argc, char **argv) {
    int depth = (int)check_arg(argc, argv, 1, 7);

#pragma omp parallel
    {
#pragma omp single
        {
            groups_wait_for_all(depth);
            groups_in_groups();
            children_of_taskwait();
        }
        /* Each thread its own group. */
        groups_in_groups();
    }
    printf("descendants %d\n", descendants);
    return check_done("task_group");
}
