/* A worker as the layer above sees it: its deque, its memory and its domain, without their fields. All functions are
 * inline: a load or a few instructions, as if the field were named. Those that take `self` are for the worker's own
 * thread. */
#ifndef BZ_WORKER_API_H
#define BZ_WORKER_API_H

#include "sched/coroutine.h"
#include "sched/domain.h"
#include "sched/worker.h"

/* The context of the layer above; NULL: none yet. Of another worker only while that cannot end. */
static inline void *bz_worker_context(const struct bz_worker *worker) {
    return worker->context;
}
/* release(context) is called when the worker goes. For the calling thread's worker bz_become follows, for another thread's
 * its next run. */
static inline void bz_worker_set_context(struct bz_worker *worker, void *context,
                                         void (*release)(void *context)) {
    worker->context = context;
    worker->release = release;
}

/* Its place in its domain. */
static inline unsigned bz_worker_index(const struct bz_worker *worker) {
    return worker->index;
}
static inline struct bz_domain *bz_worker_domain(const struct bz_worker *worker) {
    return worker->domain;
}
/* The worker that `self` is isolated from (adopt.h); NULL: none. */
static inline struct bz_worker *bz_worker_isolated_from(const struct bz_worker *self) {
    return self->isolated_from;
}
/* A count that each job raises as it begins or as it ends. */
static inline uint64_t bz_worker_jobs(const struct bz_worker *self) {
    return self->stats.jobs.v + self->quiet.ended.v;
}

/* ---- coroutines (coroutine.h) ---- */

static inline bool bz_worker_has_suspended(const struct bz_worker *self) {
    return self->suspended != 0;
}
/* The first suspended coroutine, which resumes next; NULL: the row is empty. */
static inline const struct bz_coroutine *bz_worker_first_suspended(const struct bz_worker *self) {
    return self->coroutines ? self->coroutines->first : NULL;
}
/* The last of them, which goes on when a job ends that began on a stack of its own; NULL: none. */
static inline const struct bz_coroutine *bz_worker_last_suspended(const struct bz_worker *self) {
    return self->coroutines ? self->coroutines->last : NULL;
}

/* ---- memory (slab.h) ---- */

/* `size` bytes, at most BZ_SLAB_MAX. NULL: no memory. */
static inline void *bz_worker_alloc(struct bz_worker *self, size_t size) {
    return bz_slabs_alloc(&self->slabs, size);
}
/* Of a class (bz_slab_class_behind), if there is some at hand. NULL: none. */
static inline void *bz_worker_take(struct bz_worker *self, unsigned class) {
    return bz_slabs_take(&self->slabs, class);
}
/* Frees memory of a worker of the domain. */
static inline void bz_worker_free(struct bz_worker *self, void *memory) {
    bz_slabs_free(&self->slabs, memory);
}
/* The same for the calling worker's own memory, which no other worker has had. */
static inline void bz_worker_put_back(struct bz_worker *self, void *memory) {
    bz_slabs_put_back(&self->slabs, memory);
}

/* ---- its own queued jobs, by index: each push adds one at the end, each pop takes it from there (deque.h) ---- */

/* The index that the next job gets: as a filter's floor it keeps all jobs that are queued now. */
static inline int64_t bz_worker_queue_end(const struct bz_worker *self) {
    return bz_deque_bottom(&self->deque);
}
/* Jobs queued. Exact except for thefts under way. Reads words that thieves write. */
static inline int64_t bz_worker_queued(const struct bz_worker *self) {
    return bz_deque_size(&self->deque);
}
/* Reads how many were stolen; returns the index of the oldest job left. */
static inline int64_t bz_worker_queue_look(struct bz_worker *self) {
    bz_deque_look(&self->deque);
    return self->deque.top_seen;
}
/* The layer above says whether it has other threads there. If not, the deque is alone from now on (deque.md), unless it is a
 * pool's, whose threads come and go, the domain has other workers, or something is queued. */
static inline void bz_worker_set_alone(struct bz_worker *self, bool alone) {
    const struct bz_domain *domain = self->domain;
    alone = alone && !domain->start &&
            bz_load_relaxed(&domain->count) <= 1 && /* relaxed: changed by its leader */
            bz_deque_size(&self->deque) == 0 && self->deque.slow_pops == 0;
    if (bz_unlikely(self->deque.alone != alone))
        bz_deque_set_alone(&self->deque, alone);
}
/* Takes out a job, wherever it lies. False: it is not queued here, or the deque may have thieves. */
static inline bool bz_worker_take_out(struct bz_worker *self, const struct bz_job *job) {
    return self->deque.alone && bz_deque_take_out(&self->deque, job);
}
/* Whether a job can be put without more memory. */
static inline bool bz_worker_has_room(const struct bz_worker *self) {
    return bz_deque_has_room(&self->deque);
}
/* Makes room for one. False: no memory. */
static inline bool bz_worker_make_room(struct bz_worker *self) {
    return bz_deque_reserve(&self->deque);
}
/* Where there is room: queues a job, and lets others take it and all before it. bz_worker_notify must follow. */
static inline void bz_worker_put_public(struct bz_worker *self, struct bz_job *job) {
    bz_deque_put(&self->deque, job);
    bz_deque_make_public(&self->deque);
}

#endif
