/* lock_api.c: the lock functions of the API, C and Fortran, in all of their versions. A plain lock is 4 bytes of the
 * program's variable, a nestable one 8, whatever its type has: GCC's of C has 16 bytes, LLVM's and all of Fortran 8. In
 * Fortran, too, the variable is the lock. Since OpenMP 3.0 a task owns a nestable lock, before that a thread did: binaries
 * of that time ask for version OMP_1.0, which linkers do not offer any more. */
#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/sync/nest_lock.h"
#include "omp/tool/hooks.h"

_Static_assert(sizeof(struct bomp_nest_lock) == 8 && sizeof(omp_nest_lock_t) >= 8,
               "a nestable lock fits every compiler's");
_Static_assert(_Alignof(struct bomp_nest_lock) <= _Alignof(omp_nest_lock_t),
               "a nestable lock fits every compiler's");

/* Plain locks. Where something observes (bz_attended), the way leads by jumps: what it returns to is the program. */

static uint32_t *word_of(omp_lock_t *lock) {
    return (uint32_t *)(void *)lock;
}

BZ_INLINE void init_lock(uint32_t *word, unsigned hint, const void *site) {
    *word = BZ_MUTEX_FREE;
    if (bz_unlikely(bomp_tool_is_met()))
        bomp_hooks->mutex->init(ompt_mutex_lock, hint, word, site);
}

BZ_INLINE void destroy_lock(const uint32_t *word, const void *site) {
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->destroy(ompt_mutex_lock, word, site);
}

BZ_COLD static void set_attended(uint32_t *word) {
    const void *site = BOMP_SITE;
    if (bomp_tool_is_met())
        bomp_hooks->mutex->acquire(ompt_mutex_lock, 0, false, word, site);
    bomp_mutex_lock(word);
    if (bomp_hooks)
        bomp_hooks->mutex->acquired(ompt_mutex_lock, 1, word, site);
}

BZ_INLINE void set_lock(uint32_t *word) {
    if (bz_unlikely(bz_attended))
        set_attended(word);
    else if (bz_unlikely(!bz_mutex_trylock(bomp_mutex(word))))
        bomp_mutex_lock_slow(word);
}

BZ_COLD static void unset_attended(uint32_t *word) {
    const void *site = BOMP_SITE;
    bomp_mutex_unlock(word);
    if (bomp_hooks)
        bomp_hooks->mutex->released(ompt_mutex_lock, 0, word, site);
}

BZ_INLINE void unset_lock(uint32_t *word) {
    if (bz_unlikely(bz_attended))
        unset_attended(word);
    else
        bz_mutex_unlock(bomp_mutex(word));
}

BZ_COLD static int test_attended(uint32_t *word) {
    const void *site = BOMP_SITE;
    if (bomp_tool_is_met())
        bomp_hooks->mutex->acquire(ompt_mutex_test_lock, 0, false, word, site);
    bool got = bomp_mutex_try(word);
    if (got && bomp_hooks)
        bomp_hooks->mutex->acquired(ompt_mutex_test_lock, 1, word, site);
    return got;
}

BZ_INLINE int test_lock(uint32_t *word) {
    return bz_unlikely(bz_attended) ? test_attended(word) : bz_mutex_trylock(bomp_mutex(word));
}

void omp_init_lock(omp_lock_t *lock) {
    init_lock(word_of(lock), 0, BOMP_SITE);
}

void omp_destroy_lock(omp_lock_t *lock) {
    destroy_lock(word_of(lock), BOMP_SITE);
}

void omp_set_lock(omp_lock_t *lock) {
    set_lock(word_of(lock));
}

void omp_unset_lock(omp_lock_t *lock) {
    unset_lock(word_of(lock));
}

int omp_test_lock(omp_lock_t *lock) {
    return test_lock(word_of(lock));
}

/* Fortran: the variable is the lock. */
#define SAME_AS(name) __attribute__((nothrow, alias(#name)))

