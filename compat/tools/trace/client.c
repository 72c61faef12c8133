/* client.c: the callbacks of the trace write records to the lane of the calling thread. OMPT's data of a task or region
 * holds its id and site. Each record costs one clock reading; a task that runs at once has two records, another one
 * three. */
#include "tools/common/ending.h"
#include "tools/common/listen.h"
#include "tools/trace/file.h"
#include "tools/trace/lane.h"
#include "tools/trace/settings.h"
#include "tools/trace/trace.h"
#include "tools/trace/types.h"

/* The timeline omits shorter waits for locks, and locks held for less. */
#define LEAST_WAIT_NS 500
#define LEAST_HOLD_NS 1000

/* A chunk that begins sooner after the previous one, and directly after it, shares its slice. */
#define LEAST_CHUNK_NS 1000

/* The calling thread's; NULL before its first event and after its end. */
static _Thread_local struct bomp_trace_lane *own;

/* In ticks. Written by initialize. */
static uint64_t least_wait, least_hold, least_chunk;

/* ---- data of tasks and regions ---- */

static uint64_t data_of(uint32_t id, uint16_t site) {
    return id | (uint64_t)site << 32;
}

static uint32_t id_of(const ompt_data_t *data) {
    return data ? (uint32_t)data->value : 0;
}

static uint16_t site_of(const ompt_data_t *data) {
    return data ? (uint16_t)(data->value >> 32) : 0;
}

static uint16_t site_at(const void *code) {
    return bomp_trace_table_number(bomp_trace_lanes.sites, code);
}

/* ---- lanes ---- */

/* Adds a record, if there is a lane and room in it. */
BZ_INLINE void put(struct bomp_trace_lane *mine, enum bomp_trace_kind kind, uint64_t now, uint32_t id,
                   uint16_t site, unsigned detail) {
    uint64_t *at = mine ? bomp_trace_lane_room(mine) : NULL;
    if (bz_likely(at))
        bomp_trace_lane_put(mine, at, kind, now, id, site, detail);
}

static BZ_COLD struct bomp_trace_lane *take_lane(unsigned type) {
    own = bomp_trace_lane_take();
    put(own, BOMP_TRACE_THREAD_BEGIN, bomp_ticks(), bz_os_thread_id(), 0, type);
    return own;
}

BZ_INLINE struct bomp_trace_lane *lane(void) {
    return bz_likely(own) ? own : take_lane(ompt_thread_unknown);
}

BZ_INLINE void note(enum bomp_trace_kind kind, uint32_t id, uint16_t site, unsigned detail) {
    struct bomp_trace_lane *mine = lane();
    put(mine, kind, bomp_ticks(), id, site, detail);
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
    (void)data;
    if (!own)
        (void)take_lane(type);
}

static void on_thread_end(ompt_data_t *data) {
    (void)data;
    if (!own)
        return;
    note(BOMP_TRACE_THREAD_END, 0, 0, 0);
    bomp_trace_lane_leave(own);
    own = NULL;
}

static void child_of_fork(void) {
    bomp_trace_settings.file.is_child = true;
    bomp_trace_lanes_forget(own);
    own = NULL; /* it begins again, with its thread number in the child */
}

/* ---- regions ---- */

static void on_parallel_begin(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *region,
                              unsigned threads, int flags, const void *code) {
    (void)encountering, (void)frame, (void)flags;
    struct bomp_trace_lane *mine = lane();
    uint16_t site = site_at(code);
    uint32_t id = mine ? bomp_trace_lane_id(mine) : 0;
    region->value = data_of(id, site);
    note(BOMP_TRACE_REGION_BEGIN, id, site, threads < UINT16_MAX ? threads : UINT16_MAX);
}

static void on_parallel_end(ompt_data_t *region, ompt_data_t *encountering, int flags, const void *code) {
    (void)encountering, (void)flags, (void)code;
    note(BOMP_TRACE_REGION_END, id_of(region), 0, 0);
}

static void on_implicit_task(ompt_scope_endpoint_t scope, ompt_data_t *region, ompt_data_t *task,
                             unsigned threads, unsigned number, int flags) {
    if (scope != ompt_scope_begin) {
        if (own) /* else nothing of this thread was noted, as in the child of a fork that ends */
            note(BOMP_TRACE_MEMBER_END, id_of(task), 0, 0);
        return;
    }
    struct bomp_trace_lane *mine = lane();
    uint32_t id = mine ? bomp_trace_lane_id(mine) : 0;
    uint16_t site = site_of(region);
    task->value = data_of(id, site);
    if (flags & ompt_task_initial) {
        note(BOMP_TRACE_INITIAL_BEGIN, id, 0, 0);
        return;
    }
    note(BOMP_TRACE_MEMBER_BEGIN, id, site, number);
    note(BOMP_TRACE_MEMBER_OF, id_of(region), site, threads);
}

/* ---- tasks ---- */

