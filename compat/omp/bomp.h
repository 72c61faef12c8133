/* The seam between OpenMP's meaning and the ABIs: what compat/gomp (and a sibling for another compiler) may use of
 * compat/omp. Entry points decode their arguments, make one of these calls, and encode the result. Plain C types only:
 * no layout of any ABI comes in here, no structure of the scheduler goes out. */
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

/* Entry points that have nothing to do are second names of it. Returns NULL, or 0. */
BOMP_NAMED void *bomp_nothing(void);

/* ---- the caller ---- */

/* Its number in the innermost team, from 0, and the team's size. Hot: generated code calls them. */
BOMP_NAMED int bomp_thread_num(void);
BOMP_NAMED int bomp_num_threads(void);

/* The same of its team in the league: 0 and 1 outside of teams regions. Hot, too. */
BOMP_NAMED int bomp_team_num(void);
BOMP_NAMED int bomp_num_teams(void);

/* The number of its OS thread in the process, from 0, which is the one that loaded the library. A thread keeps its number,
 * whatever team it is in, and no other one gets it. */
BOMP_NAMED int bomp_thread_id(void);

/* The two numbers that name it, together. */
struct bomp_caller {
    int thread_id, thread_num;
};
struct bomp_caller bomp_caller(void);

/* Regions around it, and how many of them have more than one thread. */
BOMP_NAMED int bomp_level(void);
BOMP_NAMED int bomp_active_level(void);

/* Threads of the process that run OpenMP or wait for work, as far as is known. */
BOMP_NAMED int bomp_process_threads(void);

/* run-sched-var of the current task: the kind with the flags that were said, as in omp_sched_t, and the chunk. False: nobody
 * has said it, and other ABIs have other defaults. max-active-levels-var; INT_MAX: as many as there can be. */
bool bomp_run_schedule(uint32_t *kind, int *chunk);
BOMP_NAMED int bomp_max_active_levels(void);

/* ---- tools ---- */

#include "omp/bomp_tool.h"

/* ---- parallel regions ---- */

/* Runs fn(data) on every thread of a new team of `threads` (0: as the ICVs say); returns when the region and all its tasks
 * are complete. */
void bomp_parallel(void (*fn)(void *), void *data, unsigned threads);

/* The proc_bind clause of the region that the calling thread opens next: 1 true, 2 primary, 3 close, 4 spread. */
void bomp_proc_bind(unsigned policy);

/* The same in two halves: between them the caller, thread 0 of the team, runs its own part. */
void bomp_parallel_begin(void (*fn)(void *), void *data, unsigned threads);
BOMP_NAMED void bomp_parallel_end(void);

/* A num_threads clause that says more than a number. */
struct bomp_threads_clause {
    unsigned threads;      /* at least 1 */
    unsigned count;        /* of inner: what the clause says of the levels below */
    const uint32_t *inner; /* stays until the region's end */
    enum { BOMP_THREADS_UP_TO, BOMP_THREADS_WARN, BOMP_THREADS_FATAL } fewer; /* if the region gets fewer */
    const char *message; /* what is said then; NULL: nothing of the program's */
};

/* Such a clause, or one that is a number (0: there is none), for an ABI whose code says it in a call before: kept for the
 * region that the calling thread opens next by one of these two: with functions that run the program's at `code`, which is
 * what is known of the region; of the caller alone, to bomp_parallel_end. The caller, thread 0, runs own(data, its
 * bomp_thread_id), which does what fn does for the others. These get a copy of the data's `size` bytes, at most
 * BOMP_REGION_DATA of them (0: the data itself): a caller that leaves the region by a jump takes its own with it, and some
 * may not have begun. */
#define BOMP_REGION_DATA 2064
void bomp_next_threads(unsigned threads);
void bomp_next_threads_clause(const struct bomp_threads_clause *clause);
void bomp_parallel_next(void (*fn)(void *), void (*own)(void *, int), void *data, size_t size,
                        const void *code);
