#include "omp/task/task_new.h"

#include "omp/task/depend_table.h"
#include "omp/task/event.h"
#include "omp/task/tsan.h"
#include "omp/tool/hooks.h"

_Static_assert(BOMP_TASK_ARGS + 16 + 8 <= 128, "a small task takes two cache lines");

BZ_COLD struct bomp_task *bomp_task_new_with_block(struct bz_worker *worker, size_t size, size_t align) {
    struct bomp_task *task = bz_worker_alloc(worker, sizeof *task);
    if (!task)
        return NULL;
    task->flags = 0;
    void *block = size <= SIZE_MAX / 2 ? bz_alloc(size + align + 1) : NULL;
    struct bomp_task_extra *extra = block ? bomp_task_extra(task, worker) : NULL;
    if (!extra) {
        bz_free(block);
        bz_worker_free(worker, task);
        return NULL;
    }
    bz_tsan_new(block, size + align + 1);
    extra->block = task->data = block;
    return task;
}

/* The new task is current for the copy constructors. Without an owner it cannot wait: tasks that they create run at once. */
void bomp_task_copy_arguments(struct bomp_member *self, struct bomp_task *task, void (*copy)(void *, void *),
                              void *from) {
    struct bomp_task *outer = self->current;
    bz_store_relaxed(&task->owner, NULL); /* relaxed: for this thread alone */
    task->floor = bz_worker_queue_end(self->worker);
    bomp_task_set_phase(task, BOMP_TASK_COPYING);
    self->current = task;
    copy(task->data, from);
    self->current = outer;
    bomp_task_set_phase(task, task->flags & BOMP_TASK_CANCELLABLE ? BOMP_TASK_COPIED : 0);
}

/* ---- clauses ---- */

BZ_COLD static bool notify_created(struct bomp_member *self, struct bomp_task *task,
                                   const struct bomp_task_spec *spec) {
    if (task->flags & BOMP_TASK_TSAN && !bomp_tsan_record(task, spec, self->current))
        return false;
    if (task->flags & BOMP_TASK_TOOL)
        bomp_hooks->task->create(self, task->extra->tool, spec);
    return true;
}

static bool enter_table(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec) {
    struct bz_worker *worker = self->worker;
    struct bomp_task_extra *parent = bomp_task_extra(self->current, worker);
    if (!parent)
        return false;
    if (!parent->table)
        parent->table = bomp_table_new();
    struct bomp_node *node = bomp_task_node_new(task, worker);
    if (!node)
        return false;
    parent->table->detached |= spec->detach | spec->helped;
    bomp_table_enter(parent->table, &spec->depend, worker, node);
    return true;
}

static void equip_detached(struct bomp_member *self, struct bomp_task *task,
                           const struct bomp_task_spec *spec) {
    struct bomp_task_extra *extra = task->extra;
    void *handle = spec->reserved ? NULL : bomp_event_init(&extra->event, task, self->worker);
    if (task->flags & BOMP_TASK_TOOL)
        bomp_event_known(&extra->event, extra->tool);
    if (handle)
        bomp_task_store_handles(spec, handle);
    extra->detached = true;
    bz_store_relaxed(&task->refs, 1); /* relaxed: private to its creator */
}

bool bomp_task_equip(struct bomp_member *self, struct bomp_task *task, const struct bomp_task_spec *spec) {
    const bool seen = task->flags & (BOMP_TASK_TSAN | BOMP_TASK_TOOL);
    const uint32_t priority = bomp_task_priority(spec);
    if (bz_unlikely(seen || priority > 0 || spec->detach || spec->helped)) {
        struct bomp_task_extra *extra = bomp_task_extra(task, self->worker);
        if (!extra || (seen && !notify_created(self, task, spec)))
            return false;
        extra->item.priority = priority;
        extra->helped = spec->helped;
        bz_store_relaxed(&extra->event.domain, bz_worker_domain(self->worker)); /* relaxed: as refs */
    }
    if (spec->depend.count > 0 && !enter_table(self, task, spec))
        return false;
    if (bz_unlikely(spec->detach))
        equip_detached(self, task, spec);
    return true;
}

/* The calling thread may be the one that fulfills the event that it would wait for. */
enum bomp_task_way bomp_task_without_memory(const struct bomp_member *self,
                                            const struct bomp_task_spec *spec) {
    const struct bomp_table *table = spec->depend.count > 0 ? bomp_table_of(self->current) : NULL;
    if (spec->detach || (table && table->detached))
        bomp_no_memory("a task that waits for an event");
    return bomp_task_is_special(spec) ? BOMP_TASK_AWAIT : BOMP_TASK_RUN;
}

void bomp_task_store_handles(const struct bomp_task_spec *spec, void *handle) {
    for (int i = 0; i < 2; i++)
        if (spec->handles[i])
            *spec->handles[i] = handle;
}
