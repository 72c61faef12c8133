/* native.c: see native.h. A call is a task. Each thread that does something has an initial task, outside of all regions,
 * which ends when it sleeps because there is no work. Each tool has words of its own in calls and threads. */
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

static struct tool {
    ompt_start_tool_result_t *result;
    ompt_callback_t callbacks[EVENTS];
    blitz_task_await_t await;
} tools[TOOLS_MOST];

/* Those that have begun; the last one is about to while `initialize` runs. Constant once the first pool is there. */
static unsigned count;

#define TELL_AS(type, event, ...)                                                                            \
    do {                                                                                                     \
        for (unsigned tool = 0; tool < count; tool++)                                                        \
            if (tools[tool].callbacks[ompt_callback_##event])                                                \
                ((ompt_callback_##type##_t)tools[tool].callbacks[ompt_callback_##event])(__VA_ARGS__);       \
    } while (0)
#define TELL(event, ...) TELL_AS(event, event, __VA_ARGS__)

static const struct bz_hooks_host *host;

static ompt_set_result_t set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
    if ((unsigned)event >= EVENTS)
        return ompt_set_never;
    tools[count].callbacks[event] = callback;
    return ompt_set_always;
}

static void set_task_await(ompt_callback_t await) {
    tools[count].await = (blitz_task_await_t)await;
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
    } all[] = {
        {"ompt_set_callback", (ompt_interface_fn_t)set_callback},
        {"blitz_set_task_await", (ompt_interface_fn_t)set_task_await},
        {"blitz_skip_empty_waits", (ompt_interface_fn_t)skip_empty_waits},
        {"blitz_get_num_cpus", (ompt_interface_fn_t)get_num_cpus},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0)
            return all[i].function;
    return NULL;
}

/* ---- threads and calls ---- */

struct call {
    struct bz_watched watched; /* first */
    ompt_data_t data[TOOLS_MOST];
    struct call *below;    /* what its thread goes on with after it; NULL: the initial task */
    unsigned untold_below; /* the thread's `untold` when it began */
};

struct thread {
    bool is_known;   /* the tools know of it */
    bool is_in_task; /* the initial one */
    unsigned waits;  /* waits that it is in, one in the other */
    unsigned untold; /* calls that it is in above `current`, and that there was no memory for */
    struct call *current;
    ompt_data_t data[TOOLS_MOST], task[TOOLS_MOST];
};

static _Thread_local struct thread self;

/* Whose destructor ends a thread. */
static pthread_key_t key;
static bool has_key;

static void end_initial_task(void) {
    if (self.is_in_task)
        TELL(implicit_task, ompt_scope_end, NULL, &self.task[tool], 0, 1, ompt_task_initial);
    self.is_in_task = false;
}

/* A destructor that runs later may begin the thread again; that one has no end. */
static void end_thread(void *unused) {
    (void)unused;
    if (!self.is_known || self.current)
        return;
    end_initial_task();
    TELL(thread_end, &self.data[tool]);
    self.is_known = false;
}

static BZ_COLD void begin_thread(void) {
    self.is_known = true;
    if (has_key)
        (void)pthread_setspecific(key, &self);
    bool is_initial = bz_os_thread_id() == bz_os_process_id();
    ompt_thread_t type = is_initial ? ompt_thread_initial : ompt_thread_worker;
    TELL(thread_begin, type, &self.data[tool]);
}

static void begin_initial_task(void) {
    if (bz_likely(self.is_in_task))
        return;
    if (bz_unlikely(!self.is_known))
        begin_thread();
    self.is_in_task = true;
    TELL(implicit_task, ompt_scope_begin, NULL, &self.task[tool], 1, 1, ompt_task_initial);
}

/* Of the call, or of the initial task. */
static ompt_data_t *data_of(struct call *call) {
    return call ? call->data : self.task;
}

/* ---- what the scheduler tells ---- */

static struct bz_watched *made(const void *function, const void *site, bool is_task) {
    begin_initial_task();
    struct call *call = bz_alloc(sizeof *call);
    if (!call)
        return NULL;
    *call = (struct call){.watched.is_task = is_task};
    const void *code = bomp_spawned_make(function, site, is_task);
    TELL(task_create, &data_of(self.current)[tool], NULL, &call->data[tool], ompt_task_explicit, 0, code);
    return &call->watched;
}

static void begins(struct bz_watched *watched) {
    struct call *call = (struct call *)watched;
    if (!call) {
        self.untold++;
        return;
    }
    begin_initial_task();
    TELL(task_schedule, &data_of(self.current)[tool], ompt_task_switch, &call->data[tool]);
    call->below = self.current;
    call->untold_below = self.untold;
    self.current = call;
    self.untold = 0;
}

static void ends(void) {
    struct call *call = self.current;
    if (self.untold > 0 || !call) {
        self.untold -= self.untold > 0;
        return;
    }
    self.current = call->below;
    self.untold = call->untold_below;
    TELL(task_schedule, &call->data[tool], ompt_task_complete, &data_of(self.current)[tool]);
    if (!call->watched.is_kept)
        bz_free(call);
}

static void skipped(struct bz_watched *watched) {
    struct call *call = (struct call *)watched;
    begin_initial_task();
    TELL(cancel, &call->data[tool], ompt_cancel_discarded_task, NULL);
    if (!call->watched.is_kept)
        bz_free(call);
}

static void forgets(struct bz_watched *watched) {
    bz_free((struct call *)watched);
}

static ompt_sync_region_t kind_of(enum bz_watched_wait wait) {
    return wait == BZ_WATCHED_SYNC ? ompt_sync_region_taskwait : ompt_sync_region_taskgroup;
}

static void tell_wait(enum bz_watched_wait wait, ompt_scope_endpoint_t endpoint, struct call *call,
                      const void *site) {
    ompt_data_t *task = data_of(self.current);
    ompt_sync_region_t kind = kind_of(wait);
    if (wait == BZ_WATCHED_FUTURE) {
        for (unsigned tool = 0; tool < count; tool++)
            if (tools[tool].await)
                tools[tool].await(endpoint, &task[tool], call ? &call->data[tool] : NULL, site);
        return;
    }
    TELL(sync_region, kind, endpoint, NULL, &task[tool], site);
    TELL_AS(sync_region, sync_region_wait, kind, endpoint, NULL, &task[tool], site);
}

static void waits(enum bz_watched_wait wait, struct bz_watched *call, const void *site) {
    begin_initial_task();
    self.waits++;
    tell_wait(wait, ompt_scope_begin, (struct call *)call, site);
}

static void goes_on(enum bz_watched_wait wait) {
    tell_wait(wait, ompt_scope_end, NULL, NULL);
    self.waits--;
}

/* Because there is no work, unless it waits for something. */
static void sleeps(void) {
    if (!self.current && self.waits == 0)
        end_initial_task();
}

/* ---- the beginning and the end ---- */

static void finalize(void) {
    if (!self.current)
        end_thread(NULL);
    for (unsigned i = count; i-- > 0;)
        tools[i].result->finalize(&tools[i].result->tool_data);
}

const struct bz_hooks *bomp_native_begin(const struct bz_hooks_host *from,
                                         ompt_start_tool_result_t *const *asked) {
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
    host = from;
    bomp_dialect_native(from->each_pool);
    has_key = pthread_key_create(&key, end_thread) == 0;
    for (; *asked && count < TOOLS_MOST; asked++) {
        tools[count].result = *asked;
        count += (*asked)->initialize(look_up, 0, &(*asked)->tool_data) != 0;
    }
    if (count == 0)
        return NULL;
    (void)atexit(finalize); /* no memory: reports are not written */
    (void)at_quick_exit(finalize);
    return &watch;
}
