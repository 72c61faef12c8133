/* native.c: see native.h. A call is a task. A thread that OpenMP does not know gets an initial task at its first event; it
 * ends when the thread sleeps for lack of work. On a thread of OpenMP, each outermost call gets an initial task of its own,
 * because the tools do not know the thread's task of OpenMP. Calls and threads have a word for each tool. */
#include "tools/native/native.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ompt/blitz-tools.h"
#include "tools/common/dialect.h"
#include "tools/source/spawned.h"

#define TOOLS_MOST 3
#define EVENTS 64 /* more than the greatest number of a callback */

/* ---- the tools ---- */

/* Constant once the first pool exists. */
static struct tool {
    ompt_start_tool_result_t *result;
    ompt_start_tool_result_t stand_in;      /* OpenMP starts this in its place */
    ompt_function_lookup_t openmp;          /* OpenMP's lookup; NULL: no OpenMP */
    ompt_get_thread_data_t get_thread_data; /* likewise */
    ompt_callback_t callbacks[EVENTS];
    blitz_task_await_t await;
} tools[TOOLS_MOST];
static unsigned count;

/* The tool whose `initialize` runs. */
static struct tool *starting;

/* Whether OpenMP started the tools. Constant once the first pool exists. */
static bool is_joined;

#define REPORT_AS(type, event, ...)                                                                          \
    do {                                                                                                     \
        for (unsigned tool = 0; tool < count; tool++)                                                        \
            if (tools[tool].callbacks[ompt_callback_##event])                                                \
                ((ompt_callback_##type##_t)tools[tool].callbacks[ompt_callback_##event])(__VA_ARGS__);       \
    } while (0)
#define REPORT(event, ...) REPORT_AS(event, event, __VA_ARGS__)

static const struct bz_hooks_host *host;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
    if ((unsigned)event >= EVENTS)
        return ompt_set_never;
    starting->callbacks[event] = callback;
    if (!starting->openmp)
        return ompt_set_always;
    return ((ompt_set_callback_t)starting->openmp("ompt_set_callback"))(event, callback);
}

static void set_task_await(ompt_callback_t await) {
    starting->await = (blitz_task_await_t)await;
}

static void skip_empty_waits(void) {
} /* the scheduler reports only waits that wait */

static unsigned get_num_cpus(void) {
    return host->cpus();
}

static ompt_interface_fn_t look_up(const char *name) {
    static const struct {
        const char *name;
        ompt_interface_fn_t function;
        bool is_ours; /* also where OpenMP has one */
    } entries[] = {
        {"ompt_set_callback", (ompt_interface_fn_t)set_callback, true},
        {"blitz_set_task_await", (ompt_interface_fn_t)set_task_await, true},
        {"blitz_skip_empty_waits", (ompt_interface_fn_t)skip_empty_waits, false},
        {"blitz_get_num_cpus", (ompt_interface_fn_t)get_num_cpus, false},
    };
    ompt_function_lookup_t openmp = starting->openmp;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if ((entries[i].is_ours || !openmp) && strcmp(name, entries[i].name) == 0)
            return entries[i].function;
    return openmp ? openmp(name) : NULL;
}

/* ---- threads and calls ---- */

struct call {
    struct bz_watched watched; /* first */
    ompt_data_t data[TOOLS_MOST];
    struct call *below;        /* its thread resumes this one; NULL: the initial task */
    unsigned unrecorded_below; /* the thread's `unrecorded` when it began */
    const void *worker;        /* the worker that runs it (hooks.h) */
    bool is_outermost;         /* `initial` is around it */
    ompt_data_t initial[TOOLS_MOST];
};

struct thread {
    bool is_known;       /* this file began it for the tools */
    bool is_in_task;     /* in the initial task */
    unsigned waits;      /* nested waits */
    unsigned unrecorded; /* nested calls above `current` without a record */
    struct call *current;
    ompt_data_t data[TOOLS_MOST], task[TOOLS_MOST];
};

static _Thread_local struct thread self;

/* Its destructor ends a thread. */
static pthread_key_t key;
static bool has_key;

static bool is_of_openmp(void) {
    return is_joined && count > 0 && tools[0].get_thread_data && tools[0].get_thread_data();
}

static void report_initial(ompt_scope_endpoint_t endpoint, ompt_data_t *task) {
    unsigned threads = endpoint == ompt_scope_begin;
    REPORT(implicit_task, endpoint, NULL, &task[tool], threads, 1, ompt_task_initial);
    if (endpoint == ompt_scope_end)
        memset(task, 0, TOOLS_MOST * sizeof *task);
}

static void end_initial_task(void) {
    if (self.is_in_task)
        report_initial(ompt_scope_end, self.task);
    self.is_in_task = false;
}

/* A later destructor may begin the thread again, which then has no end. */
static void end_thread(void *unused) {
    (void)unused;
    if (!self.is_known || self.current)
        return;
    end_initial_task();
    REPORT(thread_end, &self.data[tool]);
    self.is_known = false;
}

static BZ_COLD void begin_thread(void) {
    self.is_known = true;
    if (has_key)
        (void)pthread_setspecific(key, &self);
    bool is_initial = bz_os_thread_id() == bz_os_process_id();
    ompt_thread_t type = is_initial ? ompt_thread_initial : ompt_thread_worker;
    REPORT(thread_begin, type, &self.data[tool]);
}

static void begin_initial_task(void) {
    if (bz_likely(self.is_in_task) || is_of_openmp())
        return;
    if (bz_unlikely(!self.is_known))
        begin_thread();
    self.is_in_task = true;
    report_initial(ompt_scope_begin, self.task);
}

/* Whether the thread is in `current`, or in its initial task, and not in a task of OpenMP within. */
static bool is_on_top(void) {
    if (!is_joined)
        return true;
    return self.current ? self.current->worker == host->worker() : self.is_in_task;
}

/* The words of the current task. In a task of OpenMP they are empty, and the tools use their own record. */
static ompt_data_t *here(void) {
    static _Thread_local ompt_data_t none[TOOLS_MOST];
    return !is_on_top() ? none : self.current ? self.current->data : self.task;
}

/* ---- the scheduler's events ---- */

static struct bz_watched *made(const void *function, const void *site, bool is_task) {
    begin_initial_task();
    struct call *call = bz_alloc(sizeof *call);
    if (!call)
        return NULL;
    *call = (struct call){.watched.is_task = is_task};
    const void *code = bomp_spawned_make(function, site, is_task);
    ompt_data_t *creator = here();
    REPORT(task_create, &creator[tool], NULL, &call->data[tool], ompt_task_explicit, 0, code);
    return &call->watched;
}

static void begins(struct bz_watched *watched) {
    struct call *call = (struct call *)watched;
    if (!call) {
        self.unrecorded++;
        return;
    }
    begin_initial_task();
    call->worker = host->worker();
    call->is_outermost = !is_on_top();
    if (call->is_outermost)
        report_initial(ompt_scope_begin, call->initial);
    ompt_data_t *prior = call->is_outermost ? call->initial : here();
    REPORT(task_schedule, &prior[tool], ompt_task_switch, &call->data[tool]);
    call->below = self.current;
    call->unrecorded_below = self.unrecorded;
    self.current = call;
    self.unrecorded = 0;
}

static void ends(void) {
    struct call *call = self.current;
    if (self.unrecorded > 0 || !call) {
        self.unrecorded -= self.unrecorded > 0;
        return;
    }
    self.current = call->below;
    self.unrecorded = call->unrecorded_below;
    ompt_data_t *next = call->is_outermost ? call->initial : self.current ? self.current->data : self.task;
    REPORT(task_schedule, &call->data[tool], ompt_task_complete, &next[tool]);
    if (call->is_outermost)
        report_initial(ompt_scope_end, call->initial);
    if (!call->watched.is_kept)
        bz_free(call);
}

static void skipped(struct bz_watched *watched) {
    struct call *call = (struct call *)watched;
    begin_initial_task();
    REPORT(cancel, &call->data[tool], ompt_cancel_discarded_task, NULL);
    if (!call->watched.is_kept)
        bz_free(call);
}

static void forgets(struct bz_watched *watched) {
    bz_free((struct call *)watched);
}

static void report_wait(enum bz_watched_wait wait, ompt_scope_endpoint_t endpoint, struct call *call,
                        const void *site) {
    ompt_data_t *task = here();
    ompt_sync_region_t kind =
        wait == BZ_WATCHED_SYNC ? ompt_sync_region_taskwait : ompt_sync_region_taskgroup;
    if (wait == BZ_WATCHED_FUTURE) {
        for (unsigned tool = 0; tool < count; tool++)
            if (tools[tool].await)
                tools[tool].await(endpoint, &task[tool], call ? &call->data[tool] : NULL, site);
        return;
    }
    REPORT(sync_region, kind, endpoint, NULL, &task[tool], site);
    REPORT_AS(sync_region, sync_region_wait, kind, endpoint, NULL, &task[tool], site);
}

static void waits(enum bz_watched_wait wait, struct bz_watched *call, const void *site) {
    begin_initial_task();
    if (wait == BZ_WATCHED_LENT)
        return;
    self.waits++;
    report_wait(wait, ompt_scope_begin, (struct call *)call, site);
}

static void goes_on(enum bz_watched_wait wait) {
    begin_initial_task();
    if (wait == BZ_WATCHED_LENT)
        return;
    report_wait(wait, ompt_scope_end, NULL, NULL);
    self.waits--;
}

/* The thread lacks work, unless it waits. */
static void sleeps(void) {
    if (!self.current && self.waits == 0)
        end_initial_task();
}

static const struct bz_hooks watch = {
    .made = made,
    .begins = begins,
    .ends = ends,
    .skipped = skipped,
    .forgets = forgets,
    .waits = waits,
    .goes_on = goes_on,
    .sleeps = sleeps,
    .pool_ends = bomp_dialect_pool_ends,
};

/* ---- the start and the end ---- */

static void begin(const struct bz_hooks_host *from) {
    host = from;
    bomp_dialect_pools(from->each_pool);
    has_key = pthread_key_create(&key, end_thread) == 0;
}

static bool start(struct tool *tool, ompt_function_lookup_t openmp, int device) {
    starting = tool;
    tool->openmp = openmp;
    bool starts = tool->result->initialize(look_up, device, &tool->result->tool_data) != 0;
    if (!starts) {
        memset(tool->callbacks, 0, sizeof tool->callbacks);
        tool->await = NULL;
    }
    return starts;
}

static void finalize(void) {
    if (!self.current)
        end_thread(NULL);
    for (unsigned i = count; i-- > 0;)
        tools[i].result->finalize(&tools[i].result->tool_data);
}

const struct bz_hooks *bomp_native_begin(const struct bz_hooks_host *from,
                                         ompt_start_tool_result_t *const *asked) {
    begin(from);
    bomp_dialect_native();
    for (; *asked && count < TOOLS_MOST; asked++) {
        tools[count].result = *asked;
        count += start(&tools[count], NULL, 0);
    }
    if (count == 0)
        return NULL;
    (void)atexit(finalize); /* out of memory: reports are not written */
    (void)at_quick_exit(finalize);
    return &watch;
}

static struct tool *tool_of(ompt_data_t *data) {
    return bz_container_of(data, struct tool, stand_in.tool_data);
}

static int start_joined(ompt_function_lookup_t openmp, int device, ompt_data_t *data) {
    struct tool *tool = tool_of(data);
    tool->get_thread_data = (ompt_get_thread_data_t)openmp("ompt_get_thread_data");
    return start(tool, openmp, device);
}

static void finalize_joined(ompt_data_t *data) {
    struct tool *tool = tool_of(data);
    tool->result->finalize(&tool->result->tool_data);
}

ompt_start_tool_result_t *const *bomp_native_join(const struct bz_hooks_host *from,
                                                  ompt_start_tool_result_t *const *asked,
                                                  const struct bz_hooks **hooks) {
    static ompt_start_tool_result_t *stand_ins[TOOLS_MOST + 1];
    begin(from);
    is_joined = true;
    for (; *asked && count < TOOLS_MOST; asked++, count++) {
        tools[count].result = *asked;
        tools[count].stand_in = (ompt_start_tool_result_t){start_joined, finalize_joined, {0}};
        stand_ins[count] = &tools[count].stand_in;
    }
    *hooks = &watch;
    return stand_ins;
}
