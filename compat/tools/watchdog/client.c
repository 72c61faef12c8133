/* client.c: the callbacks of the watchdog: they record the task of each thread, the wait of each task, and that it moved. */
#include <string.h>

#include "ompt/blitz-tools.h"
#include "tools/common/listen.h"
#include "tools/watchdog/record.h"
#include "tools/watchdog/watchdog.h"

/* The calling thread's record; NULL before its first event and after its end. After a fork it is set aside until then. */
static _Thread_local struct bomp_hang_thread *own, *aside;

/* ---- the calling thread ---- */

static BZ_COLD struct bomp_hang_thread *begin(void) {
    own = aside ? aside : bomp_hang_thread_new();
    aside = NULL;
    if (own)
        bomp_watchdog_monitor_match();
    return own;
}

/* Counts an event of the calling thread. Returns its record; NULL: no memory. */
static struct bomp_hang_thread *moved(void) {
    struct bomp_hang_thread *self = bz_likely(own) ? own : begin();
    if (bz_likely(self)) {
        bz_store_relaxed(&self->moves, bz_load_relaxed(&self->moves) + 1);
        bz_store_relaxed(&self->last, bz_os_tick_ns());
    }
    return self;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data) {
    (void)type, (void)data;
    (void)moved();
}

static void on_thread_end(ompt_data_t *data) {
    (void)data;
    if (moved())
        bomp_hang_thread_end(own);
    own = NULL;
    if (bomp_hang_alive() == 0)
        bomp_watchdog_monitor_match();
}

void bomp_watchdog_client_fork(void) {
    if (own)
        aside = own;
    own = NULL;
    bomp_hang_threads_lost(aside);
}

/* ---- one wait of a task ---- */

static void begin_wait(struct bomp_hang_item *task, enum bomp_hang_wait_kind kind, uint64_t object,
                       const void *code) {
    if (!task)
        return;
    bz_store_relaxed(&task->wait.where, code ? code : bz_load_relaxed(&task->last_site));
    bz_store_relaxed(&task->wait.since, bz_os_tick_ns());
    bz_store_relaxed(&task->wait.object, object);
    bz_store_relaxed(&task->wait.kind, kind);
}

static void end_wait(struct bomp_hang_item *task) {
    if (task)
        bz_store_relaxed(&task->wait.kind, BOMP_HANG_NO_WAIT);
}

static struct bomp_hang_item *current_of(struct bomp_hang_thread *self) {
    return self ? bz_load_relaxed(&self->current) : NULL;
}

/* ---- regions ---- */

/* The data of a task that one thread may end while another one, which waits for it, reads it. relaxed: as all records. */
struct item_word {
    struct bomp_hang_item *v;
};

static struct bomp_hang_item *item_of(const ompt_data_t *data) {
    return data ? bz_load_relaxed((const struct item_word *)&data->ptr) : NULL;
}

static void set_item(ompt_data_t *data, struct bomp_hang_item *item) {
    bz_store_relaxed((struct item_word *)&data->ptr, item);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
                              unsigned asked, int flags, const void *code) {
    struct bomp_hang_thread *self = moved();
    struct bomp_hang_item *team = self ? bomp_hang_item_new(self, BOMP_HANG_TEAM) : NULL;
    (void)task, (void)frame, (void)asked, (void)flags;
    parallel->ptr = team;
    if (team)
        bz_store_relaxed(&team->where, code);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
    (void)task, (void)flags, (void)code;
    end_wait(current_of(moved()));
    bomp_hang_item_free(item_of(parallel));
    parallel->ptr = NULL;
}

static void begin_implicit(struct bomp_hang_thread *self, struct bomp_hang_item *team, ompt_data_t *data,
                           unsigned size, unsigned index) {
    struct bomp_hang_item *task = bomp_hang_item_new(self, BOMP_HANG_IMPLICIT);
    data->ptr = task;
    if (!task)
        return;
    task->outer = bz_load_relaxed(&self->current);
    bomp_hang_refer(&task->team, team);
    bz_store_relaxed(&task->index, index);
    bz_store_relaxed(&task->where, team ? bz_load_relaxed(&team->where) : NULL);
    bz_store_relaxed(&task->thread, self);
    if (team)
        bz_store_relaxed(&team->size, size);
    bz_store_relaxed(&self->current, task);
}

