/* rules.h: an OMPT tool inside the program, which checks each event against the earlier ones, and counts them. It
 * reports broken rules on stderr, and the process fails at its end.
 *
 * A task has a number in its word, from its creation on. A thread runs the task that its last event named. */
#ifndef RULES_H
#define RULES_H

#include <omp-tools.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

enum { TASKS = 100000, STATUSES = 9, WORKS = 14, KINDS = 11, MUTEXES = 8, DISPATCHES = 6, DEPTH = 64 };

/* Events since the last reset; all threads change it. */
static struct {
    unsigned created, undeferred, untied, final, dependent, dependences, edges;
    unsigned status[STATUSES], begun[WORKS], ended[WORKS], dispatched[DISPATCHES];
    unsigned waits[KINDS], acquired[MUTEXES], released[MUTEXES], nested, inits, destroys;
    unsigned reductions, masked, cancels, discarded, flushes, errors, without_code;
    unsigned targets[13], ended_targets, submits;
    unsigned leagues, ended_leagues, teams, inner, ended_inner; /* inner: the runtime's region in a team */
    uint64_t count; /* of the last worksharing construct that began */
    unsigned hint;  /* of the last mutex that was requested */
} seen;

#define COUNT(field) __atomic_fetch_add(&seen.field, 1, __ATOMIC_RELAXED)

static unsigned broken;
#define RULE(holds)                                                                                          \
    do {                                                                                                     \
        if (!(holds)) {                                                                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, __func__, #holds);                        \
            __atomic_fetch_add(&broken, 1, __ATOMIC_RELAXED);                                                \
        }                                                                                                    \
    } while (0)

/* ---- tasks ---- */

enum { REGION = 1, LEAGUE }; /* the word of a region */
enum task_state { NONE, CREATED, RUNS, OVER, DETACHED };
static unsigned char states[TASKS];
static uint64_t last_task;
static unsigned alive; /* created and not over */

static uint64_t new_task(enum task_state state) {
    uint64_t number = __atomic_add_fetch(&last_task, 1, __ATOMIC_RELAXED) % TASKS;
    states[number] = (unsigned char)state;
    return number;
}

static void over(uint64_t number, enum task_state state) {
    states[number] = (unsigned char)state;
    if (state == OVER)
        __atomic_fetch_sub(&alive, 1, __ATOMIC_RELAXED);
}

/* The calling thread's tasks, one for each region around it; the last one runs. */
static __thread struct {
    uint64_t tasks[DEPTH];
    int depth;
    uint64_t asks;   /* the mutex that it has requested and not acquired */
    int syncs, work; /* current nesting */
} me;

static uint64_t current(void) {
    return me.tasks[me.depth];
}

static void on_implicit(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                        unsigned count, unsigned index, int flags) {
    (void)count, (void)index;
    if (endpoint == ompt_scope_begin) {
        if (flags & ompt_task_initial && parallel && parallel->value == LEAGUE)
            COUNT(teams);
        task->value = new_task(RUNS);
        me.tasks[++me.depth] = task->value;
        return;
    }
    RULE(current() == task->value);
    me.depth--;
}

static void on_region(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *parallel,
                      unsigned requested, int flags, const void *code) {
    bool inner = !code && flags == (int)(ompt_parallel_team | ompt_parallel_invoker_runtime);
    RULE(creator->value == current() && parallel->value == 0 && requested > 0);
    RULE(inner || (frame->enter_frame.ptr && code));
    if (inner)
        COUNT(inner);
    parallel->value = flags & ompt_parallel_league ? LEAGUE : REGION;
    if (flags & ompt_parallel_league)
        COUNT(leagues);
}

static void on_region_end(ompt_data_t *parallel, ompt_data_t *creator, int flags, const void *code) {
    RULE(creator->value == current());
    if (!code)
        COUNT(ended_inner);
    RULE(parallel->value == (flags & ompt_parallel_league ? LEAGUE : REGION));
    if (flags & ompt_parallel_league)
        COUNT(ended_leagues);
}

static void on_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                      int has_dependences, const void *code) {
    RULE(creator->value == current());
    RULE(frame->enter_frame.ptr);
    RULE(task->value == 0);
    task->value = new_task(CREATED);
    if (!code)
        COUNT(without_code);
    if (!(flags & ompt_task_taskwait)) {
        COUNT(created);
        __atomic_fetch_add(&alive, 1, __ATOMIC_RELAXED);
    }
    if (flags & ompt_task_undeferred)
        COUNT(undeferred);
    if (flags & ompt_task_untied)
        COUNT(untied);
    if (flags & ompt_task_final)
        COUNT(final);
    if (has_dependences)
        COUNT(dependent);
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *items, int count) {
    RULE(task->value != 0 && count > 0 && items[0].dependence_type != 0);
    COUNT(dependences);
}

static void on_edge(ompt_data_t *source, ompt_data_t *sink) {
    RULE(source->value != 0 && sink->value != 0 && source->value != sink->value);
    COUNT(edges);
}

static void on_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    COUNT(status[status]);
    if (status == ompt_taskwait_complete)
        return;
    if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {
        RULE(!next);
        if (status == ompt_task_late_fulfill) {
            RULE(states[prior->value] == DETACHED);
            over(prior->value, OVER);
        }
        return;
    }
    RULE(prior->value == current());
    RULE(next);
    if (status == ompt_task_switch || status == ompt_task_yield)
        RULE(states[prior->value] == RUNS);
    else
        over(prior->value, status == ompt_task_detach ? DETACHED : OVER);
    RULE(states[next->value] == CREATED || states[next->value] == RUNS);
    states[next->value] = RUNS;
    me.tasks[me.depth] = next->value;
}

