/* The seam between OpenMP's meaning and the ABIs: what compat/gomp (and a sibling for another compiler) may use of
 * compat/omp. Entry points decode their arguments, make one of these calls, and encode the result. Plain C types only:
 * no layout of any ABI comes in here, no structure of the scheduler goes out. */
#ifndef BOMP_H
#define BOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export.h"
#include "report.h"

/* ---- parallel regions ---- */

/* Runs fn(data) on every thread of a new team of `threads` (0: as the ICVs say); returns when the region and all its tasks
 * are complete. */
void bomp_parallel(void (*fn)(void *), void *data, unsigned threads);

/* The same in two halves: between them the caller, thread 0 of the team, runs its own part. */
void bomp_parallel_begin(void (*fn)(void *), void *data, unsigned threads);
void bomp_parallel_end(void);

/* A loop or a number of sections that all members find started: the combined constructs. End: bomp_parallel_end. */
struct bomp_loop;
void bomp_parallel_loop_begin(void (*fn)(void *), void *data, unsigned threads, const struct bomp_loop *loop);
void bomp_parallel_sections_begin(void (*fn)(void *), void *data, unsigned threads, unsigned count);

/* ---- tasks ---- */

/* What a task construct says. */
struct bomp_task_spec {
    void (*fn)(void *);
    void *data;                   /* the arguments; gone when the call returns */
    void (*copy)(void *, void *); /* copies them (destination, data); NULL: memcpy */
    size_t size, align;           /* of the copy */
    bool undeferred;              /* if clause false */
    bool final;                   /* final clause true */
};

/* Creates the task, or runs it at once where that is as good (task_policy.h). */
void bomp_task_create(const struct bomp_task_spec *spec);

/* The same for the common case: no copy function, no clause that matters. */
void bomp_task_plain(void (*fn)(void *), void *data, size_t size, size_t align);

/* Waits for the current task's children; runs its descendants meanwhile. */
void bomp_taskwait(void);
/* Runs another task, if there is one that may run here. */
void bomp_taskyield(void);

void bomp_taskgroup_start(void);
/* Waits for all tasks created in the group, and their descendants; runs the current task's descendants meanwhile. */
void bomp_taskgroup_end(void);

/* ---- worksharing and synchronisation ---- */

#endif
