/* Making, finding and releasing the copies of task reductions.
 *
 * Pairing table
 *   RD1 bomp_reduction_release   RD1 bomp_reduction_release   all that others did with the copies */
#include "omp/task/reduction.h"

#include <stdlib.h>

#include "omp/base/order.h"
#include "omp/state/group.h"
#include "omp/state/team.h"

/* ---- making ---- */

static int by_original(const void *a, const void *b) {
    uintptr_t left = (uintptr_t)((const struct bomp_reduction_item *)a)->original;
    uintptr_t right = (uintptr_t)((const struct bomp_reduction_item *)b)->original;
    return (left > right) - (left < right);
}

static int by_offset(const void *a, const void *b) {
    size_t left = ((const struct bomp_reduction_item *)a)->offset;
    size_t right = ((const struct bomp_reduction_item *)b)->offset;
    return (left > right) - (left < right);
}

static size_t size_of(size_t count) {
    return sizeof(struct bomp_reduction) + 2 * count * sizeof(struct bomp_reduction_item);
}

static void rows_new(struct bomp_reduction *reduction, size_t bytes, size_t align) {
    reduction->spare = align > BZ_LINE ? align : 0; /* beyond what blocks have */
    reduction->bytes = bytes;
    if (bytes > SIZE_MAX - reduction->spare || !(reduction->block = bz_os_alloc(bytes + reduction->spare)))
        return;
    uintptr_t at = (uintptr_t)reduction->block;
    reduction->base = reduction->block + (reduction->spare ? -at & (align - 1) : 0);
}

struct bomp_reduction *bomp_reduction_new(const struct bomp_reduction_spec *spec,
                                          struct bomp_reduction *next) {
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
    bz_store_relaxed(&reduction->users, 1); /* relaxed: nobody else knows it */
    for (size_t i = 0; i < spec->count; i++)
        reduction->items[i] = reduction->items[spec->count + i] = spec->item(spec->arg, i);
    bomp_order(reduction->items, spec->count, sizeof *reduction->items, by_offset);
    bomp_order(reduction->items + spec->count, spec->count, sizeof *reduction->items, by_original);
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

/* The item that compares equal to the key, or NULL. */
static const struct bomp_reduction_item *search(const struct bomp_reduction_item *items, size_t count,
                                                const struct bomp_reduction_item *key,
                                                int (*compare)(const void *, const void *)) {
    if (count > 0 && compare(items, key) == 0) /* mostly there is one */
        return items;
    return bsearch(key, items, count, sizeof *items, compare);
}

static const struct bomp_reduction_item *find(const struct bomp_reduction *reduction, const void *address) {
    struct bomp_reduction_item key = {.original = (void *)address};
    const struct bomp_reduction_item *item =
        search(reduction->items + reduction->count, reduction->count, &key, by_original);
    uintptr_t distance = (uintptr_t)address - (uintptr_t)reduction->base;
    if (item || distance >= reduction->bytes)
        return item;
    key.offset = distance % reduction->stride;
    return search(reduction->items, reduction->count, &key, by_offset);
}

void *bomp_reduction_copy(const void *address, void **original) {
    struct bomp_member *self = bomp_self();
    for (struct bomp_group *group = self->current->group; group; group = group->outer)
        for (struct bomp_reduction *reduction = group->reduction; reduction; reduction = reduction->next) {
            const struct bomp_reduction_item *item = find(reduction, address);
            if (item) {
                if (original)
                    *original = item->original;
                return reduction->base + self->num * reduction->stride + item->offset;
            }
        }
    bz_fatal("a task takes part in a reduction of the variable at %p, but no taskgroup or construct around "
             "it has one",
             address);
}

/* ---- registering ---- */

void bomp_reduction_register(struct bomp_reduction *reduction) {
    struct bomp_group *group = bomp_self()->current->group;
    if (!group)
        bz_fatal("a task reduction outside of all taskgroups");
    group->reduction = reduction;
}

void bomp_reduction_member_start(struct bomp_member *member) {
    bomp_taskgroup_init(&member->group, NULL, member->worker);
    member->group.implicit = true;
    member->group.reduction = member->team->reduction;
    member->implicit.group = &member->group;
}