static void on_cancel(ompt_data_t *task, int flags, const void *code) {
    RULE(task->value != 0);
    RULE(code || flags & ompt_cancel_discarded_task);
    if (!(flags & ompt_cancel_discarded_task)) {
        COUNT(cancels);
        return;
    }
    COUNT(discarded);
    RULE(states[task->value] == CREATED); /* it never begins */
    over(task->value, OVER);
}

/* ---- constructs ---- */

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, const void *code) {
    (void)parallel, (void)code;
    RULE(task->value == current());
    if (endpoint == ompt_scope_begin) {
        COUNT(waits[kind]);
        me.syncs++;
    } else {
        RULE(me.syncs-- > 0);
    }
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                         ompt_data_t *task, const void *code) {
    (void)parallel, (void)code;
    RULE(kind == ompt_sync_region_reduction && task->value == current());
    if (endpoint == ompt_scope_begin)
        COUNT(reductions);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code) {
    RULE(parallel && task->value == current() && code);
    if (endpoint == ompt_scope_begin) {
        COUNT(begun[kind]);
        __atomic_store_n(&seen.count, count, __ATOMIC_RELAXED);
        me.work++;
    } else {
        COUNT(ended[kind]);
        RULE(me.work-- > 0);
    }
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance) {
    RULE(parallel && task->value == current() && instance.ptr);
    if (kind == ompt_dispatch_section)
        COUNT(dispatched[kind]);
    else /* iterations */
        __atomic_fetch_add(&seen.dispatched[kind],
                           (unsigned)((const ompt_dispatch_chunk_t *)instance.ptr)->iterations,
                           __ATOMIC_RELAXED);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      const void *code) {
    RULE(parallel && task->value == current() && code);
    if (endpoint == ompt_scope_begin)
        COUNT(masked);
}

/* ---- target constructs ---- */

static __thread const ompt_data_t *target; /* the thread's current one */

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                      ompt_data_t *target_task, ompt_data_t *data, const void *code) {
    bool begins = endpoint == ompt_scope_begin;
    RULE(device == 0 && task->value != 0 && code && begins == !target);
    RULE(!target_task || target_task->value == current());
    target = begins ? data : NULL;
    if (begins)
        COUNT(targets[kind]);
    else
        COUNT(ended_targets);
}

static void on_submit(ompt_scope_endpoint_t endpoint, ompt_data_t *data, ompt_id_t *id, unsigned teams) {
    RULE(data == target && id && teams == 1);
    if (endpoint == ompt_scope_begin)
        COUNT(submits);
}

/* ---- mutual exclusion ---- */

static void on_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code) {
    (void)kind, (void)impl;
    RULE(id != 0 && code);
    me.asks = id;
    seen.hint = hint;
}

static void on_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    RULE(id == me.asks && code);
    me.asks = 0;
    COUNT(acquired[kind]);
}

static void on_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    RULE(id != 0 && code);
    COUNT(released[kind]);
}

static void on_nested(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *code) {
    RULE(id != 0 && code);
    if (endpoint == ompt_scope_begin)
        COUNT(nested);
}

static void on_init(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code) {
    (void)kind, (void)hint, (void)impl;
    RULE(id != 0 && code);
    COUNT(inits);
}

static void on_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    (void)kind;
    RULE(id != 0 && code);
    COUNT(destroys);
}

static void on_flush(ompt_data_t *thread, const void *code) {
    (void)thread;
    RULE(code);
    COUNT(flushes);
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *code) {
    RULE(severity == ompt_warning && length > 0 && message && code);
    COUNT(errors);
}

/* ---- the tool ---- */

static bool found;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    static const struct {
        ompt_callbacks_t event;
        ompt_callback_t call;
    } calls[] = {
        {ompt_callback_implicit_task, (ompt_callback_t)on_implicit},
        {ompt_callback_parallel_begin, (ompt_callback_t)on_region},
        {ompt_callback_parallel_end, (ompt_callback_t)on_region_end},
        {ompt_callback_task_create, (ompt_callback_t)on_create},
        {ompt_callback_task_schedule, (ompt_callback_t)on_schedule},
        {ompt_callback_dependences, (ompt_callback_t)on_dependences},
        {ompt_callback_task_dependence, (ompt_callback_t)on_edge},
        {ompt_callback_cancel, (ompt_callback_t)on_cancel},
        {ompt_callback_sync_region, (ompt_callback_t)on_sync},
        {ompt_callback_reduction, (ompt_callback_t)on_reduction},
        {ompt_callback_work, (ompt_callback_t)on_work},
        {ompt_callback_dispatch, (ompt_callback_t)on_dispatch},
        {ompt_callback_masked, (ompt_callback_t)on_masked},
        {ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire},
        {ompt_callback_mutex_acquired, (ompt_callback_t)on_acquired},
        {ompt_callback_mutex_released, (ompt_callback_t)on_released},
        {ompt_callback_nest_lock, (ompt_callback_t)on_nested},
        {ompt_callback_lock_init, (ompt_callback_t)on_init},
        {ompt_callback_lock_destroy, (ompt_callback_t)on_destroy},
        {ompt_callback_flush, (ompt_callback_t)on_flush},
        {ompt_callback_error, (ompt_callback_t)on_error},
        {ompt_callback_target_emi, (ompt_callback_t)on_target},
        {ompt_callback_target_submit_emi, (ompt_callback_t)on_submit},
    };
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    (void)device, (void)data;
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++)
        RULE(set(calls[i].event, calls[i].call) >= ompt_set_sometimes);
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    found = true;
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    RULE(alive == 0);
    RULE(me.syncs == 0 && me.work == 0 && me.depth == 0);
    if (broken)
        _exit(1);
}

/* The library finds this function by its name; the program is linked with -rdynamic. */
ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

#endif
