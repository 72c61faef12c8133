/* The seam between OpenMP's meaning and the compilers' ABIs (README.md). */
#ifndef BOMP_H
#define BOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "omp/base/export.h"
#include "omp/base/offload.h"
#include "omp/base/report.h"
#include "omp/bomp_api.h"
#include "omp/bomp_depend.h"

/* Does nothing, and returns NULL or 0: for entry points without effect. */
BOMP_NAMED void *bomp_nothing(void);

/* ---- the caller ---- */

/* Its number in the innermost team, from 0, and the team's size. Hot. */
BOMP_NAMED int bomp_thread_num(void);
BOMP_NAMED int bomp_num_threads(void);

/* The same of its team in the league; outside: 0 and 1. Hot. */
BOMP_NAMED int bomp_team_num(void);
BOMP_NAMED int bomp_num_teams(void);

/* The number of its OS thread in the process, 0 for the one that loaded the library. No number is used again. */
BOMP_NAMED int bomp_thread_id(void);

struct bomp_caller {
    int thread_id, thread_num;
};
struct bomp_caller bomp_caller(void);

/* The number of regions around it, and of those with more than one thread. */
BOMP_NAMED int bomp_level(void);
BOMP_NAMED int bomp_active_level(void);

/* Threads of the process that run OpenMP or wait for work. */
BOMP_NAMED int bomp_process_threads(void);

/* run-sched-var, as omp_sched_t, and the chunk. False: not set, the ABI's default counts. */
bool bomp_run_schedule(uint32_t *kind, int *chunk);
/* max-active-levels-var; INT_MAX: no limit. */
BOMP_NAMED int bomp_max_active_levels(void);

/* omp_set_nested, but keeps the number of active levels if the program has set more than one. */
BOMP_NAMED void bomp_set_nested(int on);

/* ---- tools ---- */

#include "omp/bomp_tool.h"

/* ---- parallel regions ---- */

/* Runs fn(data) on every thread of a new team of `threads` (0: by the ICVs), and completes all its tasks. */
void bomp_parallel(void (*fn)(void *), void *data, unsigned threads);

/* The proc_bind clause of the caller's next region: 1 true, 2 primary, 3 close, 4 spread. */
void bomp_proc_bind(unsigned policy);

/* bomp_parallel in two halves: between them the caller, thread 0 of the team, runs its own part. */
void bomp_parallel_begin(void (*fn)(void *), void *data, unsigned threads);
BOMP_NAMED void bomp_parallel_end(void);

/* A num_threads clause with more than a number. */
struct bomp_threads_clause {
    unsigned threads;      /* at least 1 */
    unsigned count;        /* of inner */
    const uint32_t *inner; /* for the levels below; stays until the region's end */
    enum { BOMP_THREADS_UP_TO, BOMP_THREADS_WARN, BOMP_THREADS_FATAL } fewer; /* if the region gets fewer */
    const char *message; /* the program's text for that, or NULL */
};

/* For an ABI whose code passes the clause in an earlier call, as a number (0: none) or a structure: kept for the caller's
 * next bomp_parallel_next or bomp_parallel_alone_begin.
 *
 * bomp_parallel_next: thread 0, the caller, runs own(data, its bomp_thread_id). Others run fn on a copy of `size` bytes
 * of data, at most BOMP_REGION_DATA (0: on data), as the caller may leave the region by a jump before they begin.
 * `code`: the program's function, for messages and tools.
 *
 * bomp_parallel_alone_begin: a region of the caller alone, to bomp_parallel_end. */
#define BOMP_REGION_DATA 2064
void bomp_next_threads(unsigned threads);
void bomp_next_threads_clause(const struct bomp_threads_clause *clause);
void bomp_parallel_next(void (*fn)(void *), void (*own)(void *, int), void *data, size_t size,
                        const void *code);
void bomp_parallel_alone_begin(const void *code);

/* Combined constructs: all members find the loop or the sections started. End: bomp_parallel_end. */
struct bomp_loop;
void bomp_parallel_loop_begin(void (*fn)(void *), void *data, unsigned threads, const struct bomp_loop *loop);
void bomp_parallel_sections_begin(void (*fn)(void *), void *data, unsigned threads, unsigned count);

/* ---- tasks ---- */