void bomp_parallel_alone_begin(const void *code);

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
    bool untied;
    int priority;                   /* as the clause says; 0: none */
    struct bomp_depend_list depend; /* used until the call returns */
    bool detach;                    /* complete after its event as well */
    bool helped;                    /* hidden helper threads alone run it: bomp_task_may_help was true */
    void **handles[2]; /* where the event's handle is stored before the arguments are copied; or NULL */
    bool reserved;     /* data is from bomp_task_reserve, and the task's from now on: no copy, no handles */
    bool cleans;       /* fn must run even if the task is discarded: bomp_task_is_discarded then */
    /* Undeferred, final or in a final task, and detached: its creator waits for its body alone. */
    bool goes_on;
    uint8_t observed_as; /* for tools: enum bomp_observed_as, or-ed */
};

/* What a task is for tools, beside what its other clauses say. */
enum bomp_observed_as {
    BOMP_AS_MERGEABLE = 1, /* a mergeable clause */
    BOMP_AS_TARGET = 2,    /* it is a target construct's */
    BOMP_AS_TASKWAIT = 4   /* it is a taskwait's, with dependences */
};

/* Creates the task, or runs it at once where that is as good (task_policy.h). */
void bomp_task_create(const struct bomp_task_spec *spec);

/* The same for the common case: no clause that matters. Fastest with copy NULL. untied: 0 or 1. */
void bomp_task_plain(void (*fn)(void *), void *data, void (*copy)(void *, void *), size_t size, size_t align,
                     unsigned untied);

/* Whether hidden helper threads run a task that the current one creates, of a program whose compiler's runtime has such
 * threads (task/hidden_helper.h). */
bool bomp_task_may_help(void);

/* ---- tasks whose arguments the caller fills in ----
 *
 * For an ABI that asks for the memory of a task's arguments before it creates the task. They are *reserved*, and then stay
 * where they are, whatever becomes of the task:
 *
 *   void *args = bomp_task_reserve(front, back, note, code);    and the program fills them in
 *   void *handle = bomp_task_event(args);                       if it is to be detached; the program gets the handle
 *
 * and one of these, by the same thread in the same task, which gives the memory back when the task is over:
 *
 *   bomp_task_create(&spec)          with data = args, reserved = true, size = front + back, and all that clauses say
 *   bomp_task_plain_reserved(args)   the same without any clause, and fastest: it runs `code`
 *   bomp_task_plain_untied(args, fn)                            the same, untied
 *   bomp_task_enter(&spec), bomp_task_leave(args)               undeferred: the caller runs the body between them
 *   bomp_task_release(args)                                     none at all
 *
 * The task's fn may use its arguments, and bomp_task_note, until it returns. */

/* What such a task may run: the bomp_thread_id of its thread, and its arguments. What it returns says nothing. */
typedef int bomp_task_code(int thread_id, void *args);

/* `front` bytes, aligned to 64, at least three words, and `back` bytes behind them, aligned to 8, less than 4 GiB. The first
 * word of the front is the address of the back, the second one is `code`, the third is 0, the rest is not set. Tasks with
 * the same code are taken to be alike. No memory is fatal. */
void *bomp_task_reserve(size_t front, size_t back, uint64_t note, bomp_task_code *code);
void bomp_task_release(void *args);

/* A word that is the caller's own. */
static inline uint64_t *bomp_task_note(void *args) {
    return (uint64_t *)args - 2;
}

/* The event of the task that will be, which must be created with `detach`. Once. No memory is fatal. */
void *bomp_task_event(void *args);

/* Returns 0, as the entry points do that end with it. */
int bomp_task_plain_reserved(void *args);
/* The same for an untied one, which runs fn. */
int bomp_task_plain_untied(void *args, void (*fn)(void *));

/* From here to leave the calling thread is in the task, an undeferred child of the one that it was in. If it is detached it
 * is complete when its event has come about, too: nobody waits for that here. What it depends on has been waited for before;
 * fn is not called. No memory is fatal. */
void bomp_task_enter(const struct bomp_task_spec *spec);
/* The same for tools: `base` is the frame of a function that the entry point ended with. */
void bomp_task_enter_from(const struct bomp_task_spec *spec, const void *base);
void bomp_task_leave(void *args);

