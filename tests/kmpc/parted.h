/* A task in parts, as compilers split untied ones: each part but the last one submits the task again. */
#ifndef KMPC_PARTED_H
#define KMPC_PARTED_H

#include "calls.h"

struct parted {
    task task;
    int *counter;
    int parts, running;
};

/* Part k does its share, submits the task for part k + 1, and returns. */
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

#endif
