/*
 * calls.h: the calls of clang's code, declared from its output. The programs of this folder make these calls
 * themselves: in all forms that any version emits, and in some that only old object files have.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

typedef struct {
    int32_t reserved_1, flags, reserved_2, length;
    const char *source;
} ident_t;
_Static_assert(sizeof(ident_t) == 24, "ident_t");

enum { IDENT_KMPC = 2, IDENT_ATOMIC = 0x10 };

#define SOURCE ";calls;calls;0;0;;"
static ident_t here __attribute__((unused)) = {0, IDENT_KMPC, 0, sizeof SOURCE - 1, SOURCE};
static ident_t atomic_here
    __attribute__((unused)) = {0, IDENT_KMPC | IDENT_ATOMIC, 0, sizeof SOURCE - 1, SOURCE};

typedef int32_t critical_name[8];

/* ---- regions ---- */
typedef void microtask(int32_t *gtid, int32_t *btid, ...);
void __kmpc_begin(ident_t *, int32_t flags);
void __kmpc_end(ident_t *);
int32_t __kmpc_global_thread_num(ident_t *);
int32_t __kmpc_global_num_threads(ident_t *);
int32_t __kmpc_bound_thread_num(ident_t *);
int32_t __kmpc_bound_num_threads(ident_t *);
int32_t __kmpc_in_parallel(ident_t *);
int32_t __kmpc_ok_to_fork(ident_t *);
void __kmpc_fork_call(ident_t *, int32_t count, microtask *, ...);
void __kmpc_fork_call_if(ident_t *, int32_t count, microtask *, int32_t condition, void *args);
void __kmpc_serialized_parallel(ident_t *, int32_t gtid);
void __kmpc_end_serialized_parallel(ident_t *, int32_t gtid);
void __kmpc_push_num_threads(ident_t *, int32_t gtid, int32_t threads);
void __kmpc_push_num_threads_strict(ident_t *, int32_t gtid, int32_t threads, int32_t severity,
                                    const char *message);
void __kmpc_push_proc_bind(ident_t *, int32_t gtid, int32_t policy);
void __kmpc_push_num_teams(ident_t *, int32_t gtid, int32_t teams, int32_t limit);
void __kmpc_push_num_teams_51(ident_t *, int32_t gtid, int32_t low, int32_t high, int32_t limit);
void __kmpc_fork_teams(ident_t *, int32_t count, microtask *, ...);
void __kmpc_set_thread_limit(ident_t *, int32_t gtid, int32_t limit);

/* ---- loops: TYPE of a bound, of an increment; the name's suffix ---- */
#define LOOP_WIDTHS(X)                                                                                       \
    X(int32_t, int32_t, 4)                                                                                   \
    X(uint32_t, int32_t, 4u)                                                                                 \
    X(int64_t, int64_t, 8)                                                                                   \
    X(uint64_t, int64_t, 8u)
#define DECLARE_LOOPS(T, ST, n)                                                                              \
    void __kmpc_for_static_init_##n(ident_t *, int32_t, int32_t kind, int32_t *last, T *low, T *up,          \
                                    ST *stride, ST step, ST chunk);                                          \
    void __kmpc_dist_for_static_init_##n(ident_t *, int32_t, int32_t kind, int32_t *last, T *low, T *up,     \
                                         T *dist_up, ST *stride, ST step, ST chunk);                         \
    void __kmpc_dispatch_init_##n(ident_t *, int32_t, int32_t kind, T low, T up, ST step, ST chunk);         \
    int32_t __kmpc_dispatch_next_##n(ident_t *, int32_t, int32_t *last, T *low, T *up, ST *step);            \
    void __kmpc_dispatch_fini_##n(ident_t *, int32_t);
LOOP_WIDTHS(DECLARE_LOOPS)
void __kmpc_for_static_fini(ident_t *, int32_t);
void __kmpc_dispatch_deinit(ident_t *, int32_t);

enum {
    STATIC_CHUNK = 33,
    STATIC = 34,
    DYNAMIC = 35,
    GUIDED = 36,
    RUNTIME = 37,
    AUTO = 38,
    STATIC_BALANCED_CHUNK = 45,
    ORDERED_STATIC_CHUNK = 65,
    ORDERED_STATIC = 66,
    ORDERED_DYNAMIC = 67,
    ORDERED_GUIDED = 68,
    ORDERED_RUNTIME = 69,
    ORDERED_AUTO = 70,
    DISTRIBUTE_CHUNK = 91,
    DISTRIBUTE = 92,
    MONOTONIC = 1 << 29,
    NONMONOTONIC = 1 << 30
};

