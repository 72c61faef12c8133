/* Taskloops: a loop whose iterations are cut into tasks. Its tasks are children of the task that meets it. They are made
 * when their turn comes: what is queued are ranges of task numbers, which whoever takes one splits. So a taskloop of any
 * number of tasks begins at once and needs little memory. See taskloop.c. */
#ifndef BOMP_TASKLOOP_H
#define BOMP_TASKLOOP_H

#include "omp/icv/schedule.h"

/* How the iterations are cut: `each` for a task, the first `more` of them with one more, the last one with what is left. */
struct bomp_cut {
    uint64_t tasks, each, more;
};

/* For a loop of at least one iteration and a team of `size`. */
struct bomp_cut bomp_taskloop_cut(const struct bomp_taskloop *loop, unsigned size);

/* The iterations of a task. */
struct bomp_part bomp_taskloop_part(const struct bomp_taskloop *loop, const struct bomp_cut *cut,
                                    uint64_t number);

#endif
