// env: OMP_MAX_TASK_PRIORITY=5
// env: OMP_MAX_TASK_PRIORITY=3
// Where a task's priority is passed: one thread queues tasks while the other is busy, and they run in the order of
// their priorities. Values above OMP_MAX_TASK_PRIORITY count as that.
#include "calls.h"

enum { TASKS = 5 };

static const int priorities[TASKS] = {2, 5, 1, 4, 3};
static int order[TASKS], ran, arrived, over;

static int32_t note(int32_t gtid, void *arg) {
    task *mine = arg;
    (void)gtid;
    order[ran++] = *(int *)mine->shareds;
    return 0;
}

static void region(int32_t *gtid, int32_t *btid) {
    start_together(&arrived);
    if (*btid != 0) {
        wait_for_count(&over, 1);
        return;
    }
    for (int i = 0; i < TASKS; i++) {
        task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED | PRIORITY, sizeof(task), sizeof(int), note);
        *(int *)made->shareds = made->data_2.priority = priorities[i];
        __kmpc_omp_task(&here, *gtid, made);
    }
    __kmpc_omp_taskwait(&here, *gtid);
    signal_count(&over);
}

int main(void) {
    int most = omp_get_max_task_priority();
    REGION(2, region, 0);
    CHECK_EQ(ran, TASKS);
    for (int i = 1; i < ran; i++)
        CHECK((order[i - 1] < most ? order[i - 1] : most) >= (order[i] < most ? order[i] : most));
    printf("most %d\n", most);
    return check_done("task_priority");
}
