/* construct_storage.c: see construct_storage.h.
 *
 * Pairing table
 *   SH1 bomp_storage_get   SH2 make_block   what was filled in */
#include "omp/loop/construct_storage.h"

#include "omp/bomp.h"
#include "omp/loop/workshare.h"
#include "omp/task/cancelled.h"
#include "omp/task/reduction.h"
#include "omp/team/team_data.h"

static void make_block(struct bomp_storage *storage, struct bomp_storage_block *block, size_t size,
                       void (*fill)(void *block, const void *arg), const void *arg) {
    bz_mutex_lock(&storage->lock);
    if (!bz_load_relaxed(&block->memory)) { /* relaxed: changes with the lock only */
        void *memory = bz_os_alloc(size);
        if (!memory)
            bz_fatal("out of memory for %zu bytes of shared data of a construct", size);
        if (fill)
            fill(memory, arg);
        block->size = size;
        bz_store_relaxed(&storage->used, 1); /* relaxed: read when all members have left */
        bz_tsan_before(block);
        bz_store_release(&block->memory, memory); /* SH2: pairs with SH1 */
    }
    bz_mutex_unlock(&storage->lock);
}

void *bomp_storage_get(struct bomp_member *self, enum bomp_storage_use use, size_t size,
                       void (*fill)(void *block, const void *arg), const void *arg) {
    struct bomp_storage *storage = self->ws->unshared ? &self->ws->own : &self->ws->at->storage;
    struct bomp_storage_block *block = &storage->blocks[use];
    void *memory = bz_load_acquire(&block->memory); /* SH1: pairs with SH2 */
    if (memory) {
        bz_tsan_after(block);
        return memory;
    }
    if (size > SIZE_MAX - BZ_LINE)
        bz_fatal("out of memory for %zu bytes of shared data of a construct", size);
    size = size == 0 ? BZ_LINE : (size + BZ_LINE - 1) / BZ_LINE * BZ_LINE;
    if (!self->ws->unshared)
        bz_tsan_after(&self->ws->at->storage); /* users of the block in another construct */
    make_block(storage, block, size, fill, arg);
    bz_tsan_after(block);
    return bz_load_relaxed(&block->memory); /* relaxed: made by this thread, or before it had the lock */
}

void bomp_construct_enter_alone(struct bomp_member *self) {
    self->ws->unshared = true;
    bomp_storage_clear(&self->ws->own);
}

bool bomp_construct_enter(struct bomp_member *self) {
    bool cancelled = bz_unlikely(self->team->cancel.on) && bomp_cancel_gone(self);
    if (cancelled || self->team->size == 1)
        bomp_construct_enter_alone(self);
    else
        bomp_workshare_enter(self);
    return !cancelled;
}

/* Relaxed, all: only the caller can reach the construct. */
void bomp_storage_free(struct bomp_storage *storage) {
    struct bomp_reduction **shared = bz_load_relaxed(&storage->blocks[BOMP_STORAGE_REDUCTION].memory);
    if (shared)
        bomp_reduction_release(*shared);
    for (unsigned i = 0; i < BOMP_STORAGE_USES; i++) {
        bz_os_free(bz_load_relaxed(&storage->blocks[i].memory), storage->blocks[i].size);
        bz_store_relaxed(&storage->blocks[i].memory, NULL);
    }
    bz_store_relaxed(&storage->used, 0);
}

/* ---- for the calling thread ---- */

void bomp_construct_start(bool ends) {
    struct bomp_member *self = bomp_self();
    self->place++;
    self->ws->open = ends ? BOMP_OPEN : BOMP_OPEN_NOT;
    (void)bomp_construct_enter(self); /* also if cancelled: it hands nothing out */
    if (!self->ws->unshared)
        bomp_workshare_mark(self->ws->at);
}

void *bomp_construct_memory(size_t size) {
    return bomp_storage_get(bomp_self(), BOMP_STORAGE_PROGRAM, size, NULL, NULL);
}
