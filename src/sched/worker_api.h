/* A worker for the layer above, without its fields. A parameter `self` is the calling thread's worker. */
#ifndef BZ_WORKER_API_H
#define BZ_WORKER_API_H

#include "sched/coroutine.h"
#include "sched/domain.h"
#include "sched/worker.h"

/* The layer's context, or NULL. Of another worker only while that cannot end. */
static inline void *bz_worker_context(const struct bz_worker *worker) {
    return worker->context;
}
/* release(context) is called when the worker ends. bz_become, or the worker's next run, must follow. */
static inline void bz_worker_set_context(struct bz_worker *worker, void *context,
                                         void (*release)(void *context)) {
    worker->context = context;
    worker->release = release;
}

static inline unsigned bz_worker_index(const struct bz_worker *worker) {
    return worker->index;
}
static inline struct bz_domain *bz_worker_domain(const struct bz_worker *worker) {
    return worker->domain;
}
/* The worker from which `self` is isolated (adopt.h), or NULL. */
static inline struct bz_worker *bz_worker_isolated_from(const struct bz_worker *self) {
    return self->isolation.from;
}
/* A count that each job raises at its begin or end. */
static inline uint64_t bz_worker_jobs(const struct bz_worker *self) {
    return self->stats.jobs.v + self->quiet.ended.v;
}

/* ---- coroutines (coroutine.h) ---- */

static inline bool bz_worker_has_suspended(const struct bz_worker *self) {
    return self->row.suspended != 0;
}
/* The suspended coroutine that resumes next, or NULL. */
static inline const struct bz_coroutine *bz_worker_first_suspended(const struct bz_worker *self) {
    return self->row.coroutines ? self->row.coroutines->first : NULL;
}
/* The one that resumes when a job on a stack of its own ends, or NULL. */
static inline const struct bz_coroutine *bz_worker_last_suspended(const struct bz_worker *self) {
    return self->row.coroutines ? self->row.coroutines->last : NULL;
}

/* ---- memory (slab.h) ---- */

static inline void *bz_worker_alloc(struct bz_worker *self, size_t size) {
    return bz_slabs_alloc(&self->slabs, size);
}
static inline void *bz_worker_take(struct bz_worker *self, unsigned class) {
    return bz_slabs_take(&self->slabs, class);
}
static inline void bz_worker_free(struct bz_worker *self, void *memory) {
    bz_slabs_free(&self->slabs, memory);
}

/* ---- its own queued jobs, by index (deque.h) ---- */

/* The next job's index: as a filter's floor it keeps all queued jobs. */
static inline int64_t bz_worker_queue_end(const struct bz_worker *self) {
    return bz_deque_bottom(&self->deque);
}
static inline int64_t bz_worker_queued(const struct bz_worker *self) {
    return bz_deque_size(&self->deque);
}
/* The index of the oldest job. Reads a line that thieves write. */
static inline int64_t bz_worker_queue_read_top(struct bz_worker *self) {
    bz_deque_read_top(&self->deque);
    return self->deque.top_seen;
}
/* Whether the layer has no other thread in the domain: then the deque is alone (deque.md), if it can be. */
static inline void bz_worker_set_alone(struct bz_worker *self, bool alone) {
    const struct bz_domain *domain = self->domain;
    alone = alone && !domain->start &&
            bz_load_relaxed(&domain->count) <= 1 && /* relaxed: changed by its leader */
            bz_deque_size(&self->deque) == 0 && self->deque.slow_pops == 0;
    if (bz_unlikely(self->deque.alone != alone))
        bz_deque_set_alone(&self->deque, alone);
}
/* Takes out a queued job. False: it is not queued, or the deque may have thieves. */
static inline bool bz_worker_take_out(struct bz_worker *self, const struct bz_job *job) {
    return self->deque.alone && bz_deque_take_out(&self->deque, job);
}
static inline bool bz_worker_has_room(const struct bz_worker *self) {
    return bz_deque_has_room(&self->deque);
}
static inline bool bz_worker_make_room(struct bz_worker *self) {
    return bz_deque_reserve(&self->deque);
}
/* Where there is room: queues a job, and makes it and all before it public. bz_worker_notify must follow. */
static inline void bz_worker_put_public(struct bz_worker *self, struct bz_job *job) {
    bz_deque_put(&self->deque, job);
    bz_deque_make_public(&self->deque);
}

#endif