void __kmpc_ordered(ident_t *, int32_t);
void __kmpc_end_ordered(ident_t *, int32_t);
typedef struct {
    int64_t low, up, step;
} dimension;
void __kmpc_doacross_init(ident_t *, int32_t, int32_t count, const dimension *);
void __kmpc_doacross_wait(ident_t *, int32_t, const int64_t *);
void __kmpc_doacross_post(ident_t *, int32_t, const int64_t *);
void __kmpc_doacross_fini(ident_t *, int32_t);
void __kmpc_sections_init(ident_t *, int32_t);
int32_t __kmpc_next_section(ident_t *, int32_t, int32_t count);
void __kmpc_end_sections(ident_t *, int32_t);

/* ---- a team ---- */
void __kmpc_barrier(ident_t *, int32_t);
int32_t __kmpc_cancel_barrier(ident_t *, int32_t);
void __kmpc_flush(ident_t *);
int32_t __kmpc_single(ident_t *, int32_t);
void __kmpc_end_single(ident_t *, int32_t);
void __kmpc_copyprivate(ident_t *, int32_t, size_t size, void *data, void (*copy)(void *, void *),
                        int32_t did_it);
void *__kmpc_copyprivate_light(ident_t *, int32_t, void *data);
int32_t __kmpc_master(ident_t *, int32_t);
void __kmpc_end_master(ident_t *, int32_t);
int32_t __kmpc_masked(ident_t *, int32_t, int32_t filter);
void __kmpc_end_masked(ident_t *, int32_t);
int32_t __kmpc_barrier_master(ident_t *, int32_t);
void __kmpc_end_barrier_master(ident_t *, int32_t);
int32_t __kmpc_barrier_master_nowait(ident_t *, int32_t);
void __kmpc_scope(ident_t *, int32_t, void *);
void __kmpc_end_scope(ident_t *, int32_t, void *);
void __kmpc_critical(ident_t *, int32_t, critical_name *);
void __kmpc_critical_with_hint(ident_t *, int32_t, critical_name *, uint32_t hint);
void __kmpc_end_critical(ident_t *, int32_t, critical_name *);
typedef void combiner(void *into, void *from);
int32_t __kmpc_reduce(ident_t *, int32_t, int32_t count, size_t size, void *data, combiner *,
                      critical_name *);
int32_t __kmpc_reduce_nowait(ident_t *, int32_t, int32_t count, size_t size, void *data, combiner *,
                             critical_name *);
void __kmpc_end_reduce(ident_t *, int32_t, critical_name *);
void __kmpc_end_reduce_nowait(ident_t *, int32_t, critical_name *);
int32_t __kmpc_cancel(ident_t *, int32_t, int32_t kind);
int32_t __kmpc_cancellationpoint(ident_t *, int32_t, int32_t kind);
enum { CANCEL_PARALLEL = 1, CANCEL_LOOP, CANCEL_SECTIONS, CANCEL_TASKGROUP };

/* ---- tasks ---- */
typedef int32_t task_entry(int32_t gtid, void *task);
typedef struct task {
    void *shareds;
    task_entry *entry;
    int32_t part;
    union {
        int32_t priority;
        task_entry *destructors;
    } data_1; /* destructors are here */
    union {
        int32_t priority;
        task_entry *destructors;
    } data_2; /* a priority is here */
    /* privates */
} task;
_Static_assert(sizeof(task) == 40 && offsetof(task, data_1) == 24 && offsetof(task, data_2) == 32, "task");

typedef struct {
    task task;
    uint64_t low, up;
    int64_t step;
    int32_t last;
    void *reductions;
    /* privates */
} loop_task;
_Static_assert(sizeof(loop_task) == 80 && offsetof(loop_task, low) == 40 && offsetof(loop_task, last) == 64,
               "loop_task");

enum {
    TIED = 1,
    FINAL = 2,
    MERGED_IF0 = 4,
    DESTRUCTORS = 8,
    PROXY = 0x10,
    PRIORITY = 0x20,
    DETACHABLE = 0x40,
    FREE_AGENT = 0x80,
    TRANSPARENT = 0x100
};

typedef struct {
    intptr_t address;
    size_t size;
    uint8_t flags;
} dependence;
_Static_assert(sizeof(dependence) == 24, "dependence");
enum { IN = 1, OUT = 3, MUTEX = 4, INOUTSET = 8, ALL_MEMORY = 0x80 };

task *__kmpc_omp_task_alloc(ident_t *, int32_t, int32_t flags, size_t size, size_t shareds, task_entry *);
task *__kmpc_omp_target_task_alloc(ident_t *, int32_t, int32_t flags, size_t size, size_t shareds,
                                   task_entry *, int64_t device);
