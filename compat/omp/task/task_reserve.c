#include "omp/task/task_reserve.h"

#include "omp/task/event.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_new.h"
#include "omp/task/task_run.h"
#include "omp/task/tsan.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

BZ_INLINE size_t rounded(size_t front) {
    return (front + 7) & ~(size_t)7;
}

BZ_INLINE void *fill(struct bomp_task *task, void *args, size_t front, uint64_t note, bomp_task_code *code) {
    uint64_t *words = args;
    ((struct bomp_task **)args)[-1] = task;
    *bomp_task_note(args) = note;
    words[0] = (uintptr_t)args + rounded(front);
    words[1] = (uintptr_t)code;
    words[2] = 0;
    return args;
}

/* In a block: too large, or observed by ThreadSanitizer (tsan.h). */
static void *reserve_block(struct bz_worker *worker, size_t size, struct bomp_task **task) {
    const size_t align = 64, words = 2 * sizeof(uint64_t);
    *task = bomp_task_new_with_block(worker, size + words, align);
    if (!*task)
        return NULL;
    return (void *)(((uintptr_t)(*task)->data + words + align - 1) & -(uintptr_t)align);
}

__attribute__((noinline)) static void *reserve(size_t front, size_t back, uint64_t note,
                                               bomp_task_code *code) {
    struct bomp_member *self = bomp_self();
    size_t size = rounded(front) + back;
    struct bomp_task *task = NULL;
    void *args = NULL;
    if (back > UINT32_MAX || front > SIZE_MAX / 2)
        args = NULL;
    else if (size > BZ_SLAB_MAX - BOMP_TASK_RESERVED || self->current->flags & BOMP_TASK_TSAN)
        args = reserve_block(self->worker, size, &task);
    else if ((task = bz_worker_alloc(self->worker, BOMP_TASK_RESERVED + size))) {
        task->flags = 0;
        args = (char *)task + BOMP_TASK_RESERVED;
    }
    if (!args)
        bomp_no_memory("a task");
    return fill(task, args, front, note, code);
}

/* A free object of the right class, or the slow path. A sum that overflows is large. */
BZ_LINE_START
void *bomp_task_reserve(size_t front, size_t back, uint64_t note, bomp_task_code *code) {
    struct bomp_member *self = bomp_self_if_any();
    size_t size = rounded(front) + back;
    unsigned class = size <= 184 - BOMP_TASK_RESERVED ? 1 : size <= 312 - BOMP_TASK_RESERVED ? 2 : 3;
    struct bomp_task *task;
    if (bz_unlikely(!self || size > BZ_SLAB_MAX - BOMP_TASK_RESERVED || bz_tsan) ||
        bz_unlikely(!(task = bz_worker_take(self->worker, class))))
        return reserve(front, back, note, code);
    task->flags = 0;
    return fill(task, (char *)task + BOMP_TASK_RESERVED, front, note, code);
}

/* The program has used its block, if it has one. */
static void free_block(struct bomp_task *task) {
    struct bomp_task_extra *extra = bomp_task_has_extra(task);
    if (extra) {
        bz_free_used(extra->block);
        extra->block = NULL;
    }
}

static void give_back(struct bomp_task *task, struct bz_worker *worker) {
    free_block(task);
    task_free(task, worker);
}

void bomp_task_release(void *args) {
    give_back(bomp_task_of_reserved(args), bomp_self()->worker);
}

void *bomp_task_event(void *args) {
    struct bz_worker *worker = bomp_self()->worker;
    struct bomp_task *task = bomp_task_of_reserved(args);
    struct bomp_task_extra *extra = bomp_task_extra(task, worker);
    if (!extra)
        bomp_no_memory("the event of a task");
    extra->detached = true;
    return bomp_event_init(&extra->event, task, worker);
}

/* ---- discarded ---- */

bool bomp_task_is_discarded(void) {
    return (bomp_self()->current->flags & BOMP_TASK_PHASE) == BOMP_TASK_DISCARDED;
}

static void clean(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task task, *outer = self->current;
    struct bomp_tool_task tool = {0};
    bomp_task_init_at_once(&task, outer, outer, BOMP_TASK_DISCARDED | (outer->flags & BOMP_TASK_INHERITED));
    task.data = &tool; /* for tools */
    self->current = &task;
    spec->fn(spec->data);
    bomp_task_end_at_once(self, outer);
}

void bomp_task_end_reserved(struct bomp_member *self, const struct bomp_task_spec *spec, bool discarded) {
    struct bomp_task *task = bomp_task_of_reserved(spec->data);
    if (discarded && spec->cleans)
        clean(self, spec);
    if (discarded && spec->detach)
        bomp_event_discard(&task->extra->event);
    give_back(task, self->worker);
}

/* ---- undeferred, in two halves ----
 *
 * No frame of the library holds the descriptor meanwhile: it is the one before the arguments. */

/* A detached one may outlive its body: it is counted like a deferred child. */
static void begin_detached(struct bomp_member *self, struct bomp_task *task,
                           const struct bomp_task_spec *spec) {
    if (!bomp_task_equip(self, task, spec))
        bomp_no_memory("an undeferred task");
    if (task->extra->tsan) {
        bomp_tsan_created(task, NULL);
        bomp_tsan_begin(task);
    }
    bomp_task_begin(self, task);
}

void bomp_task_enter(const struct bomp_task_spec *spec, const void *base) {
    struct bomp_member *self = bomp_self();
    self->current->created++;
    struct bomp_task *task = task_prepare(self, spec);
    if (!task) /* its ancestors could not leave the stack */
        bomp_no_memory("an undeferred task");
    const bool observed = task->flags & BOMP_TASK_TOOL;
    if (bz_unlikely(observed)) {
        if (!bomp_task_extra(task, self->worker))
            bomp_no_memory("an undeferred task");
        self->tool.base = base;
        bomp_hooks->task->enter(self);
    }
    if (spec->detach)
        begin_detached(self, task, spec);
    if (bz_unlikely(observed))
        bomp_hooks->task->begin_in_program(self, task, spec);
    task_enter(task, self, self->worker);
}

void bomp_task_leave(void *args) {
    struct bomp_member *self = bomp_self();
    struct bomp_task *task = bomp_task_of_reserved(args);
    struct bomp_task *parent = bz_load_relaxed(&task->parent); /* relaxed: constant. It has not moved */
    const bool detached = bomp_task_is_detached(task);
    if (bz_unlikely(task->flags & BOMP_TASK_TOOL)) {
        bomp_hooks->task->end(self, task, true);
        self->current = parent;
        bomp_hooks->task->leave(self); /* entered in bomp_task_enter */
    }
    self->current = parent;
    if (bz_unlikely(detached)) {
        bomp_task_end_special(task, self->worker, true);
        return;
    }
    free_block(task);
    task_end(task, self->worker);
}