/* In fn: whether the current task was cancelled before it began, and its body must not run. */
bool bomp_task_is_discarded(void);

/* Something that is the current task's alone while it lives; the same of its parent, 0 if there is none. */
BOMP_NAMED uintptr_t bomp_task_number(void);
BOMP_NAMED uintptr_t bomp_task_parent_number(void);

/* What the program calls when the event of a detached task has come about; any thread. */
BOMP_NAMED void bomp_event_fulfill(void *handle);

/* Waits for the current task's children; runs its descendants meanwhile. */
BOMP_NAMED void bomp_taskwait(void);
/* The same for an entry point that must return 0, as this does: `site` is where the program calls it. */
int bomp_taskwait_at(const void *site);
/* Waits for those of them that a task with these dependences would have to wait for. */
void bomp_taskwait_depend(const struct bomp_depend_list *depend);
/* The same for later tasks alone: a task that does nothing. */
void bomp_taskwait_depend_nowait(const struct bomp_depend_list *depend);
/* Runs another task, if there is one that may run here. */
BOMP_NAMED void bomp_taskyield(void);

BOMP_NAMED void bomp_taskgroup_start(void);
/* Waits for all tasks created in the group, and their descendants; runs the current task's descendants meanwhile. */
BOMP_NAMED void bomp_taskgroup_end(void);

/* ---- task reductions ---- */

/* Private copies of variables, a row of them for each thread, that tasks reduce into. Several, one linked to the next,
 * may be registered together. */
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
/* One user less, of this one and those linked to it: the last one frees them. */
void bomp_reduction_release(struct bomp_reduction *reduction);

/* A variable of a *managed* reduction: its copies are laid out, zeroed and then initialised when their thread first asks
 * for them, and at the end of the taskgroup combined into the original, in the order of the threads, and ended. */
struct bomp_reduction_variable {
    void *original;
    size_t size;
    void *source;                           /* an argument of init */
    void (*init)(void *copy, void *source); /* NULL: zeroed is initialised */
    void (*combine)(void *into, void *copy);
    void (*fini)(void *copy); /* NULL: there is nothing to do */
    /* The functions work only on a thread that has just asked for its copy. So where a thread takes part that is not in the
     * group itself, its copy is combined and ended when its task ends. */
    bool soon;
};

/* Makes a managed reduction of `count` variables, for the current team. Out of memory is fatal. */
struct bomp_reduction *bomp_reduction_new_managed(
    size_t count, struct bomp_reduction_variable (*variable)(const void *arg, size_t index), const void *arg);

/* A taskgroup, where the search for a copy may begin. */
struct bomp_group;

/* All tasks created in the innermost taskgroup from now on know it. A managed one is the group's, and gone with it; any
 * other is released by the caller after the group's end. */
const struct bomp_group *bomp_reduction_register(struct bomp_reduction *reduction);

/* The same with a taskgroup of its own, which begins here and ends with bomp_taskgroup_end. What cancels a taskgroup means
 * one around. `construct`: it is of a worksharing construct. */
const struct bomp_group *bomp_reduction_group_start(struct bomp_reduction *reduction, bool construct);

/* The calling thread's copy of a variable, of which `address` is the original or any thread's copy, in the innermost
 * reduction that has one: around the current task, or from this taskgroup around it outwards. That there is none is fatal.
 * *original: NULL, or out the original. Cost: a search in the items of each reduction around, logarithmic in their
 * number. */
void *bomp_reduction_copy(const void *address, const struct bomp_group *group, void **original);

/* The reduction of a worksharing construct, after its start: the first thread to come makes it. It is known to the tasks
 * of the calling one until the end, which waits for them. Between, a barrier, and somebody merges. */
struct bomp_reduction *bomp_construct_reduction_start(struct bomp_reduction *(*make)(void *arg), void *arg);
void bomp_construct_reduction_end(void);

/* bomp_parallel with a reduction that the tasks of all threads know: make(arg, size) is called when the team's size is
 * known, and the caller releases what it returned. Returns the size. */
unsigned bomp_parallel_reduction(void (*fn)(void *), void *data, unsigned threads,
                                 struct bomp_reduction *(*make)(void *arg, unsigned size), void *arg);

