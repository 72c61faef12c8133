/* Critical constructs: owned locks of the process. The child of a fork may use them all. With ThreadSanitizer or tools the
 * fast paths fail (bz_attended). */
#include "omp/bomp.h"
#include "omp/sync/lock.h"
#include "omp/tool/hooks.h"

static uint32_t unnamed, atomic;

/* ---- slow paths, by jumps: they return to the program ---- */

__attribute__((noinline)) static void lock(uint32_t *word, ompt_mutex_t kind) {
    const void *code = NULL;
    const bool observed = bomp_tool_is_met();
    if (bz_unlikely(observed)) {
        code = bomp_code_or(BOMP_SITE);
        bomp_hooks->mutex->acquire(kind, 0, false, word, code);
    }
    bomp_owned_lock_slow(word);
    if (bz_unlikely(observed))
        bomp_hooks->mutex->acquired(kind, 1, word, code);
}

__attribute__((noinline)) static void unlock(uint32_t *word, ompt_mutex_t kind) {
    bomp_owned_unlock_slow(word);
    if (bz_unlikely(bomp_hooks))
        bomp_hooks->mutex->released(kind, 0, word, bomp_code_or(BOMP_SITE));
}

/* ---- the constructs ---- */

void bomp_critical_name_start(uint32_t *word) {
    if (bz_unlikely(!bomp_owned_lock_free(word)))
        lock(word, ompt_mutex_critical);
}

void bomp_critical_name_end(uint32_t *word) {
    if (bz_unlikely(!bomp_owned_unlock_free(word)))
        unlock(word, ompt_mutex_critical);
}

void bomp_critical_start(void) {
    if (bz_unlikely(!bomp_owned_lock_free(&unnamed)))
        lock(&unnamed, ompt_mutex_critical);
}

void bomp_critical_end(void) {
    if (bz_unlikely(!bomp_owned_unlock_free(&unnamed)))
        unlock(&unnamed, ompt_mutex_critical);
}

void bomp_atomic_start(void) {
    if (bz_unlikely(!bomp_owned_lock_free(&atomic)))
        lock(&atomic, ompt_mutex_atomic);
}

void bomp_atomic_end(void) {
    if (bz_unlikely(!bomp_owned_unlock_free(&atomic)))
        unlock(&atomic, ompt_mutex_atomic);
}
