/* The lock functions of the API; most C and Fortran names are second names of these (names.ld). A plain lock is 4 bytes of
 * the program's variable, a nestable one 8: GCC's type of C has 16 bytes, LLVM's and all of Fortran 8. There is one kind of
 * lock for all hints. Since OpenMP 3.0 a task owns a nestable lock, before that a thread did: binaries of that time ask for
 * version OMP_1.0, which linkers no longer offer.
 *
 * When attended (bz_attended), functions continue by jumps, which return to the program. */
#include "omp/api/omp_decl.h"
#include "omp/bomp.h"
#include "omp/sync/nest_lock.h"
#include "omp/tool/hooks.h"

_Static_assert(sizeof(struct bomp_nest_lock) == 8 && sizeof(omp_nest_lock_t) >= 8 &&
                   _Alignof(struct bomp_nest_lock) <= _Alignof(omp_nest_lock_t),
               "a nestable lock fits every compiler's");

/* ---- both kinds, when attended ---- */

/* Takes the lock, waits for it, or tests it: as `kind` says. Returns how often the caller has it now. */
BZ_COLD static int take_attended(void *lock, ompt_mutex_t kind) {
    const void *site = BOMP_SITE;
    int count = 1;
    if (bomp_tool_is_met())
        bomp_hooks->mutex->acquire(kind, 0, false, lock, site);
    if (kind == ompt_mutex_lock) {
        bomp_mutex_lock(lock);
    } else if (kind == ompt_mutex_test_lock) {
        count = bomp_mutex_try(lock);
    } else if (kind == ompt_mutex_nest_lock) {
        bomp_nest_lock_set(lock);
        count = ((struct bomp_nest_lock *)lock)->count;
    } else {
        count = bomp_nest_lock_test(lock);
    }
    if (count > 0 && bomp_hooks)
        bomp_hooks->mutex->acquired(kind, count, lock, site);
    return count;
}

BZ_COLD static void give_attended(void *lock, ompt_mutex_t kind) {
    const void *site = BOMP_SITE;
    int left = kind == ompt_mutex_nest_lock ? ((struct bomp_nest_lock *)lock)->count - 1 : 0;
    if (kind == ompt_mutex_lock)
        bomp_mutex_unlock(lock);
    else
        bomp_nest_lock_unset(lock);
    if (bomp_hooks)
        bomp_hooks->mutex->released(kind, left, lock, site);
}

/* ---- plain locks ---- */

void bomp_lock_init(uint32_t *lock, unsigned hint) {
    *lock = BZ_MUTEX_FREE;
    if (bz_unlikely(bomp_tool_is_met()))
        bomp_hooks->mutex->init(ompt_mutex_lock, hint, lock, BOMP_SITE);
}

void bomp_lock_destroy(uint32_t *lock) {
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->destroy(ompt_mutex_lock, lock, BOMP_SITE);
}

void bomp_lock_set(uint32_t *lock) {
    if (bz_unlikely(bz_attended))
        (void)take_attended(lock, ompt_mutex_lock);
    else if (bz_unlikely(!bz_mutex_trylock(bomp_mutex(lock))))
        bomp_mutex_lock_slow(lock);
}

void bomp_lock_unset(uint32_t *lock) {
    if (bz_unlikely(bz_attended))
        give_attended(lock, ompt_mutex_lock);
    else
        bz_mutex_unlock(bomp_mutex(lock));
}

int bomp_lock_test(uint32_t *lock) {
    return bz_unlikely(bz_attended) ? take_attended(lock, ompt_mutex_test_lock)
                                    : bz_mutex_trylock(bomp_mutex(lock));
}

BOMP_EXPORT void omp_init_lock(omp_lock_t *lock) {
    bomp_lock_init((uint32_t *)(void *)lock, 0);
}

/* ---- nestable locks ---- */

void bomp_nestable_init(void *lock, unsigned hint) {
    *(struct bomp_nest_lock *)lock = (struct bomp_nest_lock){0};
    if (bz_unlikely(bomp_tool_is_met()))
        bomp_hooks->mutex->init(ompt_mutex_nest_lock, hint, lock, BOMP_SITE);
}