BOMP_EXPORT void omp_init_lock_(omp_lock_t *) SAME_AS(omp_init_lock);
BOMP_EXPORT void omp_destroy_lock_(omp_lock_t *) SAME_AS(omp_destroy_lock);
BOMP_EXPORT void omp_set_lock_(omp_lock_t *) SAME_AS(omp_set_lock);
BOMP_EXPORT void omp_unset_lock_(omp_lock_t *) SAME_AS(omp_unset_lock);
BOMP_EXPORT int32_t omp_test_lock_(omp_lock_t *) SAME_AS(omp_test_lock);

/* Nestable locks. */

static struct bomp_nest_lock *nest_of(omp_nest_lock_t *lock) {
    return (struct bomp_nest_lock *)(void *)lock;
}

BZ_INLINE void init_nest(struct bomp_nest_lock *lock, unsigned hint, const void *site) {
    *lock = (struct bomp_nest_lock){0};
    if (bz_unlikely(bomp_tool_is_met()))
        bomp_hooks->mutex->init(ompt_mutex_nest_lock, hint, lock, site);
}

BZ_INLINE void destroy_nest(const struct bomp_nest_lock *lock, const void *site) {
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->destroy(ompt_mutex_nest_lock, lock, site);
}

BZ_COLD static void set_nest_attended(struct bomp_nest_lock *lock) {
    const void *site = BOMP_SITE;
    if (bomp_tool_is_met())
        bomp_hooks->mutex->acquire(ompt_mutex_nest_lock, 0, false, lock, site);
    bomp_nest_lock_set(lock);
    if (bomp_hooks)
        bomp_hooks->mutex->acquired(ompt_mutex_nest_lock, lock->count, lock, site);
}

BZ_INLINE void set_nest(struct bomp_nest_lock *lock) {
    if (bz_unlikely(bz_attended))
        set_nest_attended(lock);
    else
        bomp_nest_lock_set(lock);
}

BZ_COLD static void unset_nest_attended(struct bomp_nest_lock *lock) {
    const void *site = BOMP_SITE;
    int left = lock->count - 1;
    bomp_nest_lock_unset(lock);
    if (bomp_hooks)
        bomp_hooks->mutex->released(ompt_mutex_nest_lock, left, lock, site);
}

BZ_INLINE void unset_nest(struct bomp_nest_lock *lock) {
    if (bz_unlikely(bz_attended))
        unset_nest_attended(lock);
    else
        bomp_nest_lock_unset(lock);
}

BZ_COLD static int test_nest_attended(struct bomp_nest_lock *lock) {
    const void *site = BOMP_SITE;
    if (bomp_tool_is_met())
        bomp_hooks->mutex->acquire(ompt_mutex_test_nest_lock, 0, false, lock, site);
    int count = bomp_nest_lock_test(lock);
    if (count > 0 && bomp_hooks)
        bomp_hooks->mutex->acquired(ompt_mutex_test_nest_lock, count, lock, site);
    return count;
}

BZ_INLINE int test_nest(struct bomp_nest_lock *lock) {
    return bz_unlikely(bz_attended) ? test_nest_attended(lock) : bomp_nest_lock_test(lock);
}

void omp_init_nest_lock(omp_nest_lock_t *lock) {
    init_nest(nest_of(lock), 0, BOMP_SITE);
}

void omp_destroy_nest_lock(omp_nest_lock_t *lock) {
    destroy_nest(nest_of(lock), BOMP_SITE);
}

BZ_LINE_START
void omp_set_nest_lock(omp_nest_lock_t *lock) {
    set_nest(nest_of(lock));
}

BZ_LINE_START
void omp_unset_nest_lock(omp_nest_lock_t *lock) {
    unset_nest(nest_of(lock));
}

int omp_test_nest_lock(omp_nest_lock_t *lock) {
    return test_nest(nest_of(lock));
}

