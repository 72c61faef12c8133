/* Making and keeping what a construct's members share.
 *
 * Pairing table
 *   SH1 bomp_share, share_of   SH2 make_block, make_share   what was filled in */
#include "omp/loop/share.h"

#include <string.h>

#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/loop/workshare.h"
#include "omp/state/team.h"
#include "omp/task/reduction.h"

static struct bomp_share *make_share(struct bomp_workshare *ws) {
    struct bomp_share *none = NULL, *share = bz_os_alloc(sizeof *share);
    if (!share)
        bz_fatal("out of memory for what the threads of a construct share");
    if (bz_cas_acq_rel(&ws->share, &none, share)) /* SH2: pairs with SH1 and SH2 */
        return share;
    bz_os_free(share, sizeof *share);
    return none;
}

static struct bomp_share *share_of(struct bomp_member *self) {
    if (self->ws.apart)
        return &self->ws.own;
    struct bomp_share *share = bz_load_acquire(&self->ws.at->share); /* SH1: pairs with SH2 */
    return share ? share : make_share(self->ws.at);
}

static void make_room(struct bomp_share_block *block, size_t size) {
    if (size <= block->room) {
        memset(block->kept, 0, size);
        return;
    }
    bz_os_free(block->kept, block->room);
    block->kept = bz_os_alloc(size);
    if (!block->kept)
        bz_fatal("out of memory for %zu bytes that the threads of a construct share", size);
    block->room = size;
}

static void make_block(struct bomp_share *share, struct bomp_share_block *block, size_t size,
                       void (*fill)(void *block, const void *arg), const void *arg) {
    bz_mutex_lock(&share->lock);
    if (!bz_load_relaxed(&block->memory)) { /* relaxed: changes with the lock only */
        make_room(block, size);
        if (fill)
            fill(block->kept, arg);
        bz_tsan_before(block);
        bz_store_release(&block->memory, block->kept); /* SH2: pairs with SH1 */
    }
    bz_mutex_unlock(&share->lock);
}

void *bomp_share(struct bomp_member *self, enum bomp_share_use use, size_t size,
                 void (*fill)(void *block, const void *arg), const void *arg) {
    struct bomp_share *share = share_of(self);
    struct bomp_share_block *block = &share->blocks[use];
    void *memory = bz_load_acquire(&block->memory); /* SH1: pairs with SH2 */
    if (memory) {
        bz_tsan_after(block);
        return memory;
    }
    if (size > SIZE_MAX - BZ_LINE)
        bz_fatal("out of memory for %zu bytes that the threads of a construct share", size);
    size = size == 0 ? BZ_LINE : (size + BZ_LINE - 1) / BZ_LINE * BZ_LINE;
    if (!self->ws.apart)
        bz_tsan_after(&self->ws.at->share); /* those who had the block in another construct */
    make_block(share, block, size, fill, arg);
    bz_tsan_after(block);
    return bz_load_relaxed(&block->memory); /* relaxed: made by ourselves, or before we had the lock */
}

void bomp_share_apart(struct bomp_member *self) {
    self->ws.apart = true;
    bomp_share_clear(&self->ws.own);
}

bool bomp_share_enter(struct bomp_member *self, enum bomp_construct kind) {
    bool cancelled = bz_unlikely(self->team->cancel.on) && bomp_cancel_gone(self);
    if (cancelled || self->team->size == 1)
        bomp_share_apart(self);
    else
        bomp_workshare_enter(self, kind);
    return !cancelled;
}

/* The construct was one of the users of its reduction. Relaxed, all: only the caller can reach the construct. */
static void release_reduction(struct bomp_share *share) {
    struct bomp_reduction **shared = bz_load_relaxed(&share->blocks[BOMP_SHARE_REDUCTION].memory);
    if (shared)
        bomp_reduction_release(*shared);
}

void bomp_share_clear(struct bomp_share *share) {
    release_reduction(share);
    for (unsigned i = 0; i < BOMP_SHARE_USES; i++) {
        struct bomp_share_block *block = &share->blocks[i];
        bz_store_relaxed(&block->memory, NULL);
        if (block->room > BOMP_SHARE_KEEP) {
            bz_os_free(block->kept, block->room);
            block->kept = NULL;
            block->room = 0;
        }
    }
}

void bomp_share_free_blocks(struct bomp_share *share) {
    release_reduction(share);
    for (unsigned i = 0; i < BOMP_SHARE_USES; i++) {
        bz_os_free(share->blocks[i].kept, share->blocks[i].room);
        share->blocks[i] = (struct bomp_share_block){.room = 0};
    }
}

void bomp_share_free(struct bomp_share *share) {
    if (!share)
        return;
    bomp_share_free_blocks(share);
    bz_os_free(share, sizeof *share);
}

/* ---- for the calling thread ---- */

void bomp_construct_start(bool ends) {
    struct bomp_member *self = bomp_self();
    self->ws.place++;
    self->ws.open = ends;
    (void)bomp_share_enter(self, BOMP_CONSTRUCT_OTHER); /* cancelled: it has nothing to hand out, anyway */
    if (!self->ws.apart)
        bomp_workshare_mark(self->ws.at);
}

void *bomp_construct_memory(size_t size) {
    return bomp_share(bomp_self(), BOMP_SHARE_PROGRAM, size, NULL, NULL);
}
