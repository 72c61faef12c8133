/* Makes a task in a slab object, not counted yet and private to its creator. Inlined where tasks are created. */
#ifndef BOMP_TASK_NEW_H
#define BOMP_TASK_NEW_H

#include <string.h>

#include "omp/bomp.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_reserve.h"
#include "omp/task/task_run.h"
#include "omp/team/team_data.h"

/* ---- small arguments ---- */

/* Arguments that are copied by moves: less than 64 bytes, aligned to 16 at most. */
BZ_INLINE bool task_args_are_small(size_t size, size_t align) {
    return (size | 2 * align) < 64;
}

/* The last 8 bytes, by 4: a load wider than the program's last store, often an `int`, stalls until that is in the cache. */
BZ_INLINE void copy_end(char *to, const char *from) {
    memcpy(to, from, 4);
    bz_signal_fence(); /* the compiler must not join both */
    memcpy(to + 4, from + 4, 4);
}

/* `size` small, by moves that may overlap. */
BZ_INLINE void task_args_copy(char *to, const char *from, size_t size) {
    if (bz_likely(size - 8 <= 8)) {
        memcpy(to, from, 8);
        copy_end(to + size - 8, from + size - 8);
    } else if (size - 16 <= 16) {
        memcpy(to, from, 16);
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size > 32) {
        memcpy(to, from, 32);
        memcpy(to + size - 32, from + size - 32, 32);
    } else {
        for (size_t i = 0; i < size; i++)
            to[i] = from[i];
    }
}

/* ---- a descriptor ---- */

/* A task whose arguments do not fit into a slab object, or must not lie in a used one (tsan.h). NULL: no memory. */
struct bomp_task *bomp_task_new_with_block(struct bz_worker *worker, size_t size, size_t align);
void bomp_task_copy_arguments(struct bomp_member *self, struct bomp_task *task, void (*copy)(void *, void *),
                              void *from);

/* A descriptor with room for the arguments. Sets `data` and clears the flags, but for HAS_EXTRA. NULL: no memory. */
BZ_INLINE struct bomp_task *task_new(struct bz_worker *worker, const struct bomp_task_spec *spec, bool tsan) {
    size_t align = spec->align > 16 ? spec->align : 0; /* beyond that of slab objects */
    size_t bytes = BOMP_TASK_ARGS + spec->size + align;
    struct bomp_task *task;
    if (bz_likely(bytes <= BZ_SLAB_MAX) && bz_likely(!tsan)) {
        task = bz_worker_alloc(worker, bytes);
        if (bz_unlikely(!task))
            return NULL;
        task->data = bomp_task_small_args(task);
        task->flags = 0;
    } else if (!(task = bomp_task_new_with_block(worker, spec->size, align))) {
        return NULL;
    }
    if (align)
        task->data = (void *)(((uintptr_t)task->data + align - 1) & -(uintptr_t)align);
    return task;
}

/* The fields that depend on the creator. `owner` is not read before the task runs. */
BZ_INLINE void task_init(struct bomp_task *task, struct bomp_task *parent, void (*fn)(void *),
                         uint32_t untied) {
    task->created = 0;
    task->group = parent->group;
    task->icv = parent->icv;
    task->fn = fn;
    bz_store_relaxed(&task->parent, parent); /* relaxed, all: published with the job */
    bz_store_relaxed(&task->depth, bomp_task_depth_below(parent, untied));
    bz_store_relaxed(&task->refs, 0);
    bz_tally_init(&task->children);
}

/* All but its arguments. NULL: no memory, nothing has happened. */
BZ_INLINE struct bomp_task *task_prepare(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *parent = self->current;
    if (bz_unlikely(parent->flags & BOMP_TASK_STACK) && !(parent = bomp_task_persist(self)))
        return NULL;
    struct bomp_task *task;
    if (bz_unlikely(spec->reserved))
        task = bomp_task_of_reserved(spec->data);
    else if (bz_unlikely(!(task = task_new(self->worker, spec, parent->flags & BOMP_TASK_TSAN))))
        return NULL;
    task_init(task, parent, spec->fn, spec->untied ? BOMP_TASK_UNTIED : 0);
    task->flags |= (parent->flags & BOMP_TASK_INHERITED) | (spec->final ? BOMP_TASK_FINAL : 0);
    return task;
}

BZ_INLINE void task_fill(struct bomp_member *self, struct bomp_task *task,
                         const struct bomp_task_spec *spec) {
    if (bz_unlikely(spec->reserved)) {
        task->data = spec->data;
        if (spec->cleans && task->flags & BOMP_TASK_CANCELLABLE)
            bomp_task_set_phase(task, BOMP_TASK_CLEANS);
    } else if (bz_unlikely(spec->copy)) {
        bomp_task_copy_arguments(self, task, spec->copy, spec->data);
    } else if (bz_likely(task_args_are_small(spec->size, spec->align))) {
        task_args_copy(task->data, spec->data, spec->size);
    } else if (spec->size > 0) { /* else data may be NULL */
        memcpy(task->data, spec->data, spec->size);
    }
}

#endif