struct bomp_task_spec {
    void (*fn)(void *);
    void *data;                   /* the arguments; gone when the call returns */
    void (*copy)(void *, void *); /* copies them (destination, data); NULL: memcpy */
    size_t size, align;           /* of the copy */
    bool undeferred;              /* if clause false */
    bool final;                   /* final clause true */
    bool untied;
    int priority;                   /* 0: none */
    struct bomp_depend_list depend; /* used until the call returns */
    bool detach;                    /* complete after its event as well */
    bool helped;                    /* for hidden helper threads: bomp_task_may_help was true */
    void **handles[2];   /* for the event's handle, stored before the arguments are copied; or NULL */
    bool reserved;       /* data is from bomp_task_reserve and becomes the task's: no copy, no handles */
    bool cleans;         /* fn must run even if the task is discarded (bomp_task_is_discarded) */
    bool goes_on;        /* undeferred and detached: the creator waits for the body only */
    uint8_t observed_as; /* for tools: enum bomp_observed_as, or-ed */
};

enum bomp_observed_as {
    BOMP_AS_MERGEABLE = 1, /* a mergeable clause */
    BOMP_AS_TARGET = 2,    /* of a target construct */
    BOMP_AS_TASKWAIT = 4   /* of a taskwait with dependences */
};

/* Creates the task, or runs it at once (task_policy.h). */
void bomp_task_create(const struct bomp_task_spec *spec);

/* The same without other clauses. Fastest with copy NULL. untied: 0 or 1. */
void bomp_task_plain(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                     unsigned untied);

/* Whether hidden helper threads may run the current task's next child (task/hidden_helper.h). */
bool bomp_task_may_help(void);

/* ---- tasks whose arguments the caller fills in ----
 *
 * *Reserved* arguments never move:
 *
 *   void *args = bomp_task_reserve(front, back, note, code);    then the program fills them in
 *   void *handle = bomp_task_event(args);                       for a detached task
 *
 * then one of these, by the same task; the end of the new task frees the memory:
 *
 *   bomp_task_create(&spec)          with data = args, reserved = true, size = front + back
 *   bomp_task_plain_reserved(args)   without clauses, and fastest: it runs `code`
 *   bomp_task_plain_untied(args, fn)                            the same, untied
 *   bomp_task_enter(&spec, base), bomp_task_leave(args)         undeferred: the caller runs the body between them
 *   bomp_task_release(args)                                     no task
 *
 * The task's fn may use its arguments, and bomp_task_note, until it returns. */

/* The code of such a task, with the bomp_thread_id. The result is unused. */
typedef int bomp_task_code(int thread_id, void *args);

/* `front` bytes, aligned to 64, at least three words, then `back` bytes, less than 4 GiB. Sets the first three words: the
 * address of the back, `code`, and 0. No memory is fatal. */
void *bomp_task_reserve(size_t front, size_t back, uint64_t note, bomp_task_code *code);
void bomp_task_release(void *args);

/* A word for the caller's own use. */
static inline uint64_t *bomp_task_note(void *args) {
    return (uint64_t *)args - 2;
}

/* The event of the future task, which needs `detach`. Once. No memory is fatal. */
void *bomp_task_event(void *args);

/* Both return 0. */
int bomp_task_plain_reserved(void *args);
int bomp_task_plain_untied(void *args, void (*fn)(void *));

/* From here to bomp_task_leave the caller is in the task, an undeferred child whose dependences it has waited for.
 * Calls no fn and waits for no event. No memory is fatal. `base`, for tools: the frame of a function that the entry
 * point ended with, or NULL. */
void bomp_task_enter(const struct bomp_task_spec *spec, const void *base);
void bomp_task_leave(void *args);

/* In fn: the current task was cancelled before it began, and its body must not run. */
bool bomp_task_is_discarded(void);

/* A number of the current task while it lives; its parent's, or 0. */
BOMP_NAMED uintptr_t bomp_task_number(void);
BOMP_NAMED uintptr_t bomp_task_parent_number(void);

/* Any thread. */
BOMP_NAMED void bomp_event_fulfill(void *handle);

/* Waits for the current task's children; runs its descendants meanwhile. */
BOMP_NAMED void bomp_taskwait(void);
/* The same, and returns 0. `site`: the call in the program. */
int bomp_taskwait_at(const void *site);
/* Waits for what a task with these dependences would. */
void bomp_taskwait_depend(const struct bomp_depend_list *depend);
/* As a task that does nothing: only later tasks wait. */
void bomp_taskwait_depend_nowait(const struct bomp_depend_list *depend);
/* Runs another task if one may run here. */
BOMP_NAMED void bomp_taskyield(void);

