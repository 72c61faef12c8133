// repeat: 4
// A tied task goes on where it was suspended: same thread number, same threadprivate data, same stack.
#include "../check.h"

static int stamp;
#pragma omp threadprivate(stamp)

static int sum;

/* Not inlined, so that the compiler calls it again after each wait. */
__attribute__((noinline)) static int thread_now(void) {
    __asm__ volatile("" ::: "memory");
    return omp_get_thread_num();
}

__attribute__((noinline)) static int *stamp_now(void) {
    __asm__ volatile("" ::: "memory");
    return &stamp;
}

static void tree(int depth) {
    int me = thread_now();
    int *mine = stamp_now();
    int kept[8];

    for (int i = 0; i < 8; i++)
        kept[i] = depth * 8 + i;
    for (int i = 0; depth > 0 && i < 3; i++) {
#pragma omp task
        tree(depth - 1);
        CHECK_EQ(thread_now(), me);
    }
    if (depth % 2) {
#pragma omp taskyield
        CHECK_EQ(thread_now(), me);
    }
#pragma omp taskwait
    CHECK_EQ(thread_now(), me);
    CHECK(stamp_now() == mine);
    CHECK(me < omp_get_num_threads());
    for (int i = 0; i < 8; i++)
        CHECK_EQ(kept[i], depth * 8 + i);
    count_up(&sum);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 40);

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        {
            int me = thread_now();

            *stamp_now() = me;
#pragma omp single nowait
            tree(4);
#pragma omp barrier
            CHECK_EQ(thread_now(), me);
            CHECK_EQ(*stamp_now(), me);
        }
    }
    CHECK_EQ(sum, rounds * 121);
    printf("nodes %d\n", sum);
    return check_done("task_stays");
}
