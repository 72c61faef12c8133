/* What becomes of a new task. One that may be queued is, whatever is known of it: its creator goes on, and a program may
 * wait in the task for what it does then. What bounds the memory is the length of the creator's queue: beside a full one a
 * task runs at once, on its creator's stack. No queue is full with fewer tasks than GCC's runtime lets a team have: 64 for
 * each thread.
 *
 *   a team of one      as many as there; so its tasks run in the same order, too (yield.md)
 *   larger ones        more: others live on a producer's queue while it runs a long task of its own
 *   outside of regions none: no barrier would run what is queued */
#ifndef BOMP_TASK_POLICY_H
#define BOMP_TASK_POLICY_H

#include "omp/base/missing.h"
#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/task/cancelled.h"
#include "omp/task/task_reserve.h"
#include "omp/team/team_data.h"

/* Whether there is nobody to queue for but the creator. */
static inline bool bomp_task_is_alone(const struct bomp_member *self) {
    return self->team->size == 1;
}

/* Outside of regions. */
static inline bool bomp_task_never_queued(const struct bomp_member *self) {
    return !self->team->thread_team;
}

static inline int64_t bomp_task_queue_most(const struct bomp_team *team) {
    int64_t most = BOMP_QUEUE_PER_THREAD * (int64_t)team->size + 1;
    if (!team->thread_team)
        return INT64_MIN / 2; /* added to an index, as the next one */
    if (bz_unlikely(!bomp_global()->task_throttling))
        return INT64_MAX / 2;
    return team->size > 1 && most < BOMP_QUEUE_LEAST ? BOMP_QUEUE_LEAST : most;
}

/* For a member of a team, when a region starts. */
static inline void bomp_task_policy_start(struct bomp_member *member) {
    unsigned size = member->team->size;
    member->queue_most = bomp_task_queue_most(member->team);
    member->queue_full = INT64_MIN;
    /* Where thieves may not expose, private jobs wait for an owner that is about something long. */
    member->queue_private = size == 1 || bz_domain_may_expose(bz_worker_domain(member->worker));
    member->waits = size > 1 ? BOMP_WAITS_IN_TEAM : BOMP_WAITS_ALONE;
    bz_worker_set_alone(member->worker, size == 1);
}

/* Alone: whether the queue may be searched for what a wait is for. Each search looks at all of it. */
static inline bool bomp_task_may_search(const struct bz_worker *worker) {
    return bz_worker_queued(worker) <= BOMP_QUEUE_LEAST;
}

/* Whether the creator's queue is full. What thieves write is read only where it may be. */
BZ_INLINE bool bomp_task_is_queue_full(struct bomp_member *self) {
    if (bz_likely(bz_worker_queue_end(self->worker) < self->queue_full))
        return false;
    self->queue_full = bz_worker_queue_look(self->worker) + self->queue_most;
    return bz_worker_queue_end(self->worker) >= self->queue_full;
}

/* ---- the decision ---- */

/* What becomes of a new task. */
enum bomp_task_way {
    BOMP_TASK_DISCARD, /* nothing: it is cancelled */
    BOMP_TASK_RUN,     /* runs now, on its creator's stack */
    BOMP_TASK_AWAIT,   /* the same, when what it depends on is complete: its creator waits */
    /* From here on it is made in a slab object. */
    BOMP_TASK_RUN_SLAB,      /* runs now from there: a detached one, which may be complete only later */
    BOMP_TASK_QUEUE_PRIVATE, /* queued by its creator, for thieves that ask */
    BOMP_TASK_QUEUE          /* queued for all, by its creator or by the last task that it depends on */
};

/* Whether the task takes more than a slab object: clauses that change when it runs or when it is complete. */
static inline bool bomp_task_is_special(const struct bomp_task_spec *spec) {
    return spec->depend.count > 0 || spec->is_rare || spec->priority > 0;
}

/* Its priority. */
static inline uint32_t bomp_task_priority(const struct bomp_task_spec *spec) {
    int32_t most = bomp_global()->max_task_priority;
    int32_t priority = spec->priority < most ? spec->priority : most;
    return priority > 0 ? (uint32_t)priority : 0;
}

