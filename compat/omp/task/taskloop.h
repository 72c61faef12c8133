/* Taskloops: loops whose iterations are cut into child tasks. The queue holds ranges of task numbers, which the threads that
 * take them split; a task exists only while it runs. So a taskloop begins at once and needs little memory: taskloop.c. */
#ifndef BOMP_TASKLOOP_H
#define BOMP_TASKLOOP_H

#include "omp/icv/schedule.h"

/* Each task has `each` iterations, the first `more` tasks one more, the last one the rest. */
struct bomp_cut {
    uint64_t tasks, each, more;
};

/* For a loop of at least one iteration and a team of `size`. */
struct bomp_cut bomp_taskloop_cut(const struct bomp_taskloop *loop, unsigned size);

/* The iterations of a task. */
struct bomp_part bomp_taskloop_part(const struct bomp_taskloop *loop, const struct bomp_cut *cut,
                                    uint64_t number);

#endif
