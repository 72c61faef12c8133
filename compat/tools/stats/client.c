/* client.c: the tool of stats.h: callbacks that make calls of account.h. */
#include "ompt/blitz-tools.h"
#include "tools/common/ending.h"
#include "tools/common/listen.h"
#include "tools/common/ticks.h"
#include "tools/common/work_name.h"
#include "tools/stats/account.h"
#include "tools/stats/report.h"
#include "tools/stats/stats.h"
#include "tools/stats/summary.h"

#include <string.h>

/* The calling thread's table; NULL: none, or out of memory. */
static _Thread_local struct bomp_stats_thread *self;

/* Whether the process's initial thread has begun. */
static struct bz_aflag main_is_known;

/* Whether events count. Written when the tool begins and ends. */
static struct bz_aflag is_on;

/* The requested file name; NULL: a table on standard error. Written before the tool begins. */
static const char *asked;

static struct bomp_report_file file;

static BZ_COLD struct bomp_stats_thread *begin_thread(uint64_t now) {
    self = bomp_stats_thread_begin();
    if (self)
        bz_store_relaxed(&self->since, now); /* relaxed: as all counts */
    return self;
}

/* Of an event on this thread. */
static inline struct bomp_stats_thread *thread_at(uint64_t now) {
    struct bomp_stats_thread *thread = self;
    return bz_likely(thread) ? thread : begin_thread(now);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
    struct bomp_stats_thread *thread = thread_at(bomp_ticks());
    (void)data;
    if (thread && type == ompt_thread_initial)
        thread->is_main = bz_first_time(&main_is_known);
}

static void on_thread_end(ompt_data_t *data) {
    (void)data;
    if (self && !self->is_main) /* the report reads that one itself */
        bomp_stats_delay_note();
    if (self)
        bomp_stats_thread_end(self);
    self = NULL;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned requested, int flags, const void *code) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    (void)task, (void)frame, (void)requested, (void)flags;
    parallel->ptr = thread ? bomp_stats_region_begin(thread, now, (uintptr_t)code) : NULL;
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    (void)task, (void)flags, (void)code;
    if (thread)
        bomp_stats_region_end(thread, now, parallel->ptr);
    parallel->ptr = NULL;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned threads, unsigned index, int flags) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = endpoint == ompt_scope_begin ? thread_at(now) : self;
    (void)flags;
    if (!thread)
        return;
    if (endpoint == ompt_scope_begin)
        task->ptr = bomp_stats_member_begin(thread, now, parallel ? parallel->ptr : NULL, threads, index);
    else if (task->ptr)
        bomp_stats_member_end(thread, now, task->ptr);
}

/* The creator waits for an undeferred task's dependences, or in a taskwait with dependences, which is a task in OMPT. */
static BZ_COLD void begin_depend(struct bomp_stats_thread *thread, ompt_data_t *task, bool is_taskwait) {
    uint64_t now = bomp_ticks();
    if (is_taskwait)
        bomp_stats_wait_begin(thread, now, BOMP_STATS_DEPEND);
    else if (task->ptr)
        bomp_stats_await(thread, now, task->ptr);
}

static void on_task_create(ompt_data_t *creator, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                           int has_dependences, const void *code) {
    struct bomp_stats_thread *thread = self;
    (void)creator, (void)frame;
    if (bz_unlikely(!thread) || flags & (ompt_task_initial | ompt_task_implicit))
        return;
    bool is_taskwait = flags & ompt_task_taskwait, is_undeferred = flags & ompt_task_undeferred;
    task->ptr = NULL;
    if (bz_likely(!is_taskwait))
        task->ptr =
            bomp_stats_task_create(thread, (uintptr_t)code, is_undeferred ? BOMP_STATS_UNDEFERRED : 0);
    if (bz_unlikely(is_taskwait || (is_undeferred && has_dependences)))
        begin_depend(thread, task, is_taskwait);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    struct bomp_stats_task *left = prior ? prior->ptr : NULL;
    bool is_over = status == ompt_task_complete || status == ompt_task_cancel;
    if (bz_unlikely(!thread) || status == ompt_task_early_fulfill)
        return;
    if (bz_unlikely(status == ompt_taskwait_complete))
        bomp_stats_wait_end(thread, now);
    else if (bz_likely(status != ompt_task_late_fulfill))
        bomp_stats_switch(thread, now, left,
                          status == ompt_task_cancel                                   ? BOMP_STATS_CANCELLED
                          : status == ompt_task_complete || status == ompt_task_detach ? BOMP_STATS_ENDED
                                                                                       : BOMP_STATS_LEFT,
                          next ? next->ptr : NULL);
    if (left && (is_over || status == ompt_task_late_fulfill)) {
        bomp_stats_task_free(thread, left);
        prior->ptr = NULL;
    }
}

