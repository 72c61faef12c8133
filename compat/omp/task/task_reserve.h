/* Arguments that are reserved before their task is created: behind a descriptor in a slab object, or, if too large, in a
 * block of its extra part. So the task can be queued as it is. If it runs at once, its descriptor is on the stack. */
#ifndef BOMP_TASK_RESERVE_H
#define BOMP_TASK_RESERVE_H

#include "omp/bomp.h"
#include "omp/task/task.h"

/* Their offset in a slab object: the next line. Before them, also in a block, are the caller's note and the descriptor's
 * address. */
#define BOMP_TASK_RESERVED 120
_Static_assert(BOMP_TASK_RESERVED >= sizeof(struct bomp_task) + 2 * sizeof(uint64_t) &&
                   (BOMP_TASK_RESERVED + 8) % 64 == 0,
               "reserved arguments lie behind the descriptor and two words, aligned to 64");

static inline struct bomp_task *bomp_task_of_reserved(void *args) {
    return ((struct bomp_task **)args)[-1];
}

static inline bomp_task_code *bomp_task_reserved_code(const void *args) {
    return ((bomp_task_code *const *)args)[1];
}

static inline void bomp_task_set_reserved_code(void *args, bomp_task_code *code) {
    ((bomp_task_code **)args)[1] = code;
}

/* The function of a plain one. */
static inline void bomp_task_run_code(void *args) {
    int id = (int)bz_thread_number() - 1;
    (void)bomp_task_reserved_code(args)(id, args);
}

#endif
