/* What tasks take, as far as it decides whether they are worth giving away: a task that another thread takes costs both
 * some cache lines' way, and one that takes less than that runs sooner where it was made.
 *
 *   fine     tasks of this function have taken less than that, time and again, and never had children
 *   coarse   all others: a task that had children may have taken little itself, and yet have much below it
 *
 * That is learnt from tasks that were queued, by the threads that ran them: no task of an unknown function runs on the
 * stack of its creator for being fine. Only a producer's children do (task_policy.h), so that recursions are not judged
 * by their leaves. Whoever runs them itself takes the time of every batch of them: where it takes much longer, some are
 * queued again, and more each time.
 *
 * All is estimates. A function keeps its place in a table for the whole process until another one needs it. */
#ifndef BOMP_GRAIN_H
#define BOMP_GRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "omp/state/grain.h"
#include "runtime.h"

struct bomp_task;

/* Of each function by where it lies: function * 256 + score. Written by whoever has run a task, read by whoever makes one:
 * relaxed, all for themselves. */
extern struct bz_a64 bomp_grains[BOMP_GRAINS];

/* Scores: BOMP_GRAIN_ZERO to begin with, one more for a task that was quick, BOMP_GRAIN_LOSS less for one that was not;
 * BOMP_GRAIN_PARENT for good after one that had children. */
#define BOMP_GRAIN_PARENT 0
#define BOMP_GRAIN_ZERO 128
#define BOMP_GRAIN_SURE (BOMP_GRAIN_ZERO + 8)
#define BOMP_GRAIN_MOST (BOMP_GRAIN_ZERO + 16)
#define BOMP_GRAIN_LEAST (BOMP_GRAIN_ZERO - 16)
#define BOMP_GRAIN_LOSS 4

/* Functions of one page that begin 16 bytes apart, as compilers place them, do not share a place, and those of one file lie
 * close together. Two that share one forget each other with each task that is timed, so that neither is ever fine. */
static inline struct bz_a64 *bomp_grain_place(void (*fn)(void *)) {
    uintptr_t address = (uintptr_t)fn;
    return &bomp_grains[(address >> 4 ^ address >> 12) & (BOMP_GRAINS - 1)];
}

/* The score of a function; of one without a place, what it begins with. */
static inline unsigned bomp_grain_score(void (*fn)(void *)) {
    uint64_t entry = bz_load_relaxed(bomp_grain_place(fn)); /* relaxed: see above */
    return bz_likely(entry >> 8 == (uintptr_t)fn) ? (unsigned)entry & 255 : BOMP_GRAIN_ZERO;
}

static inline bool bomp_grain_is_fine(void (*fn)(void *)) {
    return bomp_grain_score(fn) >= BOMP_GRAIN_SURE;
}

/* At the start of a region. */
static inline void bomp_grain_start(struct bomp_grain_batch *batch) {
    batch->left = 1;
    batch->since = 0;
}

/* The time until now is not the tasks': the member has waited, or run others. The batch that goes on is not judged. */
static inline void bomp_grain_interrupt(struct bomp_grain_batch *batch) {
    batch->since = 0;
}

/* A batch is through: begins the next one. False: it took too long. */
bool bomp_grain_next_batch(struct bomp_grain_batch *batch);

/* Whether the next child of a producer runs at once, for being fine. */
static inline bool bomp_grain_at_once(struct bomp_grain_batch *batch, void (*fn)(void *)) {
    if (batch->skip > 0) {
        batch->skip--;
        return false;
    }
    return bomp_grain_is_fine(fn) && (--batch->left > 0 || bomp_grain_next_batch(batch));
}

/* Whether the body of a task that is made now, `count` its creator's children so far, is to be timed: of a coarse function
 * few are. */
static inline bool bomp_grain_asks(void (*fn)(void *), uint32_t count) {
    unsigned score = bomp_grain_score(fn);
    return score >= BOMP_GRAIN_ZERO || (count % BOMP_GRAIN_SKIP == 0 && score != BOMP_GRAIN_PARENT);
}

/* bomp_task_body of such a task, which is fine if that takes less than `limit` nanoseconds. */
bool bomp_grain_body(struct bomp_task *task, struct bz_worker *self, uint64_t limit);

/* As what such a task is timed, and the same of one that no longer says so. */
void (*bomp_grain_kind(const struct bomp_task *task))(void *);
bool bomp_grain_body_of(void (*kind)(void *), struct bomp_task *task, struct bz_worker *self, uint64_t limit);

#endif