/* The primary member resumes the task around the region, which has not ended yet. */
static void end_implicit(struct bomp_hang_thread *self, struct bomp_hang_item *task) {
    struct bomp_hang_item *outer = task ? task->outer : NULL;
    bz_store_relaxed(&self->current, outer);
    if (outer && bz_load_relaxed(&task->team.item))
        begin_wait(outer, BOMP_HANG_LEAVE, 0, bz_load_relaxed(&task->where));
    bomp_hang_item_free(task);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                             unsigned size, unsigned index, int flags) {
    struct bomp_hang_thread *self = moved();
    (void)flags;
    if (!self)
        return;
    if (endpoint == ompt_scope_begin) {
        begin_implicit(self, item_of(parallel), task, size, index);
    } else {
        end_implicit(self, item_of(task));
        task->ptr = NULL;
    }
}

/* ---- tasks ---- */

static void on_task_create(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *new_task,
                           int flags, int has_dependences, const void *code) {
    struct bomp_hang_thread *self = moved();
    struct bomp_hang_item *parent = item_of(encountering);
    (void)frame;
    if (!self || flags & ompt_task_initial)
        return;
    if (!parent)
        parent = bz_load_relaxed(&self->current);
    struct bomp_hang_item *task = bomp_hang_item_new(self, BOMP_HANG_CREATED);
    set_item(new_task, task);
    if (!task)
        return;
    bomp_hang_refer(&task->parent, parent);
    bomp_hang_refer(&task->team, parent ? bz_load_relaxed(&parent->team.item) : NULL);
    bz_store_relaxed(&task->where, code);
    if (has_dependences && flags & (ompt_task_undeferred | ompt_task_taskwait))
        begin_wait(parent, BOMP_HANG_UNDEFERRED, (uintptr_t)task, code);
}

static void add_depend(struct bomp_hang_item *task, const ompt_dependence_t *depend) {
    unsigned i = bz_load_relaxed(&task->depend_count);
    bz_store_relaxed(&task->depend_count, i + 1);
    if (i >= BOMP_HANG_DEPENDS_KEPT)
        return;
    bz_store_relaxed(&task->depends[i].address, depend->variable.ptr);
    bz_store_relaxed(&task->depends[i].kind, (uint32_t)depend->dependence_type);
}

/* Skips those of a doacross loop, which belong to no task. */
static void on_dependences(ompt_data_t *data, const ompt_dependence_t *depends, int count) {
    struct bomp_hang_item *task = item_of(data);
    (void)moved();
    for (int i = 0; task && i < count; i++)
        if (depends[i].dependence_type != ompt_dependence_type_source &&
            depends[i].dependence_type != ompt_dependence_type_sink)
            add_depend(task, &depends[i]);
}

/* Ends the wait of a creator for this task to begin or end. */
static void end_undeferred(struct bomp_hang_item *task) {
    struct bomp_hang_item *parent = task ? bomp_hang_referred(&task->parent) : NULL;
    if (parent && bz_load_relaxed(&parent->wait.kind) == BOMP_HANG_UNDEFERRED &&
        bz_load_relaxed(&parent->wait.object) == (uintptr_t)task)
        end_wait(parent);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
    struct bomp_hang_thread *self = moved();
    struct bomp_hang_item *left = item_of(prior), *begun = item_of(next);
    bool is_over = status == ompt_task_complete || status == ompt_task_cancel ||
                   status == ompt_task_late_fulfill || status == ompt_taskwait_complete;
    end_undeferred(left);
    end_undeferred(begun);
    uint32_t expected = BOMP_HANG_BEGUN; /* else another thread has fulfilled its event */
    if (left && status == ompt_task_detach)
        (void)bz_cas_relaxed(&left->state, &expected, BOMP_HANG_DETACHED);
    if (left && is_over && bz_load_relaxed(&left->state) != BOMP_HANG_IMPLICIT) {
        bomp_hang_item_free(left);
        set_item(prior, NULL);
    }
    if (!self || !begun || status == ompt_task_early_fulfill || status == ompt_task_late_fulfill)
        return;
    bz_store_relaxed(&self->current, begun);
    if (bz_load_relaxed(&begun->state) != BOMP_HANG_IMPLICIT)
        bz_store_relaxed(&begun->state, BOMP_HANG_BEGUN);
    bz_store_relaxed(&begun->thread, self);
}

