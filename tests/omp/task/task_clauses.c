// beyond libomp: it aborts by an assertion for untied undeferred tasks
// repeat
// env: OMP_MAX_TASK_PRIORITY=10
// env: OMP_MAX_TASK_PRIORITY=0
// if, final, mergeable, untied, priority: the guarantees of each.
#include "../check.h"

static int total;

/* if(0): complete when the construct ends, on this thread, and still a separate task. */
static void undeferred(int no) {
    int done = 0;

    for (int i = 0; i < 20; i++) {
        int me = omp_get_thread_num();

#pragma omp task shared(done) if (no)
        {
            CHECK_EQ(omp_get_thread_num(), me);
            CHECK(!omp_in_final());
            done++;
        }
        CHECK_EQ(done, i + 1);
    }
}

/* Everything below a final task is final and runs at once. */
static int final_tree(int depth, int cut) {
    int left = 0, right = 0, ran_at_once = 1;

    if (depth == 0)
        return 1;
#pragma omp task shared(left, ran_at_once) final(depth <= cut) mergeable
    {
        CHECK_EQ(omp_in_final(), depth <= cut);
        left = final_tree(depth - 1, cut);
        ran_at_once = 2;
    }
    if (omp_in_final())
        CHECK_EQ(ran_at_once, 2);
#pragma omp task shared(right) final(depth <= cut)
    right = final_tree(depth - 1, cut);
#pragma omp taskwait
    return left + right;
}

static void with_priorities(int count) {
#pragma omp taskgroup
    for (int i = 0; i < count; i++) {
#pragma omp task priority(i % 20) firstprivate(i)
        {
#pragma omp atomic
            total += i;
        }
    }
}

static void untied_and_mixed(int count) {
    for (int i = 0; i < count; i++) {
#pragma omp task untied firstprivate(i) if (i % 3) final(i % 5 == 0) priority(i)
        {
            for (int k = 0; k < 3; k++) {
#pragma omp task untied
                {
#pragma omp atomic
                    total++;
                }
            }
            if (i % 2) {
#pragma omp taskwait
            }
#pragma omp taskyield
        }
    }
#pragma omp taskwait
}

int main(void) {
    int leaves = 0;

#pragma omp parallel
    {
        undeferred(0);
#pragma omp single
        {
            leaves = final_tree(10, 4);
            CHECK_EQ(final_tree(6, 6), 64);
            CHECK_EQ(final_tree(6, 0), 64);
            with_priorities(200);
            untied_and_mixed(200);
        }
    }
    CHECK_EQ(leaves, 1024);
    CHECK_EQ(total, 199 * 100 + 600);
    CHECK(!omp_in_final());
    printf("leaves %d total %d\n", leaves, total);
    return check_done("task_clauses");
}