/* ---- worksharing and synchronisation ---- */

/* A loop as all of them are brought to, whatever the type of the program's variable: iteration i, of 0 to count - 1,
 * has the value base + i * step modulo 2^64. bomp_loop_signed and bomp_loop_unsigned fill in the first four. */
struct bomp_loop {
    uint64_t base, step, count;
    uint64_t end;      /* the program's own bound, which the last chunk ends with */
    uint64_t chunk;    /* iterations handed out at a time; 0: not said */
    uint32_t schedule; /* BOMP_LOOP_*: a kind, perhaps with flags */
};

/* Iterations handed to a thread, as values: from first, in steps, until end is reached or passed. */
struct bomp_span {
    uint64_t first, end;
};

/* Kinds, numbered as in omp_sched_t; RUNTIME is what the current task's ICV says. */
#define BOMP_LOOP_RUNTIME 0u
#define BOMP_LOOP_STATIC 1u
#define BOMP_LOOP_DYNAMIC 2u
#define BOMP_LOOP_GUIDED 3u
#define BOMP_LOOP_AUTO 4u
#define BOMP_LOOP_KIND 0xffu
/* Flags: AUTO, also the ICV's, is DYNAMIC in BOMP_BALANCED_CHUNKS if any order will do, else it is STATIC; guided chunks are
 * multiples of `chunk`; where nobody has said the ICV, RUNTIME is STATIC
 * in even shares, else DYNAMIC; what bomp_construct_memory gives will be asked for; its iterations wait for each other
 * (bomp_doacross_start sets it); there are ordered regions in it; every thread gets its iterations in increasing order. */
#define BOMP_LOOP_BALANCED 0x01000000u
#define BOMP_LOOP_MULTIPLES 0x02000000u
#define BOMP_LOOP_STATIC_UNSAID 0x08000000u
#define BOMP_LOOP_SHARES 0x10000000u
#define BOMP_LOOP_DOACROSS 0x20000000u
#define BOMP_LOOP_ORDERED 0x40000000u
#define BOMP_LOOP_MONOTONIC 0x80000000u

/* From start until end is reached or passed, in steps of step; its sign, or up, says in which direction. A step of 0
 * and a bound in the other direction make no iterations. */
void bomp_loop_signed(struct bomp_loop *loop, int64_t start, int64_t end, int64_t step);
void bomp_loop_unsigned(struct bomp_loop *loop, bool up, uint64_t start, uint64_t end, uint64_t step);

/* A loop construct: bomp_loop_start, then bomp_loop_next until it is false, then one of the ends. In a combined
 * region the loop is started already. False: no iterations (left) for this thread. */
bool bomp_loop_start(const struct bomp_loop *loop, struct bomp_span *span);
BOMP_NAMED bool bomp_loop_next(uint64_t *first, uint64_t *end);
BOMP_NAMED void bomp_loop_end(void); /* a barrier */
BOMP_NAMED void bomp_loop_end_nowait(void);

/* The same in other steps: begin takes nothing, then bomp_loop_chunk until it is false, which ends the loop as
 * bomp_loop_end_nowait does. Where the program leaves it before that, bomp_loop_stop does, or the next barrier. The loop
 * says, but for its end, blocks of one or more iterations that stay together, the last one perhaps of less: `step` is
 * from one iteration to the next. */
struct bomp_chunk {
    uint64_t first, last, step; /* values from first to last, both inclusive */
    bool ends;                  /* the loop's last iteration is in it */
};
void bomp_loop_begin(const struct bomp_loop *loop, uint64_t step);
bool bomp_loop_chunk(struct bomp_chunk *chunk);
BOMP_NAMED void bomp_loop_stop(void);

/* A static loop of which the caller takes all its chunks by itself. Iterations are numbered from 0. */
struct bomp_turns {
    uint64_t first, last; /* its first chunk, both inclusive */
    uint64_t stride;      /* from each of its chunks to the next one */
    bool any, more;       /* it has one; and another one */
    bool ends;            /* the loop's last iteration is in one of them */
};
/* Iterations up to number `last` among the threads of the team, in chunks or, if `chunk` is 0, in one share for each. */
void bomp_static_start(uint64_t last, uint64_t chunk, struct bomp_turns *turns);
/* The same among `size` of anything, for number `num`, evenly: says what follows from the numbers. */
void bomp_static_turns(uint64_t last, uint64_t chunk, unsigned num, unsigned size, struct bomp_turns *turns);

