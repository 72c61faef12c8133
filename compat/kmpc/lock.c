/* lock.c: locks of the API as older compilers call them; omp_* are in omp/api/lock_api.c. A hint is advice: one kind of lock
 * serves all. */
#include "kmpc.h"

#define ON_LOCK(type, name, word, call)                                                                      \
    BOMP_EXPORT type __kmpc_##name(const struct kmpc_ident *ident, int32_t id, word *lock) {                 \
        call;                                                                                                \
    }

ON_LOCK(void, init_lock, uint32_t, bomp_lock_init(lock, 0))
ON_LOCK(void, destroy_lock, uint32_t, bomp_lock_destroy(lock))
ON_LOCK(void, set_lock, uint32_t, bomp_lock_set(lock))
ON_LOCK(void, unset_lock, uint32_t, bomp_lock_unset(lock))
ON_LOCK(int32_t, test_lock, uint32_t, return bomp_lock_test(lock))
ON_LOCK(void, init_nest_lock, void, bomp_nestable_init(lock, 0))
ON_LOCK(void, destroy_nest_lock, void, bomp_nestable_destroy(lock))
ON_LOCK(void, set_nest_lock, void, bomp_nestable_set(lock))
ON_LOCK(void, unset_nest_lock, void, bomp_nestable_unset(lock))
ON_LOCK(int32_t, test_nest_lock, void, return bomp_nestable_test(lock))

BOMP_EXPORT void __kmpc_init_lock_with_hint(const struct kmpc_ident *ident, int32_t id, uint32_t *lock,
                                            uintptr_t hint) {
    bomp_lock_init(lock, (unsigned)hint);
}

BOMP_EXPORT void __kmpc_init_nest_lock_with_hint(const struct kmpc_ident *ident, int32_t id, void *lock,
                                                 uintptr_t hint) {
    bomp_nestable_init(lock, (unsigned)hint);
}