_Static_assert(ompt_task_undeferred >> 27 == BOMP_TRACE_IS_UNDEFERRED,
               "the high bits of OMPT are our low ones");
_Static_assert(ompt_task_target << 2 == BOMP_TRACE_IS_TARGET, "and these are");

static unsigned detail_of(int flags, int has_dependences) {
    return (unsigned)flags >> 27 | ((unsigned)flags & (ompt_task_target | ompt_task_taskwait)) << 2 |
           (has_dependences ? BOMP_TRACE_HAS_DEPENDENCES : 0u);
}

/* Records a new task in the lane of the calling thread (NULL: none), and sets its data. */
BZ_INLINE void note_task(struct bomp_trace_lane *mine, enum bomp_trace_kind kind, uint64_t now,
                         ompt_data_t *task, const void *code, unsigned detail) {
    uint64_t *at = mine ? bomp_trace_lane_room(mine) : NULL;
    if (bz_unlikely(!at)) {
        task->value = 0;
        return;
    }
    uint16_t site = site_at(code);
    uint32_t id = bomp_trace_lane_id(mine);
    task->value = data_of(id, site);
    bomp_trace_lane_put(mine, at, kind, now, id, site, detail);
}

static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task, int flags,
                           int has_dependences, const void *code) {
    (void)encountering, (void)frame;
    if (flags & ompt_task_initial) /* on_implicit_task begins these */
        return;
    struct bomp_trace_lane *mine = lane();
    uint64_t now = bomp_ticks();
    note_task(mine, BOMP_TRACE_CREATE, now, task, code, detail_of(flags, has_dependences));
}

/* Dependences are reported right after the creation of the task that waits. */
static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink) {
    if (own && id_of(source) && id_of(sink) == own->noted)
        note(BOMP_TRACE_AFTER, id_of(source), 0, 0);
}

/* Whether the task is the one that the thread's last record created; changes that record. */
BZ_INLINE bool runs_at_once(struct bomp_trace_lane *mine, uint32_t id) {
    if (id != mine->noted || bomp_trace_kind(*mine->record) != BOMP_TRACE_CREATE)
        return false;
    struct bz_a64 *word = (struct bz_a64 *)mine->record; /* relaxed: a reader may see either kind */
    bz_store_relaxed(word, bz_load_relaxed(word) + BOMP_TRACE_CREATE_RUN - BOMP_TRACE_CREATE);
    return true;
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    struct bomp_trace_lane *mine = lane();
    if (!mine)
        return;
    if (next) {
        if (!(status == ompt_task_switch && runs_at_once(mine, id_of(next))))
            note(BOMP_TRACE_SWITCH, id_of(next), site_of(next), status);
    } else if (status == ompt_task_late_fulfill || status == ompt_task_early_fulfill) {
        note(BOMP_TRACE_FULFILL, id_of(prior), site_of(prior), status);
    }
}

static void on_cancel(ompt_data_t *task, int flags, const void *code) {
    note(BOMP_TRACE_CANCEL, flags & ompt_cancel_discarded_task ? id_of(task) : 0, site_at(code),
         (unsigned)flags);
}

/* ---- constructs and waits ---- */

/* The end of a region reports its place only to the first member. */
static uint16_t site_of_sync(ompt_sync_region_t kind, ompt_data_t *task, const void *code) {
    bool is_end = kind == ompt_sync_region_barrier_implicit_parallel;
    return is_end && !code && task ? site_of(task) : site_at(code);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t scope, ompt_data_t *region,
                           ompt_data_t *task, const void *code) {
    (void)region;
    bool begins = scope == ompt_scope_begin;
    note(begins ? BOMP_TRACE_SYNC_BEGIN : BOMP_TRACE_SYNC_END, 0, begins ? site_of_sync(kind, task, code) : 0,
         kind);
}

static void on_task_await(ompt_scope_endpoint_t scope, ompt_data_t *waiting, ompt_data_t *awaited,
                          const void *code) {
    (void)awaited;
    on_sync_region((ompt_sync_region_t)BOMP_TRACE_AWAIT, scope, NULL, waiting, code);
}

static bool is_dealt(ompt_work_t kind) {
    return kind == ompt_work_loop_dynamic || kind == ompt_work_loop_guided || kind == ompt_work_loop_other;
}

static void note_chunk(struct bomp_trace_lane *mine, enum bomp_trace_kind kind, uint64_t now, uint32_t id,
                       uint32_t iterations) {
    put(mine, kind, now, id, (uint16_t)(iterations >> 16), iterations & UINT16_MAX);
}

