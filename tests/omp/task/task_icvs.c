// repeat
// Each task has its own internal control variables, inherited at its creation and never passed back.
#include "../check.h"

static void check_icvs(int threads, int chunk) {
    omp_sched_t kind;
    int now;

    omp_get_schedule(&kind, &now);
    CHECK_EQ(omp_get_max_threads(), threads);
    CHECK_EQ(kind & 0x7fffffff, omp_sched_guided);
    CHECK_EQ(now, chunk);
}

static void set_icvs(int threads, int chunk) {
    omp_set_num_threads(threads);
    omp_set_schedule(omp_sched_guided, chunk);
}

static void implicit_tasks(void) {
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();

        check_icvs(5, 9);
        set_icvs(10 + me, 20 + me);
#pragma omp barrier
        check_icvs(10 + me, 20 + me);
        omp_set_dynamic(me % 2);
#pragma omp barrier
        CHECK_EQ(omp_get_dynamic(), me % 2);
    }
    check_icvs(5, 9);
    CHECK_EQ(omp_get_dynamic(), 0);
}

static void explicit_tasks(int deferred) {
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 30; i++) {
        set_icvs(40 + i, 50 + i);
#pragma omp task firstprivate(i) if (deferred)
        {
            check_icvs(40 + i, 50 + i);
            set_icvs(100 + i, 200 + i);
#pragma omp task firstprivate(i) if (i % 2)
            {
                check_icvs(100 + i, 200 + i);
                set_icvs(3, 4);
            }
#pragma omp taskwait
            check_icvs(100 + i, 200 + i);
        }
        check_icvs(40 + i, 50 + i);
    }
    check_icvs(5, 9);
}

/* A region in a task has the size that the task set. */
static int region_sizes(void) {
    int sizes = 0;

    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 1; i <= 4; i++) {
#pragma omp task firstprivate(i)
        {
            omp_set_num_threads(i);
#pragma omp parallel
#pragma omp single
            {
                CHECK_EQ(omp_get_num_threads(), i);
                CHECK_EQ(omp_get_max_threads(), i);
            }
#pragma omp atomic
            sizes += i;
        }
    }
    return sizes;
}

int main(void) {
    int sizes;

    set_icvs(5, 9);
    implicit_tasks();
    explicit_tasks(1);
    explicit_tasks(0);
    sizes = region_sizes();
    CHECK_EQ(sizes, 10);
    check_icvs(5, 9);
    printf("sizes %d\n", sizes);
    return check_done("task_icvs");
}
