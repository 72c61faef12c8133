/* Reductions that tasks take part in: of taskgroups, and, with the task modifier, of regions and worksharing constructs. Of
 * these each thread has a reduction of its own, into its private copy of the variable, which the construct reduces
 * afterwards; its end is that of a taskgroup (names.ld).
 *
 * Copies are made when a thread first needs one, whether the program asks for that or not. It asks for that where a variable
 * has a length that its functions take from a place that is the thread's own: they work only where the program has just left
 * it, by asking for the copy. */
#include "kmpc.h"

/* Of an array section with constant bounds clang passes the size of one element. Under libomp a copy has a cache line. */
enum { COPY_LEAST = 64 };

static struct bomp_reduction_variable variable(const void *arg, size_t index) {
    const struct kmpc_taskred *item = (const struct kmpc_taskred *)arg + index;
    return (struct bomp_reduction_variable){
        .original = item->shared,
        .size = item->size < COPY_LEAST ? COPY_LEAST : item->size,
        .source = item->original ? item->original : item->shared,
        .init = item->init,
        .combine = item->combine,
        .fini = item->fini,
        .soon = item->flags & KMPC_TASKRED_LAZY, /* programs do not set the other bits */
    };
}

static struct bomp_reduction_variable old_variable(const void *arg, size_t index) {
    const struct kmpc_taskred_old *old = (const struct kmpc_taskred_old *)arg + index;
    const struct kmpc_taskred item = {old->shared, NULL,         old->size, old->init,
                                      old->fini,   old->combine, old->flags};
    return variable(&item, 0);
}

static struct bomp_reduction *make(const char *entry, int32_t count,
                                   struct bomp_reduction_variable (*of)(const void *, size_t),
                                   const void *data) {
    if (count < 0)
        bomp_bad_count(entry, "variables", count, INT32_MAX);
    return bomp_reduction_new_managed((size_t)count, of, data);
}

/* The program passes the result back: there the search for a copy begins. */
BOMP_EXPORT void *__kmpc_taskred_init(int32_t id, int32_t count, void *data) {
    return (void *)bomp_reduction_register(make(__func__, count, variable, data));
}

BOMP_EXPORT void *__kmpc_task_reduction_init(int32_t id, int32_t count, void *data) {
    return (void *)bomp_reduction_register(make(__func__, count, old_variable, data));
}

BOMP_EXPORT void *__kmpc_taskred_modifier_init(struct kmpc_ident *place, int32_t id, int32_t is_worksharing,
                                               int32_t count, void *data) {
    return (void *)bomp_reduction_group_start(make(__func__, count, variable, data), is_worksharing);
}

BOMP_EXPORT void *__kmpc_task_reduction_modifier_init(struct kmpc_ident *place, int32_t id,
                                                      int32_t is_worksharing, int32_t count, void *data) {
    return (void *)bomp_reduction_group_start(make(__func__, count, old_variable, data), is_worksharing);
}

BOMP_EXPORT void *__kmpc_task_reduction_get_th_data(int32_t id, void *group, void *item) {
    return bomp_reduction_copy(item, group, NULL);
}
