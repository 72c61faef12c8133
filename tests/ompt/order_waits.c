/* Checks of the tool `order` for synchronisation, work and mutexes. */
#include <stdlib.h>
#include <string.h>

#include "order.h"

/* ---- synchronisation ---- */

static bool is_barrier(int kind) {
    return kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup &&
           kind != ompt_sync_region_reduction;
}

static void arrive(struct task *task, int kind) {
    struct region *region = task->region;
    if (!region || task->flags & ompt_task_initial)
        return;
    struct barrier *barrier = barrier_of(region, task->barriers);
    atomic_fetch_add(&barrier->arrived, 1);
    int known = 0;
    if (!atomic_compare_exchange_strong(&barrier->kind, &known, kind) && known != kind && !region->cancelled)
        fault("sync_region: barriers of kinds %d and %d meet", known, kind);
}

static void leave(struct task *task) {
    struct region *region = task->region;
    if (!region || task->flags & ompt_task_initial)
        return;
    struct barrier *barrier = barrier_of(region, task->barriers);
    int size = region->size;
    if (!region->cancelled) {
        if (barrier->arrived != size)
            fault("sync_region: a barrier ends when %d of %d have come", barrier->arrived, size);
        if (barrier->tasks != 0)
            fault("sync_region: a barrier ends with %ld tasks unfinished", barrier->tasks);
    }
    if (atomic_fetch_add(&barrier->left, 1) + 1 == size) { /* for the eighth one after it */
        barrier->arrived = barrier->left = 0;
        barrier->kind = 0;
    }
    task->barriers++;
}

static void sync_begin(struct task *task, int kind) {
    struct scope *scope = begin("sync_region", task, SYNC, kind);
    if (kind == ompt_sync_region_taskgroup && scope) {
        scope->outer = task->group;
        task->group = made(sizeof *task->group);
    } else if (is_barrier(kind)) {
        if (!(task->flags & (ompt_task_implicit | ompt_task_initial)))
            fault("sync_region: a barrier of kind %d by an explicit task", kind);
        arrive(task, kind);
    }
}

static void sync_end(struct task *task, int kind) {
    struct scope *scope = task->scopes ? &task->scope[task->scopes - 1] : NULL;
    if (!end("sync_region", task, SYNC, kind))
        return;
    if (kind == ompt_sync_region_taskwait) {
        if (!task->waits_for_some && task->children != 0)
            fault("sync_region: a taskwait ends with %ld children unfinished", task->children);
        task->waits_for_some = false;
    } else if (kind == ompt_sync_region_taskgroup) {
        if (task->group->tasks != 0)
            fault("sync_region: a taskgroup ends with %ld tasks unfinished", task->group->tasks);
        task->group = scope->outer;
    } else if (is_barrier(kind))
        leave(task);
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                    ompt_data_t *task_data, const void *code) {
    struct task *task = current("sync_region", task_data);
    if (!task)
        return;
    check_region("sync_region", parallel_data, task, endpoint == ompt_scope_end && is_barrier(kind));
    check_code("sync_region", code,
               kind == ompt_sync_region_taskwait || kind == ompt_sync_region_barrier_explicit);
    if (endpoint == ompt_scope_begin)
        sync_begin(task, kind);
    else
        sync_end(task, kind);
}

void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                         ompt_data_t *task_data, const void *code) {
    struct task *task = current("sync_region_wait", task_data);
    if (!task)
        return;
    check_region("sync_region_wait", parallel_data, task, endpoint == ompt_scope_end && is_barrier(kind));
    check_code("sync_region_wait", code, false);
    if (endpoint == ompt_scope_end) {
        end("sync_region_wait", task, SYNC_WAIT, kind);
        return;
    }
    if (task->scopes == 0 || task->scope[task->scopes - 1].what != SYNC ||
        task->scope[task->scopes - 1].kind != (int)kind)
        fault("sync_region_wait of kind %d outside its sync_region", kind);
    begin("sync_region_wait", task, SYNC_WAIT, kind);
}

/* ---- work ---- */

