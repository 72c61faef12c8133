// repeat: 300
// Deep recursion of tasks: with a taskwait at every depth, without any, and as a comb.
#include "../../sanitized.h"
#include "../check.h"

static int visited;

static int down_and_wait(int depth) {
    int below = 0;

    if (depth == 0)
        return 0;
#pragma omp task shared(below)
    below = down_and_wait(depth - 1);
#pragma omp taskwait
    return below + 1;
}

static void down(int depth) {
    count_up(&visited);
    if (depth == 0)
        return;
#pragma omp task
    down(depth - 1);
}

/* One child goes on, the other is a leaf; its parent waits for both at the end. */
static int comb(int depth) {
    int rest = 0, leaf = 0;

    if (depth == 0)
        return 0;
#pragma omp task shared(leaf)
    leaf = depth;
#pragma omp task shared(rest)
    rest = comb(depth - 1);
#pragma omp taskwait
    return rest + leaf;
}

int main(int argc, char **argv) {
    /* ThreadSanitizer has room for 65536 calls; a task takes four. */
    int depth = (int)check_arg(argc, argv, 1, UNDER_TSAN ? 300 : SANITIZED ? 500 : 5000);
    int reached = 0, sum = 0;

#pragma omp parallel
    {
#pragma omp single
        {
            reached = down_and_wait(depth);
            sum = comb(depth / 2);
            down(depth * 40);
        }
    }
    CHECK_EQ(reached, depth);
    CHECK_EQ(sum, depth / 2 * (depth / 2 + 1) / 2);
    CHECK_EQ(visited, depth * 40 + 1);
    return check_done("task_deep");
}
