/* lock_api.c: the lock functions of the API, C and Fortran, in all of their versions. A plain lock is 4 bytes of the
 * program's variable, a nestable one 8, whatever its type has: GCC's of C has 16 bytes, LLVM's and all of Fortran 8. In
 * Fortran, too, the variable is the lock. Since OpenMP 3.0 a task owns a nestable lock, before that a thread did: binaries
 * of that time ask for version OMP_1.0, which linkers do not offer any more. */
#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/sync/nest_lock.h"

_Static_assert(sizeof(struct bomp_nest_lock) == 8 && sizeof(omp_nest_lock_t) >= 8,
               "a nestable lock fits every compiler's");
_Static_assert(_Alignof(struct bomp_nest_lock) <= _Alignof(omp_nest_lock_t),
               "a nestable lock fits every compiler's");

/* Plain locks. */

static uint32_t *word_of(omp_lock_t *lock) {
    return (uint32_t *)(void *)lock;
}

void omp_init_lock(omp_lock_t *lock) {
    *word_of(lock) = BZ_MUTEX_FREE;
}

void omp_destroy_lock(omp_lock_t *lock) {
    (void)lock;
}

void omp_set_lock(omp_lock_t *lock) {
    bomp_mutex_lock(word_of(lock));
}

void omp_unset_lock(omp_lock_t *lock) {
    bomp_mutex_unlock(word_of(lock));
}

int omp_test_lock(omp_lock_t *lock) {
    return bomp_mutex_try(word_of(lock));
}

/* Fortran: the variable is the lock. */

BOMP_EXPORT void omp_init_lock_(omp_lock_t *), omp_destroy_lock_(omp_lock_t *), omp_set_lock_(omp_lock_t *);
BOMP_EXPORT void omp_unset_lock_(omp_lock_t *);
BOMP_EXPORT int32_t omp_test_lock_(omp_lock_t *);

void omp_init_lock_(omp_lock_t *lock) {
    omp_init_lock(lock);
}

void omp_destroy_lock_(omp_lock_t *lock) {
    omp_destroy_lock(lock);
}

void omp_set_lock_(omp_lock_t *lock) {
    omp_set_lock(lock);
}

void omp_unset_lock_(omp_lock_t *lock) {
    omp_unset_lock(lock);
}

int32_t omp_test_lock_(omp_lock_t *lock) {
    return omp_test_lock(lock);
}

/* Nestable locks. */

static struct bomp_nest_lock *nest_of(omp_nest_lock_t *lock) {
    return (struct bomp_nest_lock *)(void *)lock;
}

void omp_init_nest_lock(omp_nest_lock_t *lock) {
    *nest_of(lock) = (struct bomp_nest_lock){0};
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock) {
    (void)lock;
}

void omp_set_nest_lock(omp_nest_lock_t *lock) {
    bomp_nest_lock_set(nest_of(lock));
}

void omp_unset_nest_lock(omp_nest_lock_t *lock) {
    bomp_nest_lock_unset(nest_of(lock));
}

int omp_test_nest_lock(omp_nest_lock_t *lock) {
    return bomp_nest_lock_test(nest_of(lock));
}

/* Fortran: the variable is the lock. */

BOMP_EXPORT void omp_init_nest_lock_(struct bomp_nest_lock *),
    omp_destroy_nest_lock_(struct bomp_nest_lock *);
BOMP_EXPORT void omp_set_nest_lock_(struct bomp_nest_lock *), omp_unset_nest_lock_(struct bomp_nest_lock *);
BOMP_EXPORT int32_t omp_test_nest_lock_(struct bomp_nest_lock *);

void omp_init_nest_lock_(struct bomp_nest_lock *lock) {
    *lock = (struct bomp_nest_lock){0};
}

void omp_destroy_nest_lock_(struct bomp_nest_lock *lock) {
    (void)lock;
}

void omp_set_nest_lock_(struct bomp_nest_lock *lock) {
    bomp_nest_lock_set(lock);
}

void omp_unset_nest_lock_(struct bomp_nest_lock *lock) {
    bomp_nest_lock_unset(lock);
}

int32_t omp_test_nest_lock_(struct bomp_nest_lock *lock) {
    return bomp_nest_lock_test(lock);
}

