/* Critical constructs: owned locks, of the whole process. The child of a fork may use them all. Where something observes,
 * the quick ways in and out fail (bz_attended). */
#include "omp/bomp.h"
#include "omp/sync/lock.h"
#include "omp/tool/hooks.h"

static uint32_t unnamed, atomic;

/* ---- the slow ways, by jumps: what they return to is the program ---- */

BZ_INLINE void lock_slow(uint32_t *word, ompt_mutex_t kind, const void *site) {
    const void *code = NULL;
    const bool observed = bomp_tool_is_met();
    if (bz_unlikely(observed)) {
        code = bomp_code_or(site);
        bomp_hooks->mutex->acquire(kind, 0, false, word, code);
    }
    bomp_owned_lock_slow(word);
    if (bz_unlikely(observed))
        bomp_hooks->mutex->acquired(kind, 1, word, code);
}

BZ_INLINE void unlock_slow(uint32_t *word, ompt_mutex_t kind, const void *site) {
    bomp_owned_unlock_slow(word);
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->released(kind, 0, word, bomp_code_or(site));
}

__attribute__((noinline)) static void critical_lock(uint32_t *word) {
    lock_slow(word, ompt_mutex_critical, BOMP_SITE);
}

__attribute__((noinline)) static void critical_unlock(uint32_t *word) {
    unlock_slow(word, ompt_mutex_critical, BOMP_SITE);
}

__attribute__((noinline)) static void atomic_lock(uint32_t *word) {
    lock_slow(word, ompt_mutex_atomic, BOMP_SITE);
}

__attribute__((noinline)) static void atomic_unlock(uint32_t *word) {
    unlock_slow(word, ompt_mutex_atomic, BOMP_SITE);
}

/* ---- the constructs ---- */

void bomp_critical_name_start(uint32_t *word) {
    if (bz_unlikely(!bomp_owned_lock_free(word)))
        critical_lock(word);
}

void bomp_critical_name_end(uint32_t *word) {
    if (bz_unlikely(!bomp_owned_unlock_free(word)))
        critical_unlock(word);
}

void bomp_critical_start(void) {
    if (bz_unlikely(!bomp_owned_lock_free(&unnamed)))
        critical_lock(&unnamed);
}

void bomp_critical_end(void) {
    if (bz_unlikely(!bomp_owned_unlock_free(&unnamed)))
        critical_unlock(&unnamed);
}

void bomp_atomic_start(void) {
    if (bz_unlikely(!bomp_owned_lock_free(&atomic)))
        atomic_lock(&atomic);
}

void bomp_atomic_end(void) {
    if (bz_unlikely(!bomp_owned_unlock_free(&atomic)))
        atomic_unlock(&atomic);
}