/* Around an ordered region, at most once in an iteration: start waits until all earlier iterations are past it. */
BOMP_NAMED void bomp_ordered_start(void);
BOMP_NAMED void bomp_ordered_end(void);

/* A loop whose iterations wait for earlier ones: the first of `dimensions` nested loops, of counts[0] (that of the loop),
 * counts[1], ... iterations. It is met like any loop, with bomp_loop_next and the ends. */
bool bomp_doacross_start(const struct bomp_loop *loop, unsigned dimensions, const uint64_t *counts,
                         struct bomp_span *span);
/* The same for a caller that says the nest of loops apart from the one that is divided: begin, then bomp_loop_begin or
 * bomp_static_start, for the outermost one or several of them as one, and behind that bomp_loop_stop, perhaps behind a
 * barrier. The values of a loop's variable are from first to last by step. perhaps_end: or the last values of all loops
 * are their ends, which no variable takes: which of both, and how many loops are one, follows from the count of the loop
 * that is divided, and where both may be it is the ends. */
struct bomp_dimension {
    int64_t first, last, step;
};
void bomp_doacross_begin(unsigned dimensions, const struct bomp_dimension *nest, bool perhaps_end);
/* The caller is past this iteration, which is in its own chunk; waits until another one is past that one, which
 * comes earlier or does not exist. One value for each dimension: numbers from 0, after bomp_doacross_start. */
BOMP_NAMED void bomp_doacross_post(const uint64_t *index);
void bomp_doacross_wait(const uint64_t *index);
/* The same with the value of each dimension, a uint64_t, as an argument. */
BOMP_NAMED void bomp_doacross_wait_for(uint64_t first, ...);

/* A construct that divides no work, but has an instance that the team shares: a scope, a loop that its threads divide
 * by themselves. `ends`: bomp_loop_end or bomp_loop_end_nowait will end it, and barriers before that lie within it; else
 * the next construct or barrier ends it. */
void bomp_construct_start(bool ends);

/* Zeroed memory that all threads share in the construct that they are in, aligned to 64 bytes, valid until all have
 * left it: after a start with BOMP_LOOP_SHARES, of sections, or bomp_construct_start. All ask for the same size. */
void *bomp_construct_memory(size_t size);

/* A sections construct: the number of a section to run, from 1, or 0. Otherwise as for loops. begin: a start that takes
 * none. */
BOMP_NAMED unsigned bomp_sections_start(unsigned count);
void bomp_sections_begin(unsigned count);
BOMP_NAMED unsigned bomp_sections_next(void);
BOMP_NAMED void bomp_sections_end(void); /* a barrier */
BOMP_NAMED void bomp_sections_end_nowait(void);

/* Whether the calling thread is the one to run a single construct: 1 or 0, of any width that an ABI asks for. */
BOMP_NAMED int bomp_single_start(void);
/* For tools: the thread that runs it is at its end. */
BOMP_NAMED void bomp_single_end(void);
/* The same with a result: NULL for the one that runs it; it must then call copy_end with the result, which the others
 * get from copy_start. A barrier must follow before the next one. */
BOMP_NAMED void *bomp_single_copy_start(void);
BOMP_NAMED void bomp_single_copy_end(void *result);
/* What the thread that has run one passes to the others, which come with NULL: all call it behind the construct, and get
 * it; NULL if the region is cancelled. A barrier must follow before the next one, and while it is used. `site`: where the
 * program has it. */
void *bomp_single_share(void *result, const void *site);

/* Mutual exclusion in the process: of all unnamed criticals, of those with the same zero-initialised word, and of what
 * should have been an atomic instruction. */