/* Cancelled tasks that have not begun end here. */
static void on_cancel(ompt_data_t *task, int flags, const void *code) {
    struct bomp_stats_thread *thread = self;
    (void)code;
    if (!thread || !(flags & ompt_cancel_discarded_task) || !task->ptr)
        return;
    bomp_stats_task_discard(thread, bomp_ticks(), task->ptr);
    task->ptr = NULL;
}

static void count_wait(ompt_scope_endpoint_t endpoint, enum bomp_stats_state state) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    if (thread && endpoint != ompt_scope_end)
        bomp_stats_wait_begin(thread, now, state);
    if (thread && endpoint != ompt_scope_begin)
        bomp_stats_wait_end(thread, now);
}

/* Barriers and taskwaits: they wait from their begin to their end. */
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                           ompt_data_t *task, const void *code) {
    (void)parallel, (void)task, (void)code;
    if (kind != ompt_sync_region_taskgroup && kind != ompt_sync_region_reduction)
        count_wait(endpoint, kind == ompt_sync_region_taskwait ? BOMP_STATS_TASKWAIT : BOMP_STATS_BARRIER);
}

/* A taskgroup waits at its end only. */
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel, ompt_data_t *task, const void *code) {
    (void)parallel, (void)task, (void)code;
    if (kind == ompt_sync_region_taskgroup)
        count_wait(endpoint, BOMP_STATS_TASKGROUP);
}

/* A wait for one task. */
static void on_task_await(ompt_scope_endpoint_t endpoint, ompt_data_t *waiting, ompt_data_t *awaited,
                          const void *code) {
    (void)waiting, (void)awaited, (void)code;
    count_wait(endpoint, BOMP_STATS_DEPEND);
}

static enum bomp_stats_state state_of_mutex(ompt_mutex_t kind) {
    if (kind == ompt_mutex_ordered)
        return BOMP_STATS_ORDERED;
    return kind == ompt_mutex_critical || kind == ompt_mutex_atomic ? BOMP_STATS_CRITICAL : BOMP_STATS_LOCK;
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t mutex,
                             const void *code) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    (void)hint, (void)impl;
    if (thread && kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock) /* these do not wait */
        bomp_stats_acquire(thread, now, state_of_mutex(kind), (uintptr_t)mutex, (uintptr_t)code);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t mutex, const void *code) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    if (thread)
        bomp_stats_acquired(thread, now, state_of_mutex(kind), (uintptr_t)mutex, (uintptr_t)code);
}

/* The thread already holds the lock. */
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t mutex, const void *code) {
    if (endpoint == ompt_scope_begin)
        on_mutex_acquired(ompt_mutex_nest_lock, mutex, code);
}

static void on_work(ompt_work_t work, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    uint32_t sort = work == ompt_work_single_other ? ompt_work_single_executor : (uint32_t)work;
    (void)parallel, (void)task, (void)count;
    if (!thread)
        return;
    if (work == ompt_work_taskloop) {
        if (endpoint != ompt_scope_end)
            bomp_stats_work_note(thread, (uintptr_t)code, sort);
        return;
    }
    if (endpoint != ompt_scope_end)
        bomp_stats_work_begin(thread, now, (uintptr_t)code, sort);
    if (endpoint != ompt_scope_end && work == ompt_work_single_executor)
        bomp_stats_chunk(thread);
    if (endpoint != ompt_scope_begin)
        bomp_stats_work_end(thread, now);
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                      const void *code) {
    uint64_t now = bomp_ticks();
    struct bomp_stats_thread *thread = thread_at(now);
    (void)parallel, (void)task;
    if (thread && endpoint == ompt_scope_begin)
        bomp_stats_work_begin(thread, now, (uintptr_t)code, BOMP_WORK_MASKED);
    else if (thread)
        bomp_stats_work_end(thread, now);
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t chunk) {
    (void)parallel, (void)task, (void)chunk;
    if (self && kind != ompt_dispatch_taskloop_chunk)
        bomp_stats_chunk(self);
}