int32_t __kmpc_omp_task(ident_t *, int32_t, task *);
int32_t __kmpc_omp_task_parts(ident_t *, int32_t, task *);
int32_t __kmpc_omp_task_with_deps(ident_t *, int32_t, task *, int32_t count, dependence *,
                                  int32_t noalias_count, dependence *noalias);
void __kmpc_omp_wait_deps(ident_t *, int32_t, int32_t count, dependence *, int32_t noalias_count,
                          dependence *noalias);
void __kmpc_omp_taskwait_deps_51(ident_t *, int32_t, int32_t count, dependence *, int32_t noalias_count,
                                 dependence *noalias, int32_t nowait);
void __kmpc_omp_task_begin_if0(ident_t *, int32_t, task *);
void __kmpc_omp_task_complete_if0(ident_t *, int32_t, task *);
int32_t __kmpc_omp_taskwait(ident_t *, int32_t);
int32_t __kmpc_omp_taskyield(ident_t *, int32_t, int32_t end_part);
void __kmpc_taskgroup(ident_t *, int32_t);
void __kmpc_end_taskgroup(ident_t *, int32_t);
typedef void duplicate(task *to, task *from, int32_t last);
void __kmpc_taskloop(ident_t *, int32_t, task *, int32_t if_value, uint64_t *low, uint64_t *up, int64_t step,
                     int32_t nogroup, int32_t kind, uint64_t number, duplicate *);
void __kmpc_taskloop_5(ident_t *, int32_t, task *, int32_t if_value, uint64_t *low, uint64_t *up,
                       int64_t step, int32_t nogroup, int32_t kind, uint64_t number, int32_t modifier,
                       duplicate *);
void *__kmpc_task_allow_completion_event(ident_t *, int32_t, task *);
void __kmpc_proxy_task_completed(int32_t, task *);
void __kmpc_proxy_task_completed_ooo(task *);
typedef struct {
    intptr_t address;
    size_t size;
    uint32_t flags;
} affinity_info;
int32_t __kmpc_omp_reg_task_with_affinity(ident_t *, int32_t, task *, int32_t count, affinity_info *);

typedef struct {
    void *shared, *original;
    size_t size;
    void (*init)(void *mine, void *original);
    void (*fini)(void *mine);
    combiner *combine;
    uint32_t flags; /* 1: lazily */
} task_reduction;
_Static_assert(sizeof(task_reduction) == 56, "task_reduction");
typedef struct {
    void *shared;
    size_t size;
    void (*init)(void *mine);
    void (*fini)(void *mine);
    combiner *combine;
    uint32_t flags;
} old_task_reduction;
_Static_assert(sizeof(old_task_reduction) == 48, "old_task_reduction");
void *__kmpc_taskred_init(int32_t, int32_t count, void *);
void *__kmpc_taskred_modifier_init(ident_t *, int32_t, int32_t worksharing, int32_t count, void *);
void *__kmpc_task_reduction_init(int32_t, int32_t count, void *);
void *__kmpc_task_reduction_modifier_init(ident_t *, int32_t, int32_t worksharing, int32_t count, void *);
void __kmpc_task_reduction_modifier_fini(ident_t *, int32_t, int32_t worksharing);
void *__kmpc_task_reduction_get_th_data(int32_t, void *group, void *item);

/* ---- the rest ---- */
void *__kmpc_alloc(int32_t, size_t, void *allocator);
void *__kmpc_aligned_alloc(int32_t, size_t align, size_t, void *allocator);
void *__kmpc_calloc(int32_t, size_t count, size_t, void *allocator);
void *__kmpc_realloc(int32_t, void *, size_t, void *allocator, void *free_allocator);
void __kmpc_free(int32_t, void *, void *allocator);
void *__kmpc_threadprivate(ident_t *, int32_t, void *variable, size_t);
void *__kmpc_threadprivate_cached(ident_t *, int32_t, void *variable, size_t, void ***cache);
void __kmpc_threadprivate_register(ident_t *, void *variable, void *(*make)(void *),
                                   void *(*copy)(void *, void *), void (*destroy)(void *));
void __kmpc_error(ident_t *, int32_t severity, const char *message);

#define ME __kmpc_global_thread_num(&here)

/* A region of `threads` with the following words. */
#define REGION(threads, function, count, ...)                                                                \
    (__kmpc_push_num_threads(&here, ME, (threads)),                                                          \
     __kmpc_fork_call(&here, (count), (microtask *)(function), ##__VA_ARGS__))

#endif
