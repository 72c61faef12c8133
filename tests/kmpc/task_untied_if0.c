// Untied tasks that are undeferred: the caller runs the first part, which submits the rest.
// beyond libomp: it aborts by an assertion
#include "calls.h"
#include "parted.h"

/* Undeferred and untied: the caller runs part 0, which submits the rest; complete_if0 waits for it. */
static void parts_undeferred(int32_t *gtid, int32_t *btid) {
    (void)btid;
    int mine = 0;
    for (int i = 1; i <= 20; i++) {
        struct parted *made = new_parted(*gtid, 0, i % 4, &mine);
        int before = mine;
        CHECK_EQ(made->task.part, 0);
        __kmpc_omp_task_begin_if0(&here, *gtid, &made->task);
        part(*gtid, made);
        __kmpc_omp_task_complete_if0(&here, *gtid, &made->task);
        CHECK_EQ(count_read(&mine), before + 1 + i % 4);
    }
}

/* In clang's code. */
static void of_clang(int threads) {
    int counter = 0;
#pragma omp parallel num_threads(threads)
    for (int i = 0; i < 20; i++) {
        int mine = 0;
#pragma omp task untied if (0) shared(counter, mine)
        {
            count_up(&counter);
#pragma omp taskyield
#pragma omp task shared(mine)
            count_up(&mine);
#pragma omp taskwait
            CHECK_EQ(mine, 1);
            mine++;
            count_up(&counter);
        }
        CHECK_EQ(mine, 2);
    }
    CHECK_EQ(counter, 40 * threads);
}

int main(void) {
    omp_set_dynamic(0);
    for (int threads = 1; threads <= 8; threads *= 2) {
        REGION(threads, parts_undeferred, 0);
        of_clang(threads);
    }
    return check_done("task_untied_if0");
}