BOMP_NAMED void bomp_taskgroup_start(void);
/* Waits for the group's tasks and their descendants; runs the current task's descendants meanwhile. */
BOMP_NAMED void bomp_taskgroup_end(void);

/* ---- task reductions ---- */

/* Private copies of variables, a row for each thread, that tasks reduce into. Linked ones are registered together. */
struct bomp_reduction;

struct bomp_reduction_item {
    void *original;
    size_t offset; /* of the copy in a thread's row */
};

struct bomp_reduction_spec {
    unsigned threads; /* rows; 0: one for each thread of the current team */
    size_t stride;    /* bytes of a row */
    size_t align;     /* of the first row; the others are a stride apart */
    size_t count;     /* of items */
    struct bomp_reduction_item (*item)(const void *arg, size_t index);
    const void *arg;
};

/* Makes one, zeroed, with one user. Out of memory is fatal. */
struct bomp_reduction *bomp_reduction_new(const struct bomp_reduction_spec *spec,
                                          struct bomp_reduction *next);
void *bomp_reduction_base(const struct bomp_reduction *reduction);
struct bomp_reduction *bomp_reduction_next(const struct bomp_reduction *reduction);
/* One user less of this one and those linked to it. The last one frees them. */
void bomp_reduction_release(struct bomp_reduction *reduction);

/* A variable of a *managed* reduction. A thread's first request initialises its copy. The end of the taskgroup combines all
 * copies into the original, in thread order, and ends them. */
struct bomp_reduction_variable {
    void *original;
    size_t size;
    void *source;                           /* for init */
    void (*init)(void *copy, void *source); /* NULL: zeroed */
    void (*combine)(void *into, void *copy);
    void (*fini)(void *copy); /* NULL: nothing to do */
    /* The functions work only on the copy's thread: a thread outside of the group combines its copy at its task's end. */
    bool soon;
};

/* Makes a managed reduction of `count` variables, for the current team. Out of memory is fatal. */
struct bomp_reduction *bomp_reduction_new_managed(
    size_t count, struct bomp_reduction_variable (*variable)(const void *arg, size_t index), const void *arg);

struct bomp_group;

/* All new tasks of the innermost taskgroup know it. The group owns a managed one; the caller releases others afterwards. */
const struct bomp_group *bomp_reduction_register(struct bomp_reduction *reduction);

/* The same in a new taskgroup, to bomp_taskgroup_end, which cancellation skips. `construct`: a worksharing construct's. */
const struct bomp_group *bomp_reduction_group_start(struct bomp_reduction *reduction, bool construct);

/* The caller's copy of the variable whose original or copy has that address, searched from `group` (NULL: the current
 * task's) outwards. Stores the original's address unless NULL. No such variable is fatal. */
void *bomp_reduction_copy(const void *address, const struct bomp_group *group, void **original);

/* Makes a reduction for `threads`; 0: those of the current team. */
typedef struct bomp_reduction *bomp_reduction_make(void *arg, unsigned threads);

/* The reduction of a worksharing construct, after its start; the first thread makes it. The caller's tasks know it until its
 * end, which waits for them. */
struct bomp_reduction *bomp_construct_reduction_start(bomp_reduction_make *make, void *arg);
void bomp_construct_reduction_end(void);

/* bomp_parallel with a reduction that all tasks know; the caller releases it. Returns the team's size. */
unsigned bomp_parallel_reduction(void (*fn)(void *), void *data, unsigned threads, bomp_reduction_make *make,
                                 void *arg);

/* ---- worksharing and synchronisation ---- */

/* A loop over a variable of any type: iteration i < count has the value base + i * step modulo 2^64. */
struct bomp_loop {
    uint64_t base, step, count;
    uint64_t end;      /* the program's bound: the end of the last chunk */
    uint64_t chunk;    /* 0: not set */
    uint32_t schedule; /* BOMP_LOOP_*: a kind, with flags */
};

/* A thread's iterations, as values: from first, in steps, to before end. */
struct bomp_span {
    uint64_t first, end;
};