/* A discarded task never begins. */
static void on_cancel(ompt_data_t *data, int flags, const void *code) {
    struct bomp_hang_item *task = item_of(data);
    (void)moved(), (void)code;
    if (!(flags & ompt_cancel_discarded_task))
        return;
    end_undeferred(task);
    bomp_hang_item_free(task);
    set_item(data, NULL);
}

/* ---- waits ---- */

static enum bomp_hang_wait_kind kind_of_region(ompt_sync_region_t kind) {
    bool ends = kind == ompt_sync_region_barrier_implicit_parallel || kind == ompt_sync_region_barrier_teams;
    return kind == ompt_sync_region_taskwait    ? BOMP_HANG_TASKWAIT
           : kind == ompt_sync_region_taskgroup ? BOMP_HANG_TASKGROUP
           : ends                               ? BOMP_HANG_REGION_END
                                                : BOMP_HANG_BARRIER;
}

/* The wait may lack the place, which this event has. A scope of blitz.h (no region) has begun earlier. */
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                           ompt_data_t *data, const void *code) {
    struct bomp_hang_item *task = item_of(data);
    struct bomp_hang_thread *self = moved();
    if (task && endpoint == ompt_scope_begin && kind != ompt_sync_region_reduction)
        bz_store_relaxed(&task->last_site, code);
    if (task && self && endpoint == ompt_scope_begin && kind == ompt_sync_region_taskgroup && parallel)
        bz_store_relaxed(&task->group_after, bz_load_relaxed(&self->last_number));
}

/* The task's, or that of the thread's current one. */
static void note_wait(ompt_data_t *data, ompt_scope_endpoint_t endpoint, enum bomp_hang_wait_kind kind,
                      const struct bomp_hang_item *awaited, const void *code) {
    struct bomp_hang_thread *self = moved();
    struct bomp_hang_item *task = item_of(data);
    if (!task)
        task = current_of(self);
    if (endpoint == ompt_scope_begin)
        begin_wait(task, kind, (uintptr_t)awaited, code);
    else
        end_wait(task);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                                ompt_data_t *parallel, ompt_data_t *data, const void *code) {
    (void)parallel;
    note_wait(data, endpoint, kind_of_region(kind), NULL, code);
}

static void on_task_await(ompt_scope_endpoint_t endpoint, ompt_data_t *waiting, ompt_data_t *awaited,
                          const void *code) {
    note_wait(waiting, endpoint, BOMP_HANG_TASK, item_of(awaited), code);
}

static enum bomp_hang_wait_kind kind_of_mutex(ompt_mutex_t kind) {
    static const enum bomp_hang_wait_kind kinds[] = {
        [0] = BOMP_HANG_OTHER,
        [ompt_mutex_lock] = BOMP_HANG_LOCK,
        [ompt_mutex_test_lock] = BOMP_HANG_LOCK,
        [ompt_mutex_nest_lock] = BOMP_HANG_NEST_LOCK,
        [ompt_mutex_test_nest_lock] = BOMP_HANG_NEST_LOCK,
        [ompt_mutex_critical] = BOMP_HANG_CRITICAL,
        [ompt_mutex_atomic] = BOMP_HANG_ATOMIC,
        [ompt_mutex_ordered] = BOMP_HANG_ORDERED,
    };
    return kind < sizeof kinds / sizeof *kinds ? kinds[kind] : BOMP_HANG_OTHER;
}

/* The mutex implementation of waits in doacross loops; 0: the runtime has none. Constant once the tool has started. */
static unsigned position;

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t object,
                             const void *code) {
    struct bomp_hang_thread *self = moved();
    bool is_position = position != 0 && impl == position;
    (void)hint;
    if (kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock)
        begin_wait(current_of(self), is_position ? BOMP_HANG_ITERATION : kind_of_mutex(kind), object, code);
}