/* Records how many short chunks followed the last record of a chunk. */
static void end_chunks(struct bomp_trace_lane *mine, uint64_t now) {
    if (mine->chunks > 0)
        note_chunk(mine, BOMP_TRACE_CHUNKS, now, mine->chunks, mine->iterations);
    mine->chunks = mine->iterations = 0;
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t scope, ompt_data_t *region, ompt_data_t *task,
                    uint64_t count, const void *code) {
    (void)region, (void)task;
    bool begins = scope == ompt_scope_begin;
    if (own && own->chunks > 0)
        end_chunks(own, bomp_ticks());
    if (own && scope != ompt_scope_beginend)
        own->deals = begins ? own->deals << 1 | is_dealt(kind) : own->deals >> 1;
    if (scope != ompt_scope_beginend && kind != ompt_work_single_other) /* these do nothing */
        note(begins ? BOMP_TRACE_WORK_BEGIN : BOMP_TRACE_WORK_END,
             count < UINT32_MAX ? (uint32_t)count : UINT32_MAX, begins ? site_at(code) : 0, kind);
}

/* In a static loop each thread has one chunk, which is its whole loop. */
static void on_dispatch(ompt_data_t *region, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance) {
    (void)region, (void)task;
    struct bomp_trace_lane *mine = own;
    if (!mine || !(mine->deals & 1) || kind != ompt_dispatch_ws_loop_chunk)
        return;
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    uint64_t now = bomp_ticks();
    bool is_short = now - mine->time < least_chunk && bomp_trace_kind(*mine->record) == BOMP_TRACE_DISPATCH;
    uint32_t count = chunk->iterations < UINT32_MAX ? (uint32_t)chunk->iterations : UINT32_MAX;
    if (is_short) {
        mine->chunks++;
        mine->iterations += count;
        return;
    }
    end_chunks(mine, now);
    note_chunk(mine, BOMP_TRACE_DISPATCH, now, (uint32_t)chunk->start, count);
}

static void on_masked(ompt_scope_endpoint_t scope, ompt_data_t *region, ompt_data_t *task, const void *code) {
    (void)region, (void)task;
    bool begins = scope == ompt_scope_begin;
    note(begins ? BOMP_TRACE_MASKED_BEGIN : BOMP_TRACE_MASKED_END, 0, begins ? site_at(code) : 0, 0);
}

/* ---- locks ---- */

static uint16_t lock_at(ompt_wait_id_t lock) {
    return bomp_trace_table_number(bomp_trace_lanes.locks, (const void *)(uintptr_t)lock);
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t lock,
                             const void *code) {
    (void)kind, (void)hint, (void)implementation, (void)lock, (void)code;
    struct bomp_trace_lane *mine = lane();
    if (mine)
        mine->asked = bomp_ticks();
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void *code) {
    struct bomp_trace_lane *mine = lane();
    if (!mine)
        return;
    uint64_t now = bomp_ticks();
    uint16_t site = site_at(code);
    uint16_t number = lock_at(lock);
    if (now - mine->asked >= least_wait) {
        put(mine, BOMP_TRACE_WAIT_BEGIN, mine->asked, number, site, kind);
        put(mine, BOMP_TRACE_WAIT_END, now, number, site, kind);
    }
    put(mine, BOMP_TRACE_HOLD_BEGIN, now, number, site, kind);
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void *code) {
    (void)code;
    struct bomp_trace_lane *mine = lane();
    if (!mine)
        return;
    uint64_t now = bomp_ticks();
    uint16_t number = lock_at(lock);
    if (now - mine->time >= least_hold || !bomp_trace_lane_undo(mine, BOMP_TRACE_HOLD_BEGIN, number))
        put(mine, BOMP_TRACE_HOLD_END, now, number, 0, kind);
}

/* ---- the tool ---- */

static const struct bomp_listener listeners[] = {
    BOMP_ON(thread_begin),  BOMP_ON(thread_end),    BOMP_ON(parallel_begin), BOMP_ON(parallel_end),
    BOMP_ON(implicit_task), BOMP_ON(task_create),   BOMP_ON(task_schedule),  BOMP_ON(sync_region),
    BOMP_ON(work),          BOMP_ON(masked),        BOMP_ON(cancel),         BOMP_ON(task_dependence),
    BOMP_ON(dispatch),      BOMP_ON(mutex_acquire), BOMP_ON(mutex_acquired), BOMP_ON(mutex_released)};

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    if (!bomp_trace_lanes_begin(bomp_trace_settings.bytes)) {
        bz_warn("BLITZ_TRACE: out of memory; no trace is written");
        return 0;
    }
    bomp_ticks_begin();
    least_wait = bomp_ticks_in(LEAST_WAIT_NS);
    least_hold = bomp_ticks_in(LEAST_HOLD_NS);
    least_chunk = bomp_ticks_in(LEAST_CHUNK_NS);
    bomp_trace_file_begin();
    if (bz_os_at_fork(NULL, NULL, child_of_fork) != 0)
        bz_warn("BLITZ_TRACE: out of memory for a fork handler; children of this process write no trace");
    bomp_ending_begin(bomp_trace_file_write);
    bomp_listen(lookup, listeners, sizeof listeners / sizeof *listeners, (ompt_callback_t)on_task_await);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    bomp_ending_write();
}

ompt_start_tool_result_t *bomp_trace_tool(const char *runtime) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return bomp_trace_settings_read(runtime) ? &result : NULL;
}