BOMP_NAMED void bomp_critical_start(void);
BOMP_NAMED void bomp_critical_end(void);
BOMP_NAMED void bomp_critical_name_start(uint32_t *word);
BOMP_NAMED void bomp_critical_name_end(uint32_t *word);
BOMP_NAMED void bomp_atomic_start(void);
BOMP_NAMED void bomp_atomic_end(void);

/* How a member merges its copies into the originals of a reduction, once: it asks for a way, does what that says, and calls
 * bomp_merge_end_alone if it is BOMP_MERGE_ALONE. All members say the same, but for the data. */
typedef void bomp_combine(void *into, void *from);
struct bomp_merge {
    void *data; /* the member's, for combine, until the call returns */
    /* Several may run at a time; the caller goes to a barrier next, where all meet. NULL: members merge one at a time. */
    bomp_combine *combine;
};
enum bomp_merge_way {
    BOMP_MERGE_NOTHING, /* another member has its copies, which are merged by the next barrier */
    BOMP_MERGE_ALONE    /* one member at a time; with BLITZ_DETERMINISTIC by number */
};
enum bomp_merge_way bomp_merge_choose(const struct bomp_merge *how);
/* Nothing where the caller's way was another one. Then the reduction's own barrier, before the construct's. */
BOMP_NAMED void bomp_merge_end_alone(void);
void bomp_reduction_barrier(void);

/* What a flush construct does, for an ABI whose code leaves it to us. */
BOMP_NAMED void bomp_flush(void);

/* All threads of the team meet and all its tasks are complete; or the region is cancelled. */
BOMP_NAMED void bomp_barrier(void);

/* ---- teams and target regions ---- */

/* A league. */
struct bomp_league {
    unsigned teams; /* 0: as the ICVs say, or, if they say nothing, `usual` */
    unsigned usual;
    unsigned thread_limit; /* 0: as the ICVs say */
    const void *code;      /* the program's, which fn runs; NULL: fn is it */
    bool places;  /* each team has places of its own, as KMP_TEAMS_PROC_BIND says; else those of the caller */
    bool region;  /* for tools, a parallel region of the runtime's is in each team, as libomp has it */
    bool at_once; /* its teams run at the same time, as far as there are threads; else one after the other */
};

/* Runs fn(data) as each of its teams. */
void bomp_teams(void (*fn)(void *), void *data, const struct bomp_league *league);

/* Kept for the calling thread's next league, for an ABI whose code says it in a call before: `teams` and `thread_limit`.
 * It is taken back once, then both are 0. */
void bomp_next_teams(unsigned teams, unsigned thread_limit);
void bomp_next_teams_take(struct bomp_league *league);

/* The thread_limit clause of a target construct whose body runs in the current task. */
void bomp_set_thread_limit(unsigned thread_limit);

/* The same for a caller, itself in a target region, that runs the body of a team each time that this is true; first says
 * that the league begins, and only then the numbers matter (0: 1 team; no limit). */
bool bomp_teams_next(unsigned num_teams, unsigned thread_limit, bool first);

/* Devices by their names, numbered as in omp.h: omp_initial_device, which is the host; omp_invalid_device, which is none: a
 * construct for it ends the program; omp_default_device, what default-device-var says. */
#define BOMP_DEVICE_INITIAL (-1)
#define BOMP_DEVICE_INVALID (-4)
#define BOMP_DEVICE_DEFAULT (-5)

/* The number of devices that are not the host, which is the host's own number: those of the offload library
 * (base/offload.h), else 0. */
BOMP_NAMED int bomp_devices(void);

/* The device of a construct: only the host can run it, so nothing happens, but for OMP_TARGET_OFFLOAD=mandatory. */
void bomp_target_device(int device);
/* Runs fn(data), the body of a target region; thread_limit 0: as the environment says. */
void bomp_target_run(void (*fn)(void *), void *data, unsigned thread_limit);

/* What OMP_TARGET_OFFLOAD says. */
enum bomp_offload { BOMP_OFFLOAD_DEFAULT, BOMP_OFFLOAD_MANDATORY, BOMP_OFFLOAD_DISABLED };
enum bomp_offload bomp_target_offload(void);

/* Ends the threads that wait for the calling thread's next region, and all that wait for anybody's. False: inside a region,
 * nothing has happened. */
