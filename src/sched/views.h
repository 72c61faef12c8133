/* One worker's views of reducers, a stack in serial order (views.md). A view's position is the free index of the
 * deque when it was made. A mark separates the views of the job that runs from those of the jobs below it.
 *
 * Owner only, except that `thief` of a stolen job that is done points to what it left (join.h, F3).
 *
 * Invariant: all jobs below the position of a view are public, so that no fast path pops one. */
#ifndef BZ_VIEWS_H
#define BZ_VIEWS_H

#include "blitz/reducer.h"
#include "sched/worker.h"

struct bz_view {
    struct bz_view *below;  /* the next older one; in a chain, the next younger one */
    blitz_reducer *reducer; /* NULL: a mark */
    int64_t position;
    void *value; /* behind the view, or the reducer's own value */
};

/* Written at the reducer's begin and end, read by threads that make or combine views. */
struct bz_views_op {
    const blitz_reducer_op *v;
};
static inline struct bz_views_op *bz_views_op_word(const blitz_reducer *reducer) {
    return (struct bz_views_op *)(uintptr_t)&reducer->op;
}

/* In `bound` of a reducer that was begun. The lowest bits: a worker has its own view; it was begun outside. */
#define BZ_REDUCER_BEGUN ((uintptr_t)0x6c526564)
#define BZ_REDUCER_BOUND ((uintptr_t)1)
#define BZ_REDUCER_OUTSIDE ((uintptr_t)2)

static inline bool bz_views_was_begun(const blitz_reducer *reducer) {
    return (reducer->bound & ~(BZ_REDUCER_BOUND | BZ_REDUCER_OUTSIDE)) == BZ_REDUCER_BEGUN;
}

/* Ends the process if the reducer is not begun. */
const blitz_reducer_op *bz_views_op(const blitz_reducer *reducer);

/* The running job's view, made on demand. Ends the process without memory. */
void *bz_views_get(struct bz_worker *self, blitz_reducer *reducer);

/* ---- jobs that come before what follows their fork: frames and spawns ---- */

/* After a pop of its own job: sets aside the views after it. True: bz_views_run must run the job. */
bool bz_views_set_aside(struct bz_worker *self, int64_t index);
void bz_views_run(struct bz_worker *self, struct bz_job *job);

/* After the join of a stolen job: `left` is what it left, or NULL. */
void bz_views_join(struct bz_worker *self, int64_t index, struct bz_view *left);

/* ---- jobs that come after what follows their fork: halves of loops, the second function of a join ---- */

/* Before the claim of the job: the views since its fork come before it. */
void bz_views_fold(struct bz_worker *self, int64_t index);
/* Afterwards, when all jobs from `index` on are done: combines the views among them, then what the job left. */
void bz_views_join_after(struct bz_worker *self, int64_t index, struct bz_view *left);

/* ---- jobs apart from the worker's other work: stolen ones, tasks of scopes ---- */

/* Begins one: pushes a mark if there are views. */
void bz_views_mark(struct bz_worker *self);
/* Ends it: a chain of what it left, a view for each reducer, or NULL. */
struct bz_view *bz_views_take(struct bz_worker *self);
/* The same where no job can take what is left: that ends the process. */
void bz_views_take_none(struct bz_worker *self, const char *where);

/* Around a job that no code joins. */
static inline void bz_views_enter(struct bz_worker *self) {
    self->running.theft.robbed = NULL;
    if (bz_unlikely(self->views.top))
        bz_views_mark(self);
}
static inline void bz_views_leave(struct bz_worker *self, const char *where) {
    if (bz_unlikely(self->views.top))
        bz_views_take_none(self, where);
}

/* Ends a call into a pool: the views go to the job that `outer`, the caller's worker, runs; NULL: to the value. */
void bz_views_hand_over(struct bz_worker *self, struct bz_worker *outer);

/* ---- the verbs ---- */

void bz_views_begin(struct bz_worker *self, blitz_reducer *reducer);
bool bz_views_has_begun(const struct bz_worker *self, const blitz_reducer *reducer);
/* False: the running job has not begun it. */
bool bz_views_end(struct bz_worker *self, blitz_reducer *reducer);

#endif