/* Of a parent: not all of its children may be queued as well as run at once, or they go other ways. */
#define BOMP_TASK_RULES                                                                                      \
    (BOMP_TASK_FINAL | BOMP_TASK_COPYING | BOMP_TASK_CANCELLABLE | BOMP_TASK_TSAN | BOMP_TASK_TOOL)

/* The rules that leave no choice: BOMP_TASK_DISCARD and BOMP_TASK_RUN; BOMP_TASK_QUEUE: there is one. */
static inline enum bomp_task_way bomp_task_rule(const struct bomp_member *self, bool undeferred) {
    const struct bomp_task *parent = self->current;
    if ((parent->flags & BOMP_TASK_CANCELLABLE) && bomp_cancel_discards(self, parent->group))
        return BOMP_TASK_DISCARD;
    if (undeferred || (parent->flags & (BOMP_TASK_FINAL | BOMP_TASK_COPYING)))
        return BOMP_TASK_RUN;
    return BOMP_TASK_QUEUE;
}

/* Programs of an ABI that hands arguments out first (LLVM's) rely on tasks that run where they are created in a team of one;
 * GCC's rely on tasks that are put off (yield.md). Under ThreadSanitizer a task that runs at once hides a race. In a program
 * with taskyields tasks may wait for each other, and are queued. */
BZ_INLINE bool bomp_task_runs_alone(const struct bomp_member *self, bool reserved) {
    return reserved && bomp_task_is_alone(self) && !(self->current->flags & BOMP_TASK_TSAN) &&
           !bomp_program_yields();
}

/* Whether the next child that may be queued runs now. */
BZ_INLINE bool bomp_task_at_once(struct bomp_member *self, bool reserved) {
    return bomp_task_runs_alone(self, reserved) || bomp_task_is_queue_full(self);
}

/* In which way one without clauses is queued. */
static inline enum bomp_task_way bomp_task_queued_way(const struct bomp_member *self) {
    return self->queue_private && !(self->current->flags & BOMP_TASK_TSAN) ? BOMP_TASK_QUEUE_PRIVATE
                                                                           : BOMP_TASK_QUEUE;
}

/* What becomes of a task with clauses of its own that may be queued. */
enum bomp_task_way bomp_task_decide_special(struct bomp_member *self, const struct bomp_task_spec *spec);

/* One with clauses of its own that must not be deferred. */
static inline enum bomp_task_way bomp_task_special_now(const struct bomp_member *self,
                                                       const struct bomp_task_spec *spec) {
    bool goes_on = spec->goes_on && spec->detach && spec->depend.count == 0;
    return goes_on && !(self->current->flags & BOMP_TASK_COPYING) ? BOMP_TASK_RUN_SLAB : BOMP_TASK_AWAIT;
}

/* Counts a new child of the current task, and decides what becomes of it. */
BZ_INLINE enum bomp_task_way bomp_task_decide(struct bomp_member *self, const struct bomp_task_spec *spec) {
    self->current->created++;
    enum bomp_task_way rule = bomp_task_rule(self, spec->undeferred);
    bool special = bomp_task_is_special(spec);
    if (rule != BOMP_TASK_QUEUE)
        return rule == BOMP_TASK_RUN && special ? bomp_task_special_now(self, spec) : rule;
    if (special)
        return bomp_task_decide_special(self, spec);
    return bomp_task_at_once(self, spec->reserved) ? BOMP_TASK_RUN : bomp_task_queued_way(self);
}

/* The same of a taskloop's tasks together. In a team they are queued however many others are: as one range, which others
 * split. Alone, whoever waits for them might as well run them. */
static inline enum bomp_task_way bomp_task_decide_loop(struct bomp_member *self,
                                                       const struct bomp_task_spec *spec, bool waited) {
    self->current->created++;
    enum bomp_task_way rule = bomp_task_rule(self, spec->undeferred);
    if (rule != BOMP_TASK_QUEUE || !bomp_task_is_alone(self))
        return rule;
    return waited || bomp_task_at_once(self, false) ? BOMP_TASK_RUN : BOMP_TASK_QUEUE;
}

#endif