bool bomp_pause(void);

/* What omp_target_memcpy_async, omp_target_memcpy_rect_async and omp_target_memset_async do: in a task of its own, after
 * what the list says. */
int bomp_target_copy_async(void *to, const void *from, size_t size, size_t to_offset, size_t from_offset,
                           int to_device, int from_device, const struct bomp_depend_list *depend);
int bomp_target_copy_rect_async(void *to, const void *from, size_t element, int count, const size_t *volume,
                                const size_t *to_offsets, const size_t *from_offsets, const size_t *to_dims,
                                const size_t *from_dims, int to_device, int from_device,
                                const struct bomp_depend_list *depend);
void *bomp_target_fill_async(void *block, int value, size_t size, int device,
                             const struct bomp_depend_list *depend);

/* ---- taskloops ---- */

/* Of a taskloop's task: it has the last iteration; its arguments are where those of another one were that ran, and as that
 * left them. */
#define BOMP_TASKLOOP_LAST 1u
#define BOMP_TASKLOOP_AGAIN 2u

/* How the arguments of a taskloop's task are made where a copy with its bounds will not do: for the iterations of `span`;
 * data as in the loop's `task`, or its copy. */
struct bomp_taskloop_make {
    /* When the task is created. NULL: a copy, with its bounds. */
    void (*make)(void *arguments, void *data, struct bomp_span span, unsigned flags);
    /* The same, and runs the task's fn, by whoever runs it. NULL: its arguments are made when it is created, by the thread
     * that meets the loop: constructors run there. */
    void (*make_and_run)(void *arguments, void *data, struct bomp_span span, unsigned flags);
    size_t size, align; /* of the arguments; align at most 64 */
    /* Tasks of loops with the same are taken to be alike. Three words at the front of arguments are ours. */
    bomp_task_code *code;
    void (*end)(void *data); /* once, when all is made, and what others made is over */
};

/* What a taskloop construct says. The arguments of a task are a copy of its data, and begin with its bounds, the first
 * iteration and the end as values of the variable: two words of 64 bits. Or they are made as `own` says. */
struct bomp_taskloop {
    struct bomp_task_spec task; /* of each of its tasks; without depend and detach */
    struct bomp_loop loop;      /* but for chunk and schedule */
    uint64_t number;            /* iterations of a task at least (grainsize), or tasks; 0: not said */
    bool by_grain;              /* it is the former */
    bool waited;                /* its creator waits for it before anything else */
    bool strict;                /* exactly; what is left makes the last task */
    struct bomp_taskloop_make own;
    const void *code; /* where it is, for tools */
};

/* Creates the tasks. The arguments need not stay, nor the structure. */
void bomp_taskloop(const struct bomp_taskloop *loop);
/* Whether there are none: no iterations, or what the calling task creates is cancelled. */
bool bomp_taskloop_is_void(const struct bomp_taskloop *loop);

/* ---- cancellation ---- */

/* Which of the regions around the calling task: the innermost of the kind. */
enum bomp_cancel { BOMP_CANCEL_PARALLEL, BOMP_CANCEL_LOOP, BOMP_CANCEL_SECTIONS, BOMP_CANCEL_TASKGROUP };

/* Cancels it; true: the caller goes on at its end (of the task, for a taskgroup). Always false, like the others here, when
 * OMP_CANCELLATION is off. */
bool bomp_cancel(enum bomp_cancel what);
/* Whether it is cancelled. A taskgroup also is when the parallel region around it is. */
bool bomp_cancellation_point(enum bomp_cancel what);
/* The same, and the caller does not heed it: it still takes part in all constructs. */
bool bomp_cancel_is_seen(enum bomp_cancel what);
/* The same as the point, for the parallel region: asked after a barrier. */
bool bomp_cancelled(void);

/* ---- functions that we do not have (missing.h) ---- */

/* What was loaded by now is looked at if nothing was yet; the program ends if it asks for one. */
void bomp_missing_look_first(void);
/* Before code at `fn` runs that opens no region here: what was loaded since the last look, if it may come from that. */
void bomp_missing_look_at(void (*fn)(void *));

#endif