/* With hints, which GCC's omp.h declares and its library lacks. A hint is advice: one kind of lock serves all, so every
 * value is right, also in Fortran, where it stands behind a pointer. */

BOMP_EXPORT void omp_init_lock_with_hint_(omp_lock_t *, const void *);
BOMP_EXPORT void omp_init_nest_lock_with_hint_(struct bomp_nest_lock *, const void *);

void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) {
    (void)hint;
    omp_init_lock(lock);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) {
    (void)hint;
    omp_init_nest_lock(lock);
}

void omp_init_lock_with_hint_(omp_lock_t *lock, const void *hint) {
    (void)hint;
    omp_init_lock(lock);
}

void omp_init_nest_lock_with_hint_(struct bomp_nest_lock *lock, const void *hint) {
    (void)hint;
    omp_init_nest_lock_(lock);
}

/* What entry points call (bomp.h). */

void bomp_lock_set(uint32_t *lock) {
    bomp_mutex_lock(lock);
}

void bomp_lock_unset(uint32_t *lock) {
    bomp_mutex_unlock(lock);
}

int bomp_lock_test(uint32_t *lock) {
    return bomp_mutex_try(lock);
}

void bomp_nestable_init(void *lock) {
    omp_init_nest_lock(lock);
}

void bomp_nestable_set(void *lock) {
    bomp_nest_lock_set(lock);
}

void bomp_nestable_unset(void *lock) {
    bomp_nest_lock_unset(lock);
}

int bomp_nestable_test(void *lock) {
    return bomp_nest_lock_test(lock);
}

/* The versions of before OpenMP 3.0. bomp_old_NAME is exported as NAME@OMP_1.0 and, since a Fortran variable is the
 * lock itself, as NAME_@OMP_1.0. It cannot be the function NAME: GNU ld gives a symbol no second version beside
 * .symver's. */
#if defined(__has_attribute) && __has_attribute(symver)
#    define VERSION(function, version) __attribute__((symver(version)))
#else
#    define VERSION(function, version) __asm__(".symver " #    function ", " version);
#endif
#define OLD(type, name, lock)                                                                                \
    VERSION(bomp_old_##name, #name "@OMP_1.0")                                                               \
    VERSION(bomp_old_##name, #name "_@OMP_1.0") BOMP_EXPORT type bomp_old_##name(lock *);

OLD(void, omp_init_lock, omp_lock_t)
OLD(void, omp_destroy_lock, omp_lock_t)
OLD(void, omp_set_lock, omp_lock_t)
OLD(void, omp_unset_lock, omp_lock_t)
OLD(int, omp_test_lock, omp_lock_t)
OLD(void, omp_init_nest_lock, struct bomp_nest_lock)
OLD(void, omp_destroy_nest_lock, struct bomp_nest_lock)
OLD(void, omp_set_nest_lock, struct bomp_nest_lock)
OLD(void, omp_unset_nest_lock, struct bomp_nest_lock)
OLD(int, omp_test_nest_lock, struct bomp_nest_lock)

void bomp_old_omp_init_lock(omp_lock_t *lock) {
    omp_init_lock(lock);
}

void bomp_old_omp_destroy_lock(omp_lock_t *lock) {
    omp_destroy_lock(lock);
}

void bomp_old_omp_set_lock(omp_lock_t *lock) {
    omp_set_lock(lock);
}

void bomp_old_omp_unset_lock(omp_lock_t *lock) {
    omp_unset_lock(lock);
}

int bomp_old_omp_test_lock(omp_lock_t *lock) {
    return omp_test_lock(lock);
}

void bomp_old_omp_init_nest_lock(struct bomp_nest_lock *lock) {
    *lock = (struct bomp_nest_lock){0};
}

void bomp_old_omp_destroy_nest_lock(struct bomp_nest_lock *lock) {
    (void)lock;
}

void bomp_old_omp_set_nest_lock(struct bomp_nest_lock *lock) {
    bomp_old_nest_lock_set(lock);
}

void bomp_old_omp_unset_nest_lock(struct bomp_nest_lock *lock) {
    bomp_old_nest_lock_unset(lock);
}

int bomp_old_omp_test_nest_lock(struct bomp_nest_lock *lock) {
    return bomp_old_nest_lock_test(lock);
}
