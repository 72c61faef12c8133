/* Deciding how a new task runs. What may be queued is queued: the creator goes on, and the task may wait for what it
 * does next. With a full queue the next task runs at once on its creator's stack, which bounds the memory. Dependent
 * tasks that take too much memory: depend.md.
 *
 *   a team of one       has libgomp's limit, so its tasks run in the same order (yield.md)
 *   larger teams        have a higher one: the producer may run a long task while the others empty its queue
 *   outside of regions  no task is queued: no barrier would run it */
#ifndef BOMP_TASK_POLICY_H
#define BOMP_TASK_POLICY_H

#include "omp/base/missing.h"
#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/task/cancelled.h"
#include "omp/team/team_data.h"

/* No other thread can run the creator's tasks. */
static inline bool bomp_task_is_alone(const struct bomp_member *self) {
    return self->team->size == 1;
}

static inline int64_t bomp_task_queue_most(const struct bomp_team *team) {
    int64_t most = BOMP_QUEUE_PER_THREAD * (int64_t)team->size + 1;
    if (!team->thread_team)
        return INT64_MIN / 2; /* both are added to an index */
    if (bz_unlikely(!bomp_global()->task_throttling))
        return INT64_MAX / 2;
    return team->size > 1 && most < BOMP_QUEUE_LEAST ? BOMP_QUEUE_LEAST : most;
}

/* For a member of a team, when a region starts. */
static inline void bomp_task_policy_start(struct bomp_member *member) {
    unsigned size = member->team->size;
    member->queue_most = bomp_task_queue_most(member->team);
    member->queue_full = INT64_MIN;
    /* Where thieves may not expose, private jobs would wait for a busy owner. */
    member->queue_private = size == 1 || bz_domain_may_expose(bz_worker_domain(member->worker));
    bz_worker_set_alone(member->worker, size == 1);
}

/* Alone: whether a wait may search the queue for its task. A search reads all of it. */
static inline bool bomp_task_may_search(const struct bz_worker *worker) {
    return bz_worker_queued(worker) <= BOMP_QUEUE_LEAST;
}

/* Whether the creator's queue is full. Reads the thieves' index only if it may be. */
BZ_INLINE bool bomp_task_is_queue_full(struct bomp_member *self) {
    if (bz_likely(bz_worker_queue_end(self->worker) < self->queue_full))
        return false;
    self->queue_full = bz_worker_queue_read_top(self->worker) + self->queue_most;
    return bz_worker_queue_end(self->worker) >= self->queue_full;
}

/* ---- the decision ---- */

enum bomp_task_way {
    BOMP_TASK_DISCARD, /* cancelled */
    BOMP_TASK_RUN,     /* runs now on its creator's stack */
    BOMP_TASK_AWAIT,   /* the same, after its dependences */
    /* The others are made in slab objects. */
    BOMP_TASK_RUN_SLAB,      /* runs now unless it is blocked, and may be complete later */
    BOMP_TASK_QUEUE_PRIVATE, /* queued; thieves must request it */
    BOMP_TASK_QUEUE          /* queued for all threads, perhaps by its last predecessor */
};

/* Clauses change when it runs or when it is complete. */
static inline bool bomp_task_is_special(const struct bomp_task_spec *spec) {
    return spec->depend.count > 0 || spec->detach || spec->helped || spec->priority > 0;
}

static inline uint32_t bomp_task_priority(const struct bomp_task_spec *spec) {
    if (bz_likely(spec->priority <= 0))
        return 0;
    int32_t most = bomp_global()->max_task_priority;
    return (uint32_t)(spec->priority < most ? spec->priority : most);
}

/* Flags of a parent that change these decisions. */
#define BOMP_TASK_RULES                                                                                      \
    (BOMP_TASK_FINAL | BOMP_TASK_PHASE | BOMP_TASK_CANCELLABLE | BOMP_TASK_TSAN | BOMP_TASK_TOOL)

static inline bool bomp_task_is_copying(const struct bomp_task *task) {
    return (task->flags & BOMP_TASK_PHASE) == BOMP_TASK_COPYING;
}

/* BOMP_TASK_DISCARD or BOMP_TASK_RUN where the rules leave no choice; else BOMP_TASK_QUEUE. */
static inline enum bomp_task_way bomp_task_rule(const struct bomp_member *self, bool undeferred) {
    const struct bomp_task *parent = self->current;
    if ((parent->flags & BOMP_TASK_CANCELLABLE) && bomp_cancel_discards(self, parent->group))
        return BOMP_TASK_DISCARD;
    if (undeferred || (parent->flags & BOMP_TASK_FINAL) || bomp_task_is_copying(parent))
        return BOMP_TASK_RUN;
    return BOMP_TASK_QUEUE;
}

/* In a team of one, LLVM's programs (`reserved`) rely on tasks that run where they are created, GCC's on deferred ones
 * (yield.md). Not under ThreadSanitizer, where that hides a race, nor in a program with taskyields, whose tasks may
 * wait for each other. */
BZ_INLINE bool bomp_task_runs_alone(const struct bomp_member *self, bool reserved) {
    return reserved && bomp_task_is_alone(self) && !(self->current->flags & BOMP_TASK_TSAN) &&
           !bomp_program_yields();
}

/* Whether a child that may be queued runs now. */
BZ_INLINE bool bomp_task_at_once(struct bomp_member *self, bool reserved) {
    return bomp_task_runs_alone(self, reserved) || bomp_task_is_queue_full(self);
}

/* Decides about a task with such clauses that may be queued. */
enum bomp_task_way bomp_task_decide_special(struct bomp_member *self, const struct bomp_task_spec *spec);

/* Counts a new child of the current task and decides how it runs. */
BZ_INLINE enum bomp_task_way bomp_task_decide(struct bomp_member *self, const struct bomp_task_spec *spec) {
    const struct bomp_task *parent = self->current;
    enum bomp_task_way rule = bomp_task_rule(self, spec->undeferred);
    bool special = bomp_task_is_special(spec);
    self->current->created++;
    if (rule == BOMP_TASK_RUN && special) {
        bool goes_on = spec->goes_on && spec->detach && spec->depend.count == 0;
        return goes_on && !bomp_task_is_copying(parent) ? BOMP_TASK_RUN_SLAB : BOMP_TASK_AWAIT;
    }
    if (rule != BOMP_TASK_QUEUE)
        return rule;
    if (special)
        return bomp_task_decide_special(self, spec);
    if (bomp_task_at_once(self, spec->reserved))
        return BOMP_TASK_RUN;
    return self->queue_private && !(parent->flags & BOMP_TASK_TSAN) ? BOMP_TASK_QUEUE_PRIVATE
                                                                    : BOMP_TASK_QUEUE;
}

/* The same for all tasks of a taskloop. A team gets them as one range, even if the queue is full. Alone, the thread that
 * waits for them may run them at once. */
static inline enum bomp_task_way bomp_task_decide_loop(struct bomp_member *self,
                                                       const struct bomp_task_spec *spec, bool waited) {
    self->current->created++;
    enum bomp_task_way rule = bomp_task_rule(self, spec->undeferred);
    if (rule != BOMP_TASK_QUEUE || !bomp_task_is_alone(self))
        return rule;
    return waited || bomp_task_at_once(self, false) ? BOMP_TASK_RUN : BOMP_TASK_QUEUE;
}

#endif
