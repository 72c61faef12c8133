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

/* A loop as all of them are brought to, whatever the type of the program's variable: iteration i, of 0 to count - 1,
 * has the value base + i * step modulo 2^64. bomp_loop_signed and bomp_loop_unsigned fill in the first four. */
struct bomp_loop {
    uint64_t base, step, count;
    uint64_t end;      /* the program's own bound, which the last chunk ends with */
    uint64_t chunk;    /* iterations handed out at a time; 0: not said */
    uint32_t schedule; /* BOMP_LOOP_*: a kind, perhaps with flags */
};

/* Kinds, numbered as in omp_sched_t; RUNTIME is what the current task's ICV says. */
#define BOMP_LOOP_RUNTIME 0u
#define BOMP_LOOP_STATIC 1u
#define BOMP_LOOP_DYNAMIC 2u
#define BOMP_LOOP_GUIDED 3u
#define BOMP_LOOP_AUTO 4u
#define BOMP_LOOP_KIND 0xffu
/* Flags: there are ordered regions in it; every thread gets its iterations in increasing order. */
#define BOMP_LOOP_ORDERED 0x40000000u
#define BOMP_LOOP_MONOTONIC 0x80000000u

/* Iterations handed to a thread, as values: from first, in steps, until end is reached or passed. */
struct bomp_span {
    uint64_t first, end;
};

/* From start until end is reached or passed, in steps of step; its sign, or up, says in which direction. A step of 0
 * and a bound in the other direction make no iterations. */
void bomp_loop_signed(struct bomp_loop *loop, int64_t start, int64_t end, int64_t step);
void bomp_loop_unsigned(struct bomp_loop *loop, bool up, uint64_t start, uint64_t end, uint64_t step);

/* A loop construct: bomp_loop_start, then bomp_loop_next until it is false, then one of the ends. In a combined
 * region the loop is started already. False: no iterations (left) for this thread. */
bool bomp_loop_start(const struct bomp_loop *loop, struct bomp_span *span);
bool bomp_loop_next(struct bomp_span *span);
void bomp_loop_end(void); /* a barrier */
void bomp_loop_end_nowait(void);

/* Around an ordered region, at most once in an iteration: start waits until all earlier iterations are past it. */
void bomp_ordered_start(void);
void bomp_ordered_end(void);

/* A sections construct: the number of a section to run, from 1, or 0. Otherwise as for loops. */
unsigned bomp_sections_start(unsigned count);
unsigned bomp_sections_next(void);
void bomp_sections_end(void); /* a barrier */
void bomp_sections_end_nowait(void);

/* Whether the calling thread is the one to run a single construct. */
bool bomp_single_start(void);
/* The same with a result: NULL for the one that runs it; it must then call copy_end with the result, which the others
 * get from copy_start. A barrier must follow before the next one. */
void *bomp_single_copy_start(void);
void bomp_single_copy_end(void *result);

/* Mutual exclusion in the process: of all unnamed criticals, of those with the same zero-initialised word, and of what
 * should have been an atomic instruction. */
void bomp_critical_start(void);
void bomp_critical_end(void);
void bomp_critical_name_start(uint32_t *word);
void bomp_critical_name_end(uint32_t *word);
void bomp_atomic_start(void);
void bomp_atomic_end(void);

/* All threads of the team meet and all its tasks are complete. */
void bomp_barrier(void);

#endif
