/* lock_api.c: the lock functions of the API, C and Fortran, in both of their versions. Plain locks are the same in
 * both: the word itself, also in Fortran. Nestable ones differ: since OpenMP 3.0 a task owns a lock of 16 bytes,
 * and Fortran's 8-byte variable holds a pointer to it; before, a thread owned one of 8 bytes, and Fortran's
 * variable was the lock. Binaries of that time ask for version OMP_1.0, which linkers do not offer any more. */
#include <string.h>

#include "omp/api/omp_decl.h"
#include "omp/sync/nest_lock.h"

_Static_assert(sizeof(struct bomp_nest_lock) == sizeof(omp_nest_lock_t),
               "a nestable lock fits the program's");
_Static_assert(_Alignof(struct bomp_nest_lock) <= _Alignof(omp_nest_lock_t),
               "a nestable lock fits the program's");
_Static_assert(sizeof(struct bomp_old_nest_lock) == 8, "an old nestable lock is 8 bytes");

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
    memset(lock, 0, sizeof *lock);
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

/* Fortran: the variable holds a pointer to the lock. */

BOMP_EXPORT void omp_init_nest_lock_(struct bomp_nest_lock **),
    omp_destroy_nest_lock_(struct bomp_nest_lock **);
BOMP_EXPORT void omp_set_nest_lock_(struct bomp_nest_lock **), omp_unset_nest_lock_(struct bomp_nest_lock **);
BOMP_EXPORT int32_t omp_test_nest_lock_(struct bomp_nest_lock **);

void omp_init_nest_lock_(struct bomp_nest_lock **slot) {
    *slot = bz_alloc_zero(1, sizeof **slot);
    if (!*slot)
        bz_fatal("omp_init_nest_lock: no memory for a lock");
}

void omp_destroy_nest_lock_(struct bomp_nest_lock **slot) {
    bz_free(*slot);
    *slot = NULL;
}

void omp_set_nest_lock_(struct bomp_nest_lock **slot) {
    bomp_nest_lock_set(*slot);
}

void omp_unset_nest_lock_(struct bomp_nest_lock **slot) {
    bomp_nest_lock_unset(*slot);
}

int32_t omp_test_nest_lock_(struct bomp_nest_lock **slot) {
    return bomp_nest_lock_test(*slot);
}

/* With hints, which GCC's omp.h declares and its library lacks. A hint is advice: one kind of lock serves all, so every
 * value is right, also in Fortran, where it stands behind a pointer. */

BOMP_EXPORT void omp_init_lock_with_hint_(omp_lock_t *, const void *);
BOMP_EXPORT void omp_init_nest_lock_with_hint_(struct bomp_nest_lock **, const void *);

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

void omp_init_nest_lock_with_hint_(struct bomp_nest_lock **slot, const void *hint) {
    (void)hint;
    omp_init_nest_lock_(slot);
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
OLD(void, omp_init_nest_lock, struct bomp_old_nest_lock)
OLD(void, omp_destroy_nest_lock, struct bomp_old_nest_lock)
OLD(void, omp_set_nest_lock, struct bomp_old_nest_lock)
OLD(void, omp_unset_nest_lock, struct bomp_old_nest_lock)
OLD(int, omp_test_nest_lock, struct bomp_old_nest_lock)

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

void bomp_old_omp_init_nest_lock(struct bomp_old_nest_lock *lock) {
    *lock = (struct bomp_old_nest_lock){0, 0};
}

void bomp_old_omp_destroy_nest_lock(struct bomp_old_nest_lock *lock) {
    (void)lock;
}

void bomp_old_omp_set_nest_lock(struct bomp_old_nest_lock *lock) {
    bomp_old_nest_lock_set(lock);
}

void bomp_old_omp_unset_nest_lock(struct bomp_old_nest_lock *lock) {
    bomp_old_nest_lock_unset(lock);
}

int bomp_old_omp_test_nest_lock(struct bomp_old_nest_lock *lock) {
    return bomp_old_nest_lock_test(lock);
}