static void hold(struct bomp_hang_thread *self, enum bomp_hang_wait_kind kind, uint64_t object,
                 const void *code) {
    for (int i = 0; i < BOMP_HANG_HELD; i++) {
        struct bomp_hang_held *held = &self->held[i];
        if (bz_load_relaxed(&held->object) != 0)
            continue;
        bz_store_relaxed(&held->kind, kind);
        bz_store_relaxed(&held->where, code);
        bz_store_relaxed(&held->since, bz_os_tick_ns());
        bz_store_relaxed(&held->object, object);
        return;
    }
    bz_store_relaxed(&self->held_more, bz_load_relaxed(&self->held_more) + 1);
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t object, const void *code) {
    struct bomp_hang_thread *self = moved();
    struct bomp_hang_item *task = current_of(self);
    if (!self)
        return;
    if (!code && task)
        code = bz_load_relaxed(&task->wait.where);
    if (kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock)
        end_wait(task);
    if (object != 0)
        hold(self, kind_of_mutex(kind), object, code);
}

/* Whether the thread held it. */
static bool drop(struct bomp_hang_thread *thread, uint64_t object) {
    for (int i = BOMP_HANG_HELD; i-- > 0;)
        if (bz_load_relaxed(&thread->held[i].object) == object) {
            bz_store_relaxed(&thread->held[i].object, 0);
            return true;
        }
    return false;
}

static void drop_anywhere(uint64_t object) {
    for (struct bomp_hang_thread *thread = bomp_hang_threads(); thread && !drop(thread, object);)
        thread = thread->next;
}

/* Another thread than the holder may release it. */
static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t object, const void *code) {
    struct bomp_hang_thread *self = moved();
    (void)kind, (void)code;
    if (!self || object == 0 || drop(self, object))
        return;
    uint32_t more = bz_load_relaxed(&self->held_more);
    if (more > 0) {
        bz_store_relaxed(&self->held_more, more - 1);
        return;
    }
    drop_anywhere(object);
}

/* Its holder may destroy it. */
static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t object, const void *code) {
    (void)kind, (void)code;
    if (moved() && object != 0)
        drop_anywhere(object);
}

/* ---- work ---- */

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                    ompt_data_t *task, uint64_t count, const void *code) {
    struct bomp_hang_thread *self = moved();
    (void)parallel, (void)task, (void)count;
    if (!self || kind == ompt_work_single_other)
        return;
    bz_store_relaxed(&self->work_where, code);
    bz_store_relaxed(&self->work, endpoint == ompt_scope_begin ? kind : 0);
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind,
                        ompt_data_t instance) {
    (void)parallel, (void)task, (void)kind, (void)instance;
    (void)moved();
}

static unsigned position_of(ompt_function_lookup_t lookup) {
    ompt_enumerate_mutex_impls_t next = (ompt_enumerate_mutex_impls_t)lookup("ompt_enumerate_mutex_impls");
    const char *name = "";
    int impl = 0; /* stands for none; the first one follows */
    while (next && next(impl, &impl, &name))
        if (strcmp(name, BLITZ_MUTEX_IMPL_POSITION) == 0)
            return (unsigned)impl;
    return 0;
}

void bomp_watchdog_client_start(ompt_function_lookup_t lookup) {
    static const struct bomp_listener listeners[] = {
        BOMP_ON(thread_begin),   BOMP_ON(thread_end),       BOMP_ON(parallel_begin), BOMP_ON(parallel_end),
        BOMP_ON(implicit_task),  BOMP_ON(task_create),      BOMP_ON(dependences),    BOMP_ON(task_schedule),
        BOMP_ON(sync_region),    BOMP_ON(sync_region_wait), BOMP_ON(mutex_acquire),  BOMP_ON(mutex_acquired),
        BOMP_ON(mutex_released), BOMP_ON(lock_destroy),     BOMP_ON(work),           BOMP_ON(dispatch),
        BOMP_ON(cancel)};
    position = position_of(lookup);
    bomp_listen(lookup, listeners, sizeof listeners / sizeof *listeners, (ompt_callback_t)on_task_await);
}
