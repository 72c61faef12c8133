#include "omp/task/task_new.h"

_Static_assert(BOMP_TASK_ARGS + 16 + 8 <= 128, "a small task takes two cache lines");

/* A task whose arguments do not fit into a slab object, or must not lie in one that was used before (tsan.h). */
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

/* What the copy constructors ask about is the new task. It has no owner yet who could wait for children: those that they
 * create run at once. */
void bomp_task_copy_arguments(struct bomp_member *self, struct bomp_task *task, void (*copy)(void *, void *),
                              void *from) {
    struct bomp_task *outer = self->current;
    bz_store_relaxed(&task->owner, NULL); /* relaxed: for this thread alone */
    task->floor = bz_worker_queue_end(self->worker);
    task->flags |= BOMP_TASK_COPYING;
    self->current = task;
    copy(task->data, from);
    self->current = outer;
    task->flags &= ~(uint32_t)BOMP_TASK_COPYING;
    if (task->flags & BOMP_TASK_CANCELLABLE)
        task->flags |= BOMP_TASK_COPIED;
}

struct bomp_task *bomp_task_make(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *task = task_prepare(self, spec);
    if (bz_likely(task))
        task_fill(self, task, spec);
    return task;
}

void bomp_task_discard(struct bomp_task *task, struct bz_worker *self) {
    task_free(task, self);
}

struct bomp_task *bomp_task_twin(const struct bomp_task *model, size_t size, size_t align,
                                 struct bz_worker *self) {
    const size_t from = offsetof(struct bomp_task, refs); /* what nobody else looks at */
    const struct bomp_task_spec spec = {.size = size, .align = align};
    struct bomp_task *task = task_new(self, &spec, false);
    if (bz_unlikely(!task))
        return NULL;
    void *data = task->data;
    uint32_t has_extra = task->flags;
    struct bomp_task_extra *extra = task->extra;
    bz_store_relaxed(&task->parent, bz_load_relaxed(&model->parent)); /* relaxed: as in task_init */
    bz_store_relaxed(&task->depth, bz_load_relaxed(&model->depth));
    memcpy((char *)task + from, (const char *)model + from, sizeof *task - from);
    task->flags = (task->flags & ~(uint32_t)BOMP_TASK_HAS_EXTRA) | has_extra;
    task->data = data;
    task->extra = extra;
    return task;
}
