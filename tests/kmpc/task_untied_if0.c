// Untied tasks that are undeferred: the caller runs the first part, which hands the rest in.
// beyond libomp: it aborts by an assertion
#include "calls.h"

struct parted {
    task task;
    int *counter;
    int parts, running;
};

/* Part k does its share, hands itself in for part k + 1, and returns. */
static int32_t part(int32_t gtid, void *arg) {
    struct parted *mine = arg;
    CHECK_EQ(gtid, ME);
    CHECK_EQ(__atomic_fetch_add(&mine->running, 1, __ATOMIC_RELAXED), 0);
    int now = mine->task.part;
    count_up(mine->counter);
    __atomic_fetch_sub(&mine->running, 1, __ATOMIC_RELAXED);
    if (now < mine->parts) {
        mine->task.part = now + 1;
        __kmpc_omp_task(&here, gtid, &mine->task);
    }
    return 0;
}

static struct parted *new_parted(int32_t gtid, int flags, int parts, int *counter) {
    struct parted *made = (void *)__kmpc_omp_task_alloc(&here, gtid, flags, sizeof *made, 0, part);
    made->counter = counter;
    made->parts = parts;
    made->running = 0;
    return made;
}

/* Undeferred and untied: the caller runs part 0, which hands the rest in; complete_if0 waits for it. */
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

/* As clang makes it. */
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
