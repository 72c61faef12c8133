#include "omp/task/grain.h"

#include "omp/task/task.h"
#include "omp/task/task_inner.h"
#include "omp/task/task_reserve.h"

struct bz_a64 bomp_grains[BOMP_GRAINS];

static unsigned score_after(unsigned score, const struct bomp_task *task, bool quick) {
    if (task->created > 0 || score == BOMP_GRAIN_PARENT)
        return BOMP_GRAIN_PARENT;
    if (quick)
        return score < BOMP_GRAIN_MOST ? score + 1 : score;
    return score < BOMP_GRAIN_LEAST + BOMP_GRAIN_LOSS ? BOMP_GRAIN_LEAST : score - BOMP_GRAIN_LOSS;
}

void (*bomp_grain_kind(const struct bomp_task *task))(void *) {
    return task->flags & BOMP_TASK_KIND ? bomp_task_reserved_kind(task->data) : task->fn;
}

static inline bool body_of(void (*fn)(void *), struct bomp_task *task, struct bz_worker *self,
                           uint64_t limit) {
    uint64_t from = bz_os_now_ns();
    bool ran = bomp_task_body(task, self);
    if (!ran)
        return false;
    bool quick = bz_os_now_ns() - from < limit;
    unsigned before = bomp_grain_score(fn), after = score_after(before, task, quick);
    if (after != before) /* else no store: whoever makes tasks reads the line */
        bz_store_relaxed(bomp_grain_place(fn),
                         (uint64_t)(uintptr_t)fn << 8 | after); /* relaxed: see grain.h */
    return true;
}

bool bomp_grain_body(struct bomp_task *task, struct bz_worker *self, uint64_t limit) {
    return body_of(bomp_grain_kind(task), task, self, limit);
}

bool bomp_grain_body_of(void (*kind)(void *), struct bomp_task *task, struct bz_worker *self,
                        uint64_t limit) {
    return body_of(kind, task, self, limit);
}

/* One that took long may have been interrupted; two or three of few are no accident. */
bool bomp_grain_next_batch(struct bomp_grain_batch *batch) {
    uint64_t now = bz_os_now_ns();
    bool quick = batch->since == 0 || now - batch->since < BOMP_GRAIN_BATCH * BOMP_GRAIN_MOST_NS;
    batch->since = now;
    batch->left = BOMP_GRAIN_BATCH;
    if (quick) {
        batch->strikes -= batch->strikes > 0;
        batch->penalty -= batch->penalty > BOMP_GRAIN_BATCH ? BOMP_GRAIN_BATCH : 0;
        return true;
    }
    if ((batch->strikes += 4) <= 4)
        return true;
    if (batch->penalty < BOMP_GRAIN_SKIP)
        batch->penalty = BOMP_GRAIN_SKIP;
    batch->skip = batch->penalty;
    batch->penalty = batch->penalty < BOMP_GRAIN_SKIP_MOST / 2 ? 2 * batch->penalty : BOMP_GRAIN_SKIP_MOST;
    batch->strikes = 0;
    bomp_grain_start(batch);
    return false;
}
