/* Making, finding and releasing the copies of task reductions.
 *
 * Pairing table
 *   RD1 bomp_reduction_release   RD1 bomp_reduction_release   all that others did with the copies */
#include "omp/task/reduction.h"

#include <string.h>

#include "omp/task/taskgroup.h"
#include "omp/team/team_data.h"

/* ---- making ---- */

static size_t size_of(size_t count) {
    return sizeof(struct bomp_reduction) + count * sizeof(struct bomp_reduction_entry);
}

static void rows_new(struct bomp_reduction *reduction, size_t bytes, size_t align) {
    reduction->spare = align > BZ_LINE ? align : 0; /* beyond what blocks have */
    reduction->bytes = bytes;
    if (bytes > SIZE_MAX - reduction->spare || !(reduction->block = bz_os_alloc(bytes + reduction->spare)))
        return;
    bz_tsan_new(reduction->block, bytes + reduction->spare);
    uintptr_t at = (uintptr_t)reduction->block;
    reduction->base = reduction->block + (reduction->spare ? -at & (align - 1) : 0);
}

static struct bomp_reduction *new_empty(const struct bomp_reduction_spec *spec, struct bomp_reduction *next) {
    size_t threads = spec->threads > 0 ? spec->threads : bomp_self()->team->size, bytes;
    struct bomp_reduction *reduction = bz_os_alloc(size_of(spec->count));
    if (reduction && !__builtin_mul_overflow(threads, spec->stride, &bytes))
        rows_new(reduction, bytes, spec->align);
    if (!reduction || !reduction->block)
        bz_fatal("out of memory for a task reduction: %zu bytes for each of %zu threads", spec->stride,
                 threads);
    reduction->next = next;
    reduction->stride = spec->stride;
    reduction->count = spec->count;
    bz_store_relaxed(&reduction->users, 1); /* relaxed: not shared yet */
    return reduction;
}

struct bomp_reduction *bomp_reduction_new(const struct bomp_reduction_spec *spec,
                                          struct bomp_reduction *next) {
    struct bomp_reduction *reduction = new_empty(spec, next);
    for (size_t i = 0; i < spec->count; i++)
        reduction->entries[i] = (struct bomp_reduction_entry){.item = spec->item(spec->arg, i)};
    return reduction;
}

/* The offset behind a copy at `at` and its byte. SIZE_MAX: too large. */
static size_t place_after(size_t at, size_t size) {
    return size > SIZE_MAX / 4 || at > SIZE_MAX / 4 ? SIZE_MAX : (at + size + BZ_LINE) / BZ_LINE * BZ_LINE;
}

struct bomp_reduction *bomp_reduction_new_managed(size_t count,
                                                  struct bomp_reduction_variable (*variable)(const void *arg,
                                                                                             size_t index),
                                                  const void *arg) {
    struct bomp_reduction_spec spec = {.count = count};
    bool soon = false;
    for (size_t i = 0; i < count; i++) {
        struct bomp_reduction_variable one = variable(arg, i);
        spec.stride = place_after(spec.stride, one.size);
        soon |= one.soon;
    }
    size_t running_at = soon ? spec.stride : 0;
    if (soon)
        spec.stride = place_after(spec.stride, sizeof(uint64_t));
    struct bomp_reduction *reduction = new_empty(&spec, NULL);
    reduction->running_at = running_at;
    reduction->managed = true;
    for (size_t i = 0, at = 0; i < count; i++) {
        struct bomp_reduction_variable one = variable(arg, i);
        reduction->entries[i] = (struct bomp_reduction_entry){{one.original, at}, one};
        at = place_after(at, one.size);
    }
    return reduction;
}

void *bomp_reduction_base(const struct bomp_reduction *reduction) {
    return reduction->base;
}

struct bomp_reduction *bomp_reduction_next(const struct bomp_reduction *reduction) {
    return reduction->next;
}

void bomp_reduction_release(struct bomp_reduction *reduction) {
    bz_tsan_before(reduction);
    if (bz_fetch_sub_acq_rel(&reduction->users, 1) > 1) /* RD1: pairs with RD1 */
        return;
    bz_tsan_after(reduction);
    while (reduction) {
        struct bomp_reduction *next = reduction->next;
        bz_os_free(reduction->block, reduction->bytes + reduction->spare);
        bz_os_free(reduction, size_of(reduction->count));
        reduction = next;
    }
}

/* ---- finding ---- */

/* By the address of the variable, or of a thread's copy. Programs reduce few variables. */
static const struct bomp_reduction_entry *find(const struct bomp_reduction *reduction, const void *address) {
    uintptr_t distance = (uintptr_t)address - (uintptr_t)reduction->base;
    bool is_copy = distance < reduction->bytes;
    size_t offset = is_copy ? distance % reduction->stride : 0;
    for (size_t i = 0; i < reduction->count; i++) {
        const struct bomp_reduction_item *item = &reduction->entries[i].item;
        if (item->original == address || (is_copy && item->offset == offset))
            return &reduction->entries[i];
    }
    return NULL;
}

