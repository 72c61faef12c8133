// omp_set_num_threads, omp_set_dynamic, omp_set_schedule: their effects, the tasks that see them, and the values that
// they refuse.
#include "../check.h"

static int size_of_region(void) {
    int size = 0;

#pragma omp parallel reduction(+ : size)
    size++;
    return size;
}

static void num_threads(void) {
    for (int n = 1; n <= 9; n += 2) {
        omp_set_num_threads(n);
        CHECK_EQ(omp_get_max_threads(), n);
        CHECK_EQ(size_of_region(), n);
#pragma omp parallel num_threads(2)
        CHECK_EQ(omp_get_max_threads(), n);
    }
    omp_set_num_threads(0);
    printf("after 0: %d\n", omp_get_max_threads());
    CHECK_EQ(size_of_region(), omp_get_max_threads());
    omp_set_num_threads(-5);
    printf("after -5: %d\n", omp_get_max_threads());

    /* A value set inside a region belongs to that implicit task, and applies to regions nested in it. */
    omp_set_num_threads(3);
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
        int me = omp_get_thread_num();

        omp_set_num_threads(me + 1);
        CHECK_EQ(size_of_region(), me + 1);
#pragma omp barrier
        CHECK_EQ(omp_get_max_threads(), me + 1);
    }
    omp_set_max_active_levels(1);
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(size_of_region(), 3);
}

static void dynamic(void) {
    CHECK_EQ(omp_get_dynamic(), 0);
    omp_set_dynamic(7);
    CHECK_EQ(omp_get_dynamic(), 1);
    CHECK(size_of_region() >= 1 && size_of_region() <= omp_get_max_threads());
#pragma omp parallel
    {
        CHECK_EQ(omp_get_dynamic(), 1);
        omp_set_dynamic(0);
    }
    CHECK_EQ(omp_get_dynamic(), 1);
    omp_set_dynamic(0);
    CHECK_EQ(omp_get_dynamic(), 0);
    CHECK_EQ(size_of_region(), 3);
}

static void check_schedule(omp_sched_t kind, int chunk) {
    omp_sched_t now;
    int now_chunk;

    omp_get_schedule(&now, &now_chunk);
    CHECK_EQ(now & 0x7fffffff, kind);
    CHECK_EQ(now_chunk, chunk);
}

static void schedule(void) {
    omp_set_schedule(omp_sched_guided, 11);
#pragma omp parallel num_threads(4)
    {
        int me = omp_get_thread_num();

        check_schedule(omp_sched_guided, 11);
        omp_set_schedule(me % 2 ? omp_sched_dynamic : omp_sched_static, 20 + me);
#pragma omp barrier
        check_schedule(me % 2 ? omp_sched_dynamic : omp_sched_static, 20 + me);
#pragma omp parallel num_threads(2)
        check_schedule(me % 2 ? omp_sched_dynamic : omp_sched_static, 20 + me);
    }
    check_schedule(omp_sched_guided, 11);
}

int main(void) {
    printf("at first %d\n", omp_get_max_threads());
    num_threads();
    dynamic();
    schedule();
    printf("at last %d\n", omp_get_max_threads());
    return check_done("api_settings");
}