/* Kinds, numbered as in omp_sched_t; RUNTIME: by run-sched-var. */
#define BOMP_LOOP_RUNTIME 0u
#define BOMP_LOOP_STATIC 1u
#define BOMP_LOOP_DYNAMIC 2u
#define BOMP_LOOP_GUIDED 3u
#define BOMP_LOOP_AUTO 4u
#define BOMP_LOOP_KIND 0xffu
/* Flags:
 *   BALANCED       AUTO is DYNAMIC in BOMP_BALANCED_CHUNKS, not STATIC, if any order will do
 *   MULTIPLES      guided chunks are multiples of `chunk`
 *   STATIC_UNSAID  RUNTIME without a set ICV is STATIC in even shares, not DYNAMIC
 *   SHARES         bomp_construct_memory follows
 *   DOACROSS       iterations wait for each other; set by bomp_doacross_start
 *   ORDERED        has ordered regions
 *   MONOTONIC      each thread gets its iterations in increasing order */
#define BOMP_LOOP_BALANCED 0x01000000u
#define BOMP_LOOP_MULTIPLES 0x02000000u
#define BOMP_LOOP_STATIC_UNSAID 0x08000000u
#define BOMP_LOOP_SHARES 0x10000000u
#define BOMP_LOOP_DOACROSS 0x20000000u
#define BOMP_LOOP_ORDERED 0x40000000u
#define BOMP_LOOP_MONOTONIC 0x80000000u

/* Fill in the first four fields: from start until end is reached or passed, in the direction of step's sign or of `up`. */
void bomp_loop_signed(struct bomp_loop *loop, int64_t start, int64_t end, int64_t step);
void bomp_loop_unsigned(struct bomp_loop *loop, bool up, uint64_t start, uint64_t end, uint64_t step);

/* A loop construct: bomp_loop_start (not in a combined region), bomp_loop_next until false (no iterations are left for this
 * thread), then one of the ends. */
bool bomp_loop_start(const struct bomp_loop *loop, struct bomp_span *span);
BOMP_NAMED bool bomp_loop_next(uint64_t *first, uint64_t *end);
BOMP_NAMED void bomp_loop_end(void); /* a barrier */
BOMP_NAMED void bomp_loop_end_nowait(void);

/* The same for LLVM: begin takes nothing; a false bomp_loop_chunk ends the loop, and so does bomp_loop_stop or the next
 * barrier. An iteration of the loop may be a block; `step` is the step within it. */
struct bomp_chunk {
    uint64_t first, last, step; /* both inclusive */
    bool ends;                  /* it has the loop's last iteration */
};
void bomp_loop_begin(const struct bomp_loop *loop, uint64_t step);
bool bomp_loop_chunk(struct bomp_chunk *chunk);
BOMP_NAMED void bomp_loop_stop(void);

/* The caller's part of a static loop that its code divides, by numbers from 0. */
struct bomp_turns {
    uint64_t first, last; /* its first chunk, both inclusive */
    uint64_t stride;      /* from each of its chunks to the next */
    bool any, more;       /* it has one chunk; it has more */
    bool ends;            /* it has the loop's last iteration */
};
/* Of iterations 0 to `last`, in the team; chunk 0: one share for each thread. */
void bomp_static_start(uint64_t last, uint64_t chunk, struct bomp_turns *turns);
/* The same for number `num` of `size`: arithmetic only. */
void bomp_static_turns(uint64_t last, uint64_t chunk, unsigned num, unsigned size, struct bomp_turns *turns);

/* Around an ordered region, at most once in an iteration. Start waits until all earlier iterations are past it. */
BOMP_NAMED void bomp_ordered_start(void);
BOMP_NAMED void bomp_ordered_end(void);

/* Starts a doacross loop: the outermost of `dimensions` nested ones with counts[0], ... iterations. bomp_loop_next and
 * the ends follow. */
bool bomp_doacross_start(const struct bomp_loop *loop, unsigned dimensions, const uint64_t *counts,
                         struct bomp_span *span);
/* The same for an ABI that passes the nest apart from the divided loop: begin, then bomp_loop_begin or bomp_static_start for
 * the outermost loop or for several loops as one, then bomp_loop_stop, perhaps after a barrier. Loop variables run from
 * first to last by step. perhaps_end: the last values may be ends, which no variable takes. The count of the divided loop
 * decides that, and how many loops are one; if both fit, they are ends. */
struct bomp_dimension {
    int64_t first, last, step;
};
void bomp_doacross_begin(unsigned dimensions, const struct bomp_dimension *nest, bool perhaps_end);
/* Post: the caller is past this iteration of its chunk. Wait: until that earlier iteration, if it exists, is past. An index
 * has a value for each dimension, counted from 0 after bomp_doacross_start. */
BOMP_NAMED void bomp_doacross_post(const uint64_t *index);
void bomp_doacross_wait(const uint64_t *index);
/* Wait, with 64-bit arguments. */
BOMP_NAMED void bomp_doacross_wait_for(uint64_t first, ...);