/* The child of a fork has counts of its own. */
static void begin_child(void) {
    if (!bz_load_relaxed(&is_on)) /* relaxed: there is one thread */
        return;
    file.is_child = true;
    uint64_t now = bomp_ticks();
    const struct bomp_stats_member *member = self ? self->member.v : NULL;
    bomp_stats_process_begin(true);
    bomp_stats_serial_begin(now, member && member->region.v);
    bomp_stats_threads_forked(self, now);
}

/* Used by the one thread that writes reports. Static, because a signal handler may have a small stack. */
static struct bomp_stats_summary summary;

/* Set before the first event. */
static blitz_get_num_cpus_t get_num_cpus;

static void write_report(void) {
    bz_store_relaxed(&is_on, false); /* relaxed: as below */
    if (!bomp_stats_summary_make(&summary, bomp_ticks(), get_num_cpus())) {
        bz_warn("BLITZ_STATS: out of memory; no statistics are kept");
        return;
    }
    if (!file.is_child || summary.has_any)
        bomp_stats_report(&summary, asked ? &file : NULL);
    bomp_stats_summary_free(&summary);
}

static int begin(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    static const struct bomp_listener listeners[] = {
        BOMP_ON(thread_begin),  BOMP_ON(thread_end),     BOMP_ON(parallel_begin),
        BOMP_ON(parallel_end),  BOMP_ON(implicit_task),  BOMP_ON(task_create),
        BOMP_ON(task_schedule), BOMP_ON(sync_region),    BOMP_ON(sync_region_wait),
        BOMP_ON(mutex_acquire), BOMP_ON(mutex_acquired), BOMP_ON(nest_lock),
        BOMP_ON(work),          BOMP_ON(masked),         BOMP_ON(dispatch),
        BOMP_ON(cancel)};
    (void)device, (void)data;
    get_num_cpus = (blitz_get_num_cpus_t)lookup("blitz_get_num_cpus");
    if ((asked && !bomp_report_file_begin(&file, "BLITZ_STATS", asked, "no statistics are made")) ||
        bz_os_at_fork(NULL, NULL, begin_child) != 0)
        return 0;
    bomp_ticks_begin();
    bomp_stats_process_begin(false);
    bomp_stats_serial_begin(bomp_ticks(), false);
    bz_store_relaxed(&is_on, true); /* relaxed: a fork's child reads it */
    bomp_ending_begin(write_report);
    bomp_listen(lookup, listeners, sizeof listeners / sizeof *listeners, (ompt_callback_t)on_task_await);
    return 1;
}

static void finish(ompt_data_t *data) {
    (void)data;
    bomp_ending_write();
}

bool bomp_stats_now(struct bomp_text *text) {
    *text = (struct bomp_text){0};
    if (!bz_load_relaxed(&is_on) ||
        !bomp_stats_summary_make(&summary, bomp_ticks(), get_num_cpus())) /* relaxed: as above */
        return false;
    bool made = bomp_stats_report_text(text, &summary, false);
    bomp_stats_summary_free(&summary);
    return made && !text->is_cut;
}

bool bomp_stats_asked(const char *said, const char **to) {
    static const char ending[] = ".json";
    size_t length = said ? strlen(said) : 0;
    bool yes = false;
    *to = NULL;
    if (length >= sizeof ending && strcmp(said + length - (sizeof ending - 1), ending) == 0)
        *to = said;
    return *to || (said && bz_parse_bool(said, &yes) == 0 && yes);
}

ompt_start_tool_result_t *bomp_stats_tool(void) {
    static ompt_start_tool_result_t result = {begin, finish, {0}};
    return bomp_stats_asked(bz_os_getenv("BLITZ_STATS"), &asked) ? &result : NULL;
}