BOMP_EXPORT void omp_init_nest_lock_(omp_nest_lock_t *) SAME_AS(omp_init_nest_lock);
BOMP_EXPORT void omp_destroy_nest_lock_(omp_nest_lock_t *) SAME_AS(omp_destroy_nest_lock);
BOMP_EXPORT void omp_set_nest_lock_(omp_nest_lock_t *) SAME_AS(omp_set_nest_lock);
BOMP_EXPORT void omp_unset_nest_lock_(omp_nest_lock_t *) SAME_AS(omp_unset_nest_lock);
BOMP_EXPORT int32_t omp_test_nest_lock_(omp_nest_lock_t *) SAME_AS(omp_test_nest_lock);

/* With hints, which GCC's omp.h declares and its library lacks. A hint is advice: one kind of lock serves all, so every
 * value is right, also in Fortran, where it stands behind a pointer. Tools are notified. */

BOMP_EXPORT void omp_init_lock_with_hint_(omp_lock_t *, const int32_t *);
BOMP_EXPORT void omp_init_nest_lock_with_hint_(omp_nest_lock_t *, const int32_t *);

void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) {
    init_lock(word_of(lock), (unsigned)hint, BOMP_SITE);
}

void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) {
    init_nest(nest_of(lock), (unsigned)hint, BOMP_SITE);
}

void omp_init_lock_with_hint_(omp_lock_t *lock, const int32_t *hint) {
    init_lock(word_of(lock), (unsigned)*hint, BOMP_SITE);
}

void omp_init_nest_lock_with_hint_(omp_nest_lock_t *lock, const int32_t *hint) {
    init_nest(nest_of(lock), (unsigned)*hint, BOMP_SITE);
}

/* What entry points call (bomp.h), by jumps: what these return to is the program. */

void bomp_lock_init(uint32_t *lock, unsigned hint) {
    init_lock(lock, hint, BOMP_SITE);
}

void bomp_lock_destroy(uint32_t *lock) {
    destroy_lock(lock, BOMP_SITE);
}

void bomp_lock_set(uint32_t *lock) {
    set_lock(lock);
}

void bomp_lock_unset(uint32_t *lock) {
    unset_lock(lock);
}

int bomp_lock_test(uint32_t *lock) {
    return test_lock(lock);
}

void bomp_nestable_init(void *lock, unsigned hint) {
    init_nest(lock, hint, BOMP_SITE);
}

void bomp_nestable_destroy(void *lock) {
    destroy_nest(lock, BOMP_SITE);
}

void bomp_nestable_set(void *lock) {
    set_nest(lock);
}

void bomp_nestable_unset(void *lock) {
    unset_nest(lock);
}

int bomp_nestable_test(void *lock) {
    return test_nest(lock);
}

/* The versions of before OpenMP 3.0. bomp_old_NAME is exported as NAME@OMP_1.0 and, since a Fortran variable is the
 * lock itself, as NAME_@OMP_1.0. It cannot be the function NAME, nor an alias of it: GNU ld gives a symbol no
 * second version beside .symver's. */
#if defined(__has_attribute) && __has_attribute(symver)
#    define VERSION(function, version) __attribute__((symver(version)))
#else
#    define VERSION(function, version) __asm__(".symver " #    function ", " version);
#endif
#define OLD(type, name, lock)                                                                                \
    VERSION(bomp_old_##name, #name "@OMP_1.0")                                                               \
    VERSION(bomp_old_##name, #name "_@OMP_1.0") BOMP_EXPORT type bomp_old_##name(lock *)

OLD(void, omp_init_lock, omp_lock_t);
OLD(void, omp_destroy_lock, omp_lock_t);
OLD(void, omp_set_lock, omp_lock_t);
OLD(void, omp_unset_lock, omp_lock_t);
OLD(int, omp_test_lock, omp_lock_t);
OLD(void, omp_init_nest_lock, struct bomp_nest_lock);
OLD(void, omp_destroy_nest_lock, struct bomp_nest_lock);
OLD(void, omp_set_nest_lock, struct bomp_nest_lock);
OLD(void, omp_unset_nest_lock, struct bomp_nest_lock);
OLD(int, omp_test_nest_lock, struct bomp_nest_lock);

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