/* A construct without work to divide, such as a scope. `ends`: one of the loop's ends does; otherwise the next
 * construct or barrier. */
void bomp_construct_start(bool ends);

/* Zeroed memory, aligned to 64 bytes, that the threads of the current construct share until they leave it: after a start
 * with BOMP_LOOP_SHARES, of sections, or bomp_construct_start. All pass the same size. */
void *bomp_construct_memory(size_t size);

/* Sections, as a loop: the number of one to run, from 1, or 0. begin: a start that takes none. */
BOMP_NAMED unsigned bomp_sections_start(unsigned count);
void bomp_sections_begin(unsigned count);
BOMP_NAMED unsigned bomp_sections_next(void);
BOMP_NAMED void bomp_sections_end(void); /* a barrier */
BOMP_NAMED void bomp_sections_end_nowait(void);

/* Whether the caller runs the single construct: 1 or 0. */
BOMP_NAMED int bomp_single_start(void);
/* For tools: it ends. */
BOMP_NAMED void bomp_single_end(void);
/* With copyprivate: the thread that runs it gets NULL and calls copy_end with the result, which the others get from
 * copy_start. A barrier must follow. */
BOMP_NAMED void *bomp_single_copy_start(void);
BOMP_NAMED void bomp_single_copy_end(void *result);
/* The same after the construct: the thread that has run it passes the result, the others NULL; all get the result, or NULL
 * if the region is cancelled. A barrier must follow. `site`: the place in the program. */
void *bomp_single_share(void *result, const void *site);

/* Mutual exclusion: unnamed criticals, those with one word, atomic constructs without an instruction. */
BOMP_NAMED void bomp_critical_start(void);
BOMP_NAMED void bomp_critical_end(void);
BOMP_NAMED void bomp_critical_name_start(uint32_t *word);
BOMP_NAMED void bomp_critical_name_end(uint32_t *word);
BOMP_NAMED void bomp_atomic_start(void);
BOMP_NAMED void bomp_atomic_end(void);

/* A member merges its copies into the originals of a reduction: it chooses a way, and calls bomp_merge_end_alone after
 * BOMP_MERGE_ALONE. All members pass the same, except for the data. */
typedef void bomp_combine(void *into, void *from);
struct bomp_merge {
    void *data; /* the member's, for combine, until the call returns */
    /* Several may run at a time, and a barrier follows. NULL: members merge one at a time. */
    bomp_combine *combine;
};
enum bomp_merge_way {
    BOMP_MERGE_NOTHING, /* another member merges its copies before the next barrier */
    BOMP_MERGE_ALONE    /* one member at a time; with BLITZ_DETERMINISTIC in order */
};
enum bomp_merge_way bomp_merge_choose(const struct bomp_merge *how);
/* No effect after another way. */
BOMP_NAMED void bomp_merge_end_alone(void);
/* The reduction's own barrier, before the construct's. */
void bomp_reduction_barrier(void);

BOMP_NAMED void bomp_flush(void);

/* The team's threads meet, and all its tasks are complete; or the region is cancelled. */
BOMP_NAMED void bomp_barrier(void);

/* ---- teams and target regions ---- */

struct bomp_league {
    unsigned teams; /* 0: by the ICVs, or `usual` */
    unsigned usual;
    unsigned thread_limit; /* 0: by the ICVs */
    const void *code;      /* the program's function, which fn runs; NULL: fn is it */
    bool places;           /* teams have places of their own, by KMP_TEAMS_PROC_BIND */
    bool region;           /* tools see a parallel region of the runtime in each team, as under libomp */
    bool at_once;          /* teams run at the same time, as far as threads suffice; else in turns */
};

/* Runs fn(data) as each of its teams. */
void bomp_teams(void (*fn)(void *), void *data, const struct bomp_league *league);

/* For an ABI whose code passes them earlier: kept for the caller's next league, which takes them once. */
void bomp_next_teams(unsigned teams, unsigned thread_limit);
void bomp_next_teams_take(struct bomp_league *league);

/* The thread_limit clause of a target construct, whose body the current task runs. */
void bomp_set_thread_limit(unsigned thread_limit);

/* A league inside a target region: while true, the caller runs a team's body. `first`: the league begins, and the numbers
 * count (0: 1 team; no limit). */
bool bomp_teams_next(unsigned num_teams, unsigned thread_limit, bool first);

