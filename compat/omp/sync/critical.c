/* Critical constructs: owned locks, of the whole process. The child of a fork may use them all. Where a tool is told, the
 * quick ways in and out fail (bz_attended). */
#include "omp/bomp.h"
#include "omp/sync/lock.h"
#include "omp/tool/mutex.h"
#include "omp/tool/thread.h"

static uint32_t unnamed, atomic;

/* ---- the slow ways, by jumps: what they return to is the program ---- */

BZ_COLD static void lock_told(uint32_t *word, ompt_mutex_t kind, const void *site) {
    const void *code = bomp_tool_code_or(site);
    bomp_tell_acquire(kind, bomp_tool_take_hint(), word, code);
    bomp_owned_lock_told(word);
    bomp_tell_acquired(kind, word, code);
}

BZ_COLD static void unlock_told(uint32_t *word, ompt_mutex_t kind, const void *site) {
    bomp_owned_unlock(word);
    bomp_tell_released(kind, word, bomp_tool_code_or(site));
}

__attribute__((noinline)) static void lock(uint32_t *word, ompt_mutex_t kind) {
    if (bz_unlikely(bomp_tool_is_met()))
        lock_told(word, kind, BOMP_SITE);
    else
        bomp_owned_lock_slow(word);
}

__attribute__((noinline)) static void unlock(uint32_t *word, ompt_mutex_t kind) {
    if (bz_unlikely(bomp_told))
        unlock_told(word, kind, BOMP_SITE);
    else
        bomp_owned_unlock_slow(word);
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
