#include "omp/task/tsan.h"

#include <string.h>

#include "omp/state/team.h"
#include "omp/task/depend_table.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_policy.h"

/* ---- dependences ----
 *
 * Each kind of dependence on an address has a key, which its tasks are before at their end and others after when they begin.
 * There is a fixed number of them, by a hash: addresses that share one are taken to depend on each other. One more key, at
 * the end, is that of all memory. */

#define SLOTS 256
enum { KINDS = 4, KEYS = SLOTS * KINDS, KEY_BYTES = (KEYS + 1) * sizeof(uint64_t) };

static const void *depend_key(const char *keys, const void *address, unsigned kind) {
    if (kind == BOMP_DEPEND_ALL)
        return keys + KEYS * sizeof(uint64_t);
    uint64_t slot = ((uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
    return keys + (slot * KINDS + kind) * sizeof(uint64_t);
}

/* Whether a task of one kind comes after an earlier one of the other; mutexinoutset: one after the other, in any order. */
static bool comes_after(enum bomp_depend_kind kind, enum bomp_depend_kind other) {
    return kind != other || kind == BOMP_DEPEND_OUT || kind == BOMP_DEPEND_MUTEX;
}

static void after_all(const char *keys, const struct bomp_depend *items, size_t count) {
    bz_tsan_after(depend_key(keys, NULL, BOMP_DEPEND_ALL));
    for (size_t i = 0; i < count; i++)
        for (size_t key = 0; items[i].kind == BOMP_DEPEND_ALL && key < KEYS; key++)
            bz_tsan_after(keys + key * sizeof(uint64_t));
    for (size_t i = 0; i < count; i++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            if (comes_after(items[i].kind, (enum bomp_depend_kind)kind))
                bz_tsan_after(depend_key(keys, items[i].address, kind));
}

void bomp_tsan_depend(struct bomp_table *table, const struct bomp_depend_list *list) {
    if (table->tsan_keys)
        after_all(table->tsan_keys, list->items, list->count);
}

/* ---- tasks ---- */

static struct bomp_tsan *record_of(const struct bomp_task *task) {
    const struct bomp_task_extra *extra = bomp_task_has_extra(task);
    return extra ? extra->tsan : NULL;
}

const void *bomp_tsan_children(const struct bomp_task *task) {
    const struct bomp_tsan *tsan = record_of(task);
    return tsan ? (const void *)&tsan->children : &task->children;
}

static void run_tsan(struct bz_job *job, struct bz_worker *self) {
    struct bomp_task *task = bz_container_of(job, struct bomp_task, job);
    bomp_tsan_begin(task);
    bomp_task_body(task, self);
    bomp_tsan_end_body(task);
    bomp_tsan_complete(task, self);
    bomp_task_complete(task, self);
}

/* Its record and its arguments. False: no memory. */
static bool equip(struct bomp_task *task, const struct bomp_task_spec *spec, struct bz_worker *self) {
    struct bomp_task_extra *extra = bomp_task_extra(task, self);
    size_t align = spec->align > 16 ? spec->align : 0;
    if (!extra || spec->size > SIZE_MAX / 2)
        return false;
    extra->block = bz_alloc(spec->size + align + 1);
    extra->tsan = bz_alloc(sizeof *extra->tsan + spec->depend.count * sizeof(struct bomp_depend));
    if (!extra->block || !extra->tsan)
        return false;
    task->data = extra->block;
    if (align)
        task->data = (void *)(((uintptr_t)task->data + align - 1) & -(uintptr_t)align);
    extra->tsan->keys = NULL;
    extra->tsan->count = spec->depend.count;
    if (spec->depend.count > 0)
        memcpy(extra->tsan->depend, spec->depend.items, spec->depend.count * sizeof(struct bomp_depend));
    return true;
}

struct bomp_task *bomp_tsan_prepare(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task_spec bare = *spec;
    bare.size = 0;
    bare.align = 1;
    struct bomp_task *task = bomp_task_prepare(self, &bare);
    if (!task)
        return NULL;
    if (!equip(task, spec, self->worker)) {
        bomp_task_discard(task, self->worker);
        return NULL;
    }
    task->extra->tsan->up = bomp_tsan_children(self->current);
    task->job.run = run_tsan;
    return task;
}

void bomp_tsan_created(struct bomp_task *task, struct bomp_table *table) {
    struct bomp_tsan *tsan = task->extra->tsan;
    if (table && !table->tsan_keys && !(table->tsan_keys = bz_alloc_zero(1, KEY_BYTES)))
        bomp_no_memory("what ThreadSanitizer is told of dependences");
    tsan->keys = table ? table->tsan_keys : NULL;
    bz_tsan_before(&tsan->created);
}

void bomp_tsan_begin(struct bomp_task *task) {
    const struct bomp_tsan *tsan = record_of(task);
    bz_tsan_after(&tsan->created);
    if (tsan->keys)
        after_all(tsan->keys, tsan->depend, tsan->count);
}

/* The arguments go before anybody else could take their place for the task's. */
void bomp_tsan_end_body(struct bomp_task *task) {
    bz_free_used(task->extra->block);
    task->extra->block = NULL;
}

void bomp_tsan_complete(struct bomp_task *task, struct bz_worker *self) {
    const struct bomp_tsan *tsan = record_of(task);
    for (size_t i = 0; tsan->keys && i < tsan->count; i++)
        bz_tsan_before(depend_key(tsan->keys, tsan->depend[i].address, tsan->depend[i].kind));
    bz_tsan_before(tsan->up);
    if (task->group)
        bz_tsan_before(task->group);
    bz_tsan_before(bomp_tsan_meeting(bz_worker_context(self)));
}

/* Queues the task. False: no memory, nothing has happened. */
static bool defer(struct bomp_member *self, const struct bomp_task_spec *spec) {
    struct bomp_task *task = bomp_tsan_prepare(self, spec);
    if (!task)
        return false;
    bomp_task_fill(self, task, spec);
    bomp_tsan_created(task, NULL);
    bomp_task_begin(self, task);
    bomp_task_queue(self->worker, task);
    return true;
}

/* A full queue bounds the memory. Tasks that yield to each other are queued. */
static bool runs_at_once(struct bomp_member *self) {
    if (bomp_task_never_queued(self))
        return true;
    if (self->current->flags & BOMP_TASK_POLLS || !bz_stack_is_left(self->worker))
        return false;
    return bomp_task_is_alone(self) ? bomp_task_enough_alone(self)
                                    : bz_worker_queued(self->worker) >= self->queue_long;
}

void bomp_tsan_create(struct bomp_member *self, const struct bomp_task_spec *spec) {
    bool at_once = runs_at_once(self);
    if (spec->depend.count > 0 || spec->detach || spec->priority > 0)
        bomp_task_create_special(self, spec, at_once);
    else if (spec->undeferred || at_once || !defer(self, spec))
        bomp_task_run_undeferred(self, spec);
}