/* INITIAL: the host. INVALID ends the program. */
#define BOMP_DEVICE_INITIAL (-1)
#define BOMP_DEVICE_INVALID (-4)
#define BOMP_DEVICE_DEFAULT (-5)

/* The number of other devices, which is the host's: by the offload library (base/offload.h), or 0. */
BOMP_NAMED int bomp_devices(void);

/* Whether a device that the program uses exists: omp_invalid_device is fatal, with OMP_TARGET_OFFLOAD=mandatory any that
 * does not. */
bool bomp_device_exists(int device);
/* Runs fn(data), the body of a target region; thread_limit 0: by the environment. */
void bomp_target_run(void (*fn)(void *), void *data, unsigned thread_limit);

enum bomp_offload { BOMP_OFFLOAD_DEFAULT, BOMP_OFFLOAD_MANDATORY, BOMP_OFFLOAD_DISABLED };
enum bomp_offload bomp_target_offload(void);

/* Ends the threads that wait for a next region. False: not in a region, nothing has happened. */
bool bomp_pause(void);

/* Each in a task with these dependences. */
int bomp_target_copy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                           int to_device, int from_device, const struct bomp_depend_list *depend);
int bomp_target_copy_rect_async(void *to, const void *from, size_t element, int count, const size_t *volume,
                                const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dims,
                                const size_t *from_dims, int to_device, int from_device,
                                const struct bomp_depend_list *depend);
void *bomp_target_fill_async(void *block, int value, size_t size, int device,
                             const struct bomp_depend_list *depend);

/* ---- taskloops ---- */

/* Of a taskloop's task: it has the last iteration; its arguments are as another task left them. */
#define BOMP_TASKLOOP_LAST 1u
#define BOMP_TASKLOOP_AGAIN 2u

/* How to make a task's arguments, if a copy with its bounds does not suffice. data: the loop's, or its copy. */
struct bomp_taskloop_make {
    /* When the task is created. NULL: a copy, with its bounds. */
    void (*make)(void *arguments, void *data, struct bomp_span span, unsigned flags);
    /* The same on the task's thread, then its fn. NULL: constructors must run on the creator's. */
    void (*make_and_run)(void *arguments, void *data, struct bomp_span span, unsigned flags);
    size_t size, align;      /* of the arguments; align at most 64 */
    bomp_task_code *code;    /* three words at the front of arguments are ours */
    void (*end)(void *data); /* once, after all arguments were made, and their tasks ended */
};

/* The arguments of a task are a copy of the data that begins with its bounds, 64 bits each; or `own` makes them. */
struct bomp_taskloop {
    struct bomp_task_spec task; /* of each of its tasks; without depend and detach */
    struct bomp_loop loop;      /* without chunk and schedule */
    uint64_t number;            /* least iterations of a task (grainsize), or tasks; 0: not set */
    bool by_grain;              /* it is the grainsize */
    bool waited;                /* its creator waits for it next */
    bool strict;                /* exactly that number; the rest makes the last task */
    struct bomp_taskloop_make own;
    const void *code; /* its place, for tools */
};

/* Arguments and structure may go afterwards. */
void bomp_taskloop(const struct bomp_taskloop *loop);
/* It has no iterations, or they are cancelled. */
bool bomp_taskloop_is_void(const struct bomp_taskloop *loop);

/* ---- cancellation ---- */

/* The innermost region of the kind around the calling task. */
enum bomp_cancel { BOMP_CANCEL_PARALLEL, BOMP_CANCEL_LOOP, BOMP_CANCEL_SECTIONS, BOMP_CANCEL_TASKGROUP };

/* Cancels it. True: the caller continues at its end (the task's, for a taskgroup). All are false without
 * OMP_CANCELLATION. */
bool bomp_cancel(enum bomp_cancel what);
/* Whether it is cancelled; a taskgroup also by the parallel region around it. */
bool bomp_cancellation_point(enum bomp_cancel what);
/* The same as a query only: the caller still takes part in all constructs. */
bool bomp_cancel_is_seen(enum bomp_cancel what);
/* A cancellation point of the parallel region, after a barrier. */
bool bomp_cancelled(void);

/* ---- missing functions (missing.h) ---- */

/* Checks the imports of all loaded objects, once. One that we lack ends the program. */
void bomp_missing_check_first(void);
/* Before code at `fn` that opens no region here: checks objects loaded since, if it may be in one. */
void bomp_missing_check_function(void (*fn)(void *));

#endif
