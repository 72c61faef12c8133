// threads: 1 2 8
// beyond libomp: it aborts by assertions
// Taskloops that no compiler emits but the calls allow. Untied ones whose tasks have parts: each part of each task runs
// once, in order, and sees the previous one's data. Bounds of signed variables, and at the ends of the type.
#include "calls.h"

typedef struct {
    loop_task loop;
    int64_t seen, *sum;
    int *ended;
} part_task;

enum { PARTS = 4 };

static int32_t parts(int32_t gtid, void *arg) {
    part_task *task = arg;
    int part = task->loop.task.part;
    CHECK_EQ(gtid, ME);
    if (part > 0) {
        CHECK_EQ(task->seen, part - 1);
        task->seen = part;
    }
    for (uint64_t i = task->loop.low; part > 0 && i <= task->loop.up; i++)
        __atomic_fetch_add(task->sum, (int64_t)i, __ATOMIC_RELAXED);
    if (part == PARTS) {
        count_up(task->ended);
        return 0;
    }
    task->loop.task.part = part + 1;
    __kmpc_omp_task(&here, gtid, &task->loop.task);
    return 0;
}

static int32_t destroy(int32_t gtid, void *arg) {
    part_task *task = arg;
    CHECK(task->seen == PARTS || task->loop.task.part == 0); /* the pattern never ran */
    CHECK_EQ(gtid, ME);
    return 0;
}

static void dup(task *to, task *from, int32_t last) {
    (void)last;
    CHECK_EQ(((part_task *)to)->seen, ((part_task *)from)->seen);
}

static void one(int flags, int deferred, duplicate *copy) {
    int64_t sum = 0;
    int ended = 0;
    part_task *pattern = (part_task *)__kmpc_omp_task_alloc(&here, ME, flags, sizeof(part_task), 0, parts);
    pattern->loop.low = 1;
    pattern->loop.up = 100;
    pattern->loop.step = 1;
    pattern->loop.task.data_1.destructors = destroy;
    pattern->seen = 0;
    pattern->sum = &sum;
    pattern->ended = &ended;
    __kmpc_taskgroup(&here, ME);
    __kmpc_taskloop(&here, ME, &pattern->loop.task, deferred, &pattern->loop.low, &pattern->loop.up, 1, 1, 1,
                    7, copy);
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(sum, 5050 * PARTS);
    CHECK_EQ(ended, 14);
}

/* ---- bounds ---- */

static int sizes[101]; /* tasks of N iterations */
static uint64_t sum_of_bounds;

static int32_t bounds(int32_t gtid, void *arg) {
    loop_task *task = arg;
    uint64_t count = (task->up - task->low) / (uint64_t)task->step + 1;
    if (task->step < 0)
        count = (task->low - task->up) / -(uint64_t)task->step + 1;
    CHECK_EQ(gtid, ME);
    CHECK_EQ(task->low + (count - 1) * (uint64_t)task->step, task->up);
    if (count <= 100)
        count_up(&sizes[count]);
    __atomic_fetch_add(&sum_of_bounds, task->low - task->up, __ATOMIC_RELAXED);
    return 0;
}

/* The sum of low - up over all tasks lacks the gaps between them. */
static void check_bounds(uint64_t low, uint64_t up, int64_t step, int tasks, int size, int count) {
    task *pattern = __kmpc_omp_task_alloc(&here, ME, TIED, sizeof(loop_task), 0, bounds);
    loop_task *loop = (loop_task *)pattern;
    loop->low = low;
    loop->up = up;
    loop->step = step;
    memset(sizes, 0, sizeof sizes);
    sum_of_bounds = 0;
    __kmpc_taskgroup(&here, ME);
    __kmpc_taskloop(&here, ME, pattern, 1, &loop->low, &loop->up, step, 1, 2, (uint64_t)tasks, NULL);
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(sum_of_bounds, low - up + (uint64_t)step * (uint64_t)(tasks - 1));
    CHECK_EQ(sizes[size], count);
}

static void all_bounds(void) {
    check_bounds(9, 0, -1, 4, 3, 2);
    check_bounds(30, 0, -3, 5, 2, 4);
    check_bounds((uint64_t)-20, 20, 4, 5, 2, 4);
    check_bounds(20, (uint64_t)-20, -4, 5, 3, 1);
    check_bounds(0, UINT64_MAX - 1, 1, 7, 100, 0);
    check_bounds(UINT64_MAX - 60, UINT64_MAX, 5, 7, 2, 6);
    check_bounds((uint64_t)INT64_MIN, (uint64_t)INT64_MAX, 3, 5, 100, 0);
    check_bounds(UINT64_MAX, UINT64_MAX - 12, -3, 5, 1, 5);
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 200; i++)
        one(i % 2 ? DESTRUCTORS : 0, i % 3, i % 5 < 2 ? dup : NULL);
#pragma omp parallel
#pragma omp single
    all_bounds();
    one(DESTRUCTORS, 1, NULL);
    return check_done("taskloop_beyond");
}
