/* lock.c: locks of the API as older compilers call them; omp_* are in omp/api/lock_api.c. A hint is advice: one kind of lock
 * serves all. */
#include "kmpc.h"

typedef const struct kmpc_ident ident_t;

BOMP_EXPORT void __kmpc_init_lock(ident_t *ident, int32_t id, uint32_t *lock) {
    (void)ident, (void)id;
    bomp_lock_init(lock, 0);
}

BOMP_EXPORT void __kmpc_init_lock_with_hint(ident_t *ident, int32_t id, uint32_t *lock, uintptr_t hint) {
    (void)ident, (void)id;
    bomp_lock_init(lock, (unsigned)hint);
}

BOMP_EXPORT void __kmpc_destroy_lock(ident_t *ident, int32_t id, uint32_t *lock) {
    (void)ident, (void)id;
    bomp_lock_destroy(lock);
}

BOMP_EXPORT void __kmpc_set_lock(ident_t *ident, int32_t id, uint32_t *lock) {
    (void)ident, (void)id;
    bomp_lock_set(lock);
}

BOMP_EXPORT void __kmpc_unset_lock(ident_t *ident, int32_t id, uint32_t *lock) {
    (void)ident, (void)id;
    bomp_lock_unset(lock);
}

BOMP_EXPORT int32_t __kmpc_test_lock(ident_t *ident, int32_t id, uint32_t *lock) {
    (void)ident, (void)id;
    return bomp_lock_test(lock);
}

BOMP_EXPORT void __kmpc_init_nest_lock(ident_t *ident, int32_t id, void *lock) {
    (void)ident, (void)id;
    bomp_nestable_init(lock, 0);
}

BOMP_EXPORT void __kmpc_init_nest_lock_with_hint(ident_t *ident, int32_t id, void *lock, uintptr_t hint) {
    (void)ident, (void)id;
    bomp_nestable_init(lock, (unsigned)hint);
}

BOMP_EXPORT void __kmpc_destroy_nest_lock(ident_t *ident, int32_t id, void *lock) {
    (void)ident, (void)id;
    bomp_nestable_destroy(lock);
}

BOMP_EXPORT void __kmpc_set_nest_lock(ident_t *ident, int32_t id, void *lock) {
    (void)ident, (void)id;
    bomp_nestable_set(lock);
}

BOMP_EXPORT void __kmpc_unset_nest_lock(ident_t *ident, int32_t id, void *lock) {
    (void)ident, (void)id;
    bomp_nestable_unset(lock);
}

BOMP_EXPORT int32_t __kmpc_test_nest_lock(ident_t *ident, int32_t id, void *lock) {
    (void)ident, (void)id;
    return bomp_nestable_test(lock);
}