void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
             ompt_data_t *task_data, uint64_t count, const void *code) {
    struct task *task = current("work", task_data);
    if (!task)
        return;
    check_region("work", parallel_data, task, false);
    check_code("work", code, false);
    if (endpoint == ompt_scope_end) {
        end("work", task, WORK, kind);
        return;
    }
    struct scope *scope = begin("work", task, WORK, kind);
    if (scope)
        scope->count = count;
    bool is_single = kind == ompt_work_single_executor || kind == ompt_work_single_other;
    if (!is_single || !task->region || task->flags & ompt_task_initial || task->singles >= SINGLES_MOST)
        return;
    atomic_uchar *executors = &task->region->singles[task->singles++];
    if (kind == ompt_work_single_executor && atomic_fetch_add(executors, 1) != 0)
        fault("work: two threads execute a single");
}

void on_dispatch(ompt_data_t *parallel_data, ompt_data_t *task_data, ompt_dispatch_t kind,
                 ompt_data_t instance) {
    (void)instance;
    struct task *task = current("dispatch", task_data);
    if (!task)
        return;
    check_region("dispatch", parallel_data, task, false);
    bool in_work = task->scopes > 0 && task->scope[task->scopes - 1].what == WORK;
    if (!in_work && kind != ompt_dispatch_taskloop_chunk)
        fault("dispatch of kind %d outside of work", kind);
}

void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data, ompt_data_t *task_data,
               const void *code) {
    struct task *task = current("masked", task_data);
    if (!task)
        return;
    check_region("masked", parallel_data, task, false);
    check_code("masked", code, false);
    if (endpoint == ompt_scope_begin)
        begin("masked", task, MASKED, 0);
    else
        end("masked", task, MASKED, 0);
}

void on_cancel(ompt_data_t *task_data, int flags, const void *code) {
    check_code("cancel", code, false);
    if (flags & ompt_cancel_discarded_task) { /* it never runs */
        self("cancel");
        struct task *task = task_of("cancel", task_data);
        if (task && task->state != CREATED)
            fault("cancel discards a task that is %s", state_names[task->state]);
        else if (task)
            finish(task, "discarded");
        return;
    }
    struct task *task = current("cancel", task_data);
    if (task && task->region)
        task->region->cancelled = true;
}

void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel_data,
                  ompt_data_t *task_data, const void *code) {
    struct task *task = current("reduction", task_data);
    if (!task)
        return;
    check_region("reduction", parallel_data, task, false);
    check_code("reduction", code, false);
    if (kind != ompt_sync_region_reduction)
        fault("reduction of kind %d", kind);
    if (endpoint == ompt_scope_begin)
        begin("reduction", task, SYNC, kind);
    else
        end("reduction", task, SYNC, kind);
}

/* ---- mutexes ---- */

static struct task *mutex_user(const char *callback, const void *code) {
    struct thread *thread = self(callback);
    check_code(callback, code, false);
    if (thread && !thread->runs)
        fault("%s on a thread without a task", callback);
    return thread ? thread->runs : NULL;
}

void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code) {
    (void)hint, (void)impl;
    struct task *task = mutex_user("mutex_acquire", code);
    if (!task)
        return;
    if (task->acquires)
        fault("mutex_acquire of kind %d while another mutex is being acquired", kind);
    task->acquires =
        kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock; /* a test may have no end */
    task->acquired = id;
}

static void hold(struct task *task, ompt_wait_id_t id) {
    if (task->held == task->room) {
        task->room = task->room ? 2 * task->room : 4;
        task->mutexes = realloc(task->mutexes, task->room * sizeof *task->mutexes);
        if (!task->mutexes)
            abort();
    }
    task->mutexes[task->held++] = id;
}

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    struct task *task = mutex_user("mutex_acquired", code);
    if (!task)
        return;
    if (task->acquired != id)
        fault("mutex_acquired of kind %d without its mutex_acquire", kind);
    task->acquires = false;
    task->acquired = 0;
    hold(task, id);
}

void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
    struct task *task = mutex_user("mutex_released", code);
    if (!task)
        return;
    for (size_t i = task->held; i-- > 0;)
        if (task->mutexes[i] == id) {
            memmove(&task->mutexes[i], &task->mutexes[i + 1], (--task->held - i) * sizeof *task->mutexes);
            return;
        }
    fault("mutex_released of kind %d, and the task does not hold it", kind);
}

void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *code) {
    (void)endpoint;
    struct task *task = mutex_user("nest_lock", code);
    if (!task)
        return;
    for (size_t i = 0; i < task->held; i++)
        if (task->mutexes[i] == id) {
            task->acquires = false;
            return;
        }
    fault("nest_lock of a lock that the task does not hold");
}
