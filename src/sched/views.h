/* Views: the parts of a reducer's value that one worker has at hand (blitz/reducer.h), in serial order. views.md has the
 * argument.
 *
 * A worker's views are a stack. Each has a position, the index in the worker's deque that was free when the view was made:
 * jobs below it in the deque come before what the view holds, in the order of the program run serially, jobs from it on
 * come after. Positions grow up the stack. A mark ends what belongs to the job that runs: below it lies what the worker was
 * about when it turned to that job.
 *
 * All of it is the worker's own. Views change hands by a frame alone: `thief` of a stolen job that is done points to what
 * it left (join.h, F3).
 *
 * Invariant: all jobs below the position of a view are public, so that no pop of one of them goes by the fast path. */
#ifndef BZ_VIEWS_H
#define BZ_VIEWS_H

#include "blitz/reducer.h"
#include "sched/worker.h"

struct bz_view {
    struct bz_view *below;  /* the next older one of the stack; in a chain, the next younger one */
    blitz_reducer *reducer; /* NULL: a mark */
    int64_t position;
    void *value; /* behind the view, or the reducer's own value */
};

/* The reducer's operation as a shared word: a program that ends a reducer too early does so while others use it. Written
 * at begin and end, read by threads that make or combine views. */
struct bz_views_op {
    const blitz_reducer_op *v;
};
static inline struct bz_views_op *bz_views_op_word(const blitz_reducer *reducer) {
    return (struct bz_views_op *)(uintptr_t)&reducer->op;
}

/* In `bound` of a reducer from its beginning on, but for the lowest bits: whether a worker has its own view, and whether it
 * was begun outside of all pools and regions. */
#define BZ_REDUCER_BEGUN ((uintptr_t)0x6c526564)
#define BZ_REDUCER_BOUND ((uintptr_t)1)
#define BZ_REDUCER_OUTSIDE ((uintptr_t)2)

static inline bool bz_views_was_begun(const blitz_reducer *reducer) {
    return (reducer->bound & ~(BZ_REDUCER_BOUND | BZ_REDUCER_OUTSIDE)) == BZ_REDUCER_BEGUN;
}

/* Its value, to be read once, since a later read may find it gone. Ends the process with a message if the reducer has
 * ended already, or was never begun. */
const blitz_reducer_op *bz_views_op(const blitz_reducer *reducer);

/* The view of the running job, made now if it does not exist. Ends the process without memory. */
void *bz_views_get(struct bz_worker *self, blitz_reducer *reducer);

/* ---- jobs that come before what follows their fork: frames and spawns ---- */

/* After a pop of the own job with this index: sets aside what comes after it, in self->views.aside. True if there is
 * anything: then the job is to be run by bz_views_run and nothing else. */
bool bz_views_set_aside(struct bz_worker *self, int64_t index);
void bz_views_run(struct bz_worker *self, struct bz_job *job);

/* After the join of a stolen job: `left` is what it left, or NULL. */
void bz_views_join(struct bz_worker *self, int64_t index, struct bz_view *left);

/* ---- jobs that come after what follows their fork: halves of loops, the second function of a join ---- */

/* Before the claim of the job with this index: what was done since its fork comes before it. */
void bz_views_fold(struct bz_worker *self, int64_t index);
/* After it, when the job was stolen: what it left comes after that. */
void bz_views_join_after(struct bz_worker *self, int64_t index, struct bz_view *left);

/* ---- jobs apart from the worker's other work: stolen ones, tasks of scopes ---- */

/* Begins one: puts a mark, if there is something to be kept apart. */
void bz_views_mark(struct bz_worker *self);
/* Ends it: a chain of what it left, one view for each reducer; NULL: nothing. */
struct bz_view *bz_views_take(struct bz_worker *self);
/* Ends one whose views no job can take: ends the process with a message about `where` if it left any. */
void bz_views_take_none(struct bz_worker *self, const char *where);

/* Around a job that no code joins. */
static inline void bz_views_enter(struct bz_worker *self) {
    self->theft.robbed = NULL; /* the victim is not needed */
    if (bz_unlikely(self->views.top))
        bz_views_mark(self);
}
static inline void bz_views_leave(struct bz_worker *self, const char *where) {
    if (bz_unlikely(self->views.top))
        bz_views_take_none(self, where);
}

/* Ends a call by another thread's worker, or by another worker of this thread: its views go to the job that `outer` runs
 * (NULL: a thread without a worker). `thread` is the caller's &bz_self. */
void bz_views_hand_over(struct bz_worker *self, struct bz_worker *outer, const void *thread);

/* ---- the verbs ---- */

void bz_views_begin(struct bz_worker *self, blitz_reducer *reducer);
/* Whether the running job has begun it. */
bool bz_views_has_begun(const struct bz_worker *self, const blitz_reducer *reducer);
/* False: the running job has not begun it. */
bool bz_views_end(struct bz_worker *self, blitz_reducer *reducer);

#endif