static inline char *row_of(const struct bomp_reduction *reduction, unsigned number) {
    size_t at = number * reduction->stride;
    if (bz_unlikely(at >= reduction->bytes && at > 0))
        bz_fatal("thread %u takes part in a task reduction of an enclosing team, which has fewer threads",
                 number);
    return reduction->base + at;
}

static inline void begin_copy(const struct bomp_reduction_variable *variable, char *copy) {
    if (bz_likely(copy[variable->size]))
        return;
    if (variable->init)
        variable->init(copy, variable->source);
    copy[variable->size] = 1;
}

void *bomp_reduction_copy(const void *address, const struct bomp_group *group, void **original) {
    struct bomp_member *self = bomp_self();
    for (group = group ? group : self->current->group; group; group = group->outer)
        for (struct bomp_reduction *reduction = group->reduction; reduction; reduction = reduction->next) {
            const struct bomp_reduction_entry *entry = find(reduction, address);
            if (entry) {
                char *copy = row_of(reduction, self->num) + entry->item.offset;
                if (reduction->managed)
                    begin_copy(&entry->variable, copy);
                if (original)
                    *original = entry->item.original;
                return copy;
            }
        }
    bz_fatal("a task takes part in a reduction of the variable at %p, but no taskgroup or construct around "
             "it has one",
             address);
}

/* ---- registering ---- */

/* The number of tasks that may use the copies of a thread's row: those of the group that the thread has begun and not ended,
 * and the opener of the group. Its thread only. */
static uint64_t *running_in_row(const struct bomp_reduction *reduction, const struct bomp_member *member) {
    return (uint64_t *)(row_of(reduction, member->num) + reduction->running_at);
}

/* The opener counts as running until the group ends, where its thread combines the remaining copies. */
static void know(struct bomp_group *group, struct bomp_reduction *reduction, const struct bomp_member *self) {
    group->reduction = reduction;
    if (reduction->running_at > 0) {
        group->merges = true;
        ++*running_in_row(reduction, self);
    }
}

const struct bomp_group *bomp_reduction_register(struct bomp_reduction *reduction) {
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    if (!group)
        bz_fatal("a task reduction outside of all taskgroups; put a taskgroup around it");
    if (group->reduction && group->reduction->managed) /* its tasks may be reading which it is */
        bz_fatal("a second task reduction in one taskgroup; join both, or use a taskgroup for each");
    know(group, reduction, self);
    return group;
}

const struct bomp_group *bomp_reduction_group_start(struct bomp_reduction *reduction, bool construct) {
    bomp_taskgroup_start();
    struct bomp_member *self = bomp_self();
    struct bomp_group *group = self->current->group;
    group->implicit = true;
    group->construct = construct;
    know(group, reduction, self);
    return group;
}

/* ---- combining ---- */

static void combine_copy(const struct bomp_reduction_variable *variable, char *copy) {
    variable->combine(variable->original, copy);
    if (variable->fini)
        variable->fini(copy);
}

static void combine_soon(struct bomp_reduction *reduction, const struct bomp_reduction_entry *entry,
                         unsigned number) {
    const struct bomp_reduction_variable *variable = &entry->variable;
    char *copy = row_of(reduction, number) + entry->item.offset;
    if (!variable->soon || !copy[variable->size])
        return;
    bz_mutex_lock(&reduction->lock);
    bz_tsan_after(&reduction->lock);
    combine_copy(variable, copy);
    bz_tsan_before(&reduction->lock);
    bz_mutex_unlock(&reduction->lock);
    memset(copy, 0, variable->size + 1);
}

static void combine_row_soon(struct bomp_reduction *reduction, unsigned number) {
    for (size_t i = 0; i < reduction->count; i++)
        combine_soon(reduction, &reduction->entries[i], number);
}

void bomp_reduction_task_begins(const struct bomp_group *group, const struct bomp_member *member) {
    for (; group && group->merges; group = group->outer)
        if (group->reduction && group->reduction->running_at > 0)
            ++*running_in_row(group->reduction, member);
}

void bomp_reduction_task_ended(const struct bomp_group *group, const struct bomp_member *member) {
    for (; group && group->merges; group = group->outer) {
        struct bomp_reduction *reduction = group->reduction;
        if (reduction && reduction->running_at > 0 && --*running_in_row(reduction, member) == 0)
            combine_row_soon(reduction, member->num);
    }
}

static void combine(const struct bomp_reduction *reduction, const struct bomp_reduction_entry *entry) {
    const struct bomp_reduction_variable *variable = &entry->variable;
    for (size_t at = entry->item.offset; at < reduction->bytes; at += reduction->stride) {
        char *copy = reduction->base + at;
        if (copy[variable->size])
            combine_copy(variable, copy);
    }
}

void bomp_reduction_group_ended(struct bomp_reduction *reduction) {
    if (!reduction->managed)
        return;
    for (size_t i = 0; i < reduction->count; i++)
        combine(reduction, &reduction->entries[i]);
    bomp_reduction_release(reduction);
}

void bomp_reduction_member_start(struct bomp_member *member) {
    bomp_taskgroup_init(&member->group, NULL, member->worker);
    member->group.implicit = true;
    member->group.reduction = member->team->reduction;
    member->implicit.group = &member->group;
}