void bomp_nestable_destroy(void *lock) {
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->destroy(ompt_mutex_nest_lock, lock, BOMP_SITE);
}

BZ_LINE_START
void bomp_nestable_set(void *lock) {
    if (bz_unlikely(bz_attended))
        (void)take_attended(lock, ompt_mutex_nest_lock);
    else
        bomp_nest_lock_set(lock);
}

BZ_LINE_START
void bomp_nestable_unset(void *lock) {
    if (bz_unlikely(bz_attended))
        give_attended(lock, ompt_mutex_nest_lock);
    else
        bomp_nest_lock_unset(lock);
}

int bomp_nestable_test(void *lock) {
    return bz_unlikely(bz_attended) ? take_attended(lock, ompt_mutex_test_nest_lock)
                                    : bomp_nest_lock_test(lock);
}

BOMP_EXPORT void omp_init_nest_lock(omp_nest_lock_t *lock) {
    bomp_nestable_init(lock, 0);
}

/* ---- Fortran's with hints ---- */

BOMP_EXPORT void omp_init_lock_with_hint_(omp_lock_t *lock, const int32_t *hint) {
    bomp_lock_init((uint32_t *)(void *)lock, (unsigned)*hint);
}

BOMP_EXPORT void omp_init_nest_lock_with_hint_(omp_nest_lock_t *lock, const int32_t *hint) {
    bomp_nestable_init(lock, (unsigned)*hint);
}

/* ---- those of before OpenMP 3.0 ----
 *
 * bomp_old_NAME is exported as NAME@OMP_1.0 and NAME_@OMP_1.0. It cannot be what NAME is a second name of: GNU ld gives a
 * symbol no second version besides that of .symver. */
#if defined(__has_attribute) && __has_attribute(symver)
#    define VERSION(function, version) __attribute__((symver(version)))
#else
#    define VERSION(function, version) __asm__(".symver " #    function ", " version);
#endif
#define OLD(type, name, lock)                                                                                \
    VERSION(bomp_old_##name, #name "@OMP_1.0")                                                               \
    VERSION(bomp_old_##name, #name "_@OMP_1.0") BOMP_EXPORT type bomp_old_##name(lock *)
#define AS(function) __attribute__((alias(#function)))

OLD(void, omp_init_lock, uint32_t);
OLD(void, omp_destroy_lock, uint32_t) AS(bomp_lock_destroy);
OLD(void, omp_set_lock, uint32_t) AS(bomp_lock_set);
OLD(void, omp_unset_lock, uint32_t) AS(bomp_lock_unset);
OLD(int, omp_test_lock, uint32_t) AS(bomp_lock_test);
OLD(void, omp_init_nest_lock, struct bomp_nest_lock);
OLD(void, omp_destroy_nest_lock, struct bomp_nest_lock);
OLD(void, omp_set_nest_lock, struct bomp_nest_lock);
OLD(void, omp_unset_nest_lock, struct bomp_nest_lock);
OLD(int, omp_test_nest_lock, struct bomp_nest_lock);

void bomp_old_omp_init_lock(uint32_t *lock) {
    bomp_lock_init(lock, 0);
}

void bomp_old_omp_init_nest_lock(struct bomp_nest_lock *lock) {
    *lock = (struct bomp_nest_lock){0};
}

void bomp_old_omp_destroy_nest_lock(struct bomp_nest_lock *lock) {
    (void)lock;
}

/* The thread may take them again, whichever task it runs. */
void bomp_old_omp_set_nest_lock(struct bomp_nest_lock *lock) {
    if (!bomp_owned_is_mine(&lock->word)) {
        bomp_owned_lock(&lock->word);
        lock->count = 0;
    }
    lock->count++;
}

int bomp_old_omp_test_nest_lock(struct bomp_nest_lock *lock) {
    if (!bomp_owned_is_mine(&lock->word)) {
        if (!bomp_owned_try(&lock->word))
            return 0;
        lock->count = 0;
    }
    return ++lock->count;
}

void bomp_old_omp_unset_nest_lock(struct bomp_nest_lock *lock) {
    if (--lock->count == 0)
        bomp_owned_unlock(&lock->word);
}
