/* When a task that could be queued runs at once instead. Queueing costs more than the call, and the queue's length is what
 * bounds the memory; but whoever runs a task itself creates no others meanwhile. So:
 *
 *   recursion   a task with few children so far leaves the work to its queue's older tasks, which are larger: a short
 *               queue is enough for all thieves
 *   a producer  a task that queues a child after many others feeds the others alone: it queues until the queue holds
 *               enough to keep them busy through a long task of its own
 *
 * Nothing runs at once while somebody has looked for work for a while and could have it, as far as was last seen, but for a
 * producer's tasks that take less time than giving them away would (grain.h).
 *
 * Alone there is nobody to queue for. But the creator of a task that is queued goes on, and a program may wait in the task
 * for what it does then: it works under libgomp, where every task of a region is put off until 64 are queued. So
 *
 *   children of implicit tasks   are queued until as many are; those with dependences, as the next
 *   children of explicit ones    too, as long as there is credit (credit.h): in recursions of tiny tasks few are. What is
 *                                below a task that ran at once for want of it runs at once, too
 */
#ifndef BOMP_TASK_POLICY_H
#define BOMP_TASK_POLICY_H

#include "omp/base/polling.h"
#include "omp/base/tuning.h"
#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/state/cancel.h"
#include "omp/state/team.h"
#include "omp/task/grain.h"
#include "omp/task/task_reserve.h"

/* Whether it matters which tasks are fine: not alone, nor where all are queued. */
static inline bool bomp_task_cuts(const struct bomp_member *self) {
    return self->queue_long == BOMP_QUEUE_PRODUCER;
}

/* The lengths for a member of a team, when a region starts. Alone: no task on the stack need look at them. */
static inline void bomp_task_policy_start(struct bomp_member *member) {
    unsigned size = member->team->size;
    member->queue_short = size > 1 ? BOMP_QUEUE_PER_THREAD * (int64_t)size : INT64_MIN;
    member->queue_long = size > 1 ? BOMP_QUEUE_PRODUCER : INT64_MIN;
    member->queue_end = INT64_MIN;
    if (bz_unlikely(!bomp_global()->task_cutoff) && member->team->thread_team)
        member->queue_short = member->queue_long = INT64_MAX / 2; /* added to an index */
    /* The queues of a cut-off are there for thieves, and too short to gain from it; where thieves may not expose, private
     * jobs wait for an owner that is about something long; and a thread that yields to other tasks takes what is public. */
    member->queue_private =
        size == 1 || (!bomp_task_cuts(member) && bz_domain_may_expose(bz_worker_domain(member->worker)) &&
                      !bomp_program_polls());
    member->waits = size > 1 ? BOMP_WAITS_IN_TEAM : BOMP_WAITS_ALONE;
    bomp_grain_start(&member->grain);
}

/* Whether tasks are put off only for their creators to go on. */
static inline bool bomp_task_is_alone(const struct bomp_member *self) {
    return self->queue_long == INT64_MIN;
}

/* Alone: whether the queue may be searched for what a wait is for. Each search looks at all of it. */
static inline bool bomp_task_may_search(const struct bz_worker *worker) {
    return bz_worker_queued(worker) <= BOMP_QUEUE_SEARCHED;
}

/* A root has no barrier that would run what is queued. */
static inline bool bomp_task_never_queued(const struct bomp_member *self) {
    return !self->team->thread_team;
}

/* Alone: whether the next task runs in place. What has been asked before is not asked again. */
bool bomp_task_enough_alone_slow(struct bomp_member *self);
static inline bool bomp_task_enough_alone(struct bomp_member *self) {
    return (self->current->flags & (BOMP_TASK_STACK | BOMP_TASK_ASKS)) == BOMP_TASK_STACK ||
           bomp_task_enough_alone_slow(self);
}

/* Alone: what an undeferred task has, which must run at once, but need not be small. */
static inline uint32_t bomp_task_alone_flags(const struct bomp_member *self) {
    return bz_unlikely(bomp_task_is_alone(self)) ? BOMP_TASK_ASKS : 0;
}

/* Whether the creator's queue is certainly too short for the next task to run in place. */
static inline bool bomp_task_is_queue_short(const struct bomp_member *self) {
    return bz_worker_queued_at_most(self->worker) < self->queue_short;
}

/* A task without clauses is about to be queued. Once the queue is full it is filled again only when most of it is gone:
 * else each task that is popped from a full queue would have its first child queued, and that one's first child, down
 * to the leaves. */
static inline void bomp_task_policy_queued(struct bomp_member *self) {
    if (!bomp_task_cuts(self))
        return;
    struct bz_worker *worker = self->worker;
    int64_t full = BOMP_QUEUE_PER_THREAD * (int64_t)self->team->size;
    bz_worker_queue_look(worker);
    self->queue_short = bz_worker_queued_at_most(worker) + 1 >= full ? full / BOMP_QUEUE_REFILL : full;
}

/* Whether somebody looks for work, or for some of it as a thread that waits for its descendants does. */
static inline bool bomp_task_is_sought(const struct bomp_member *self) {
    return bz_domain_is_sought(bz_worker_domain(self->worker));
}
/* Whether somebody would take any. */
static inline bool bomp_task_is_wanted(const struct bomp_member *self) {
    return bz_domain_is_wanted(bz_worker_domain(self->worker));
}

/* Whether the creator's queue is long enough to run the next task in place. Thieves write to its top again and again: below
 * a task that runs in place itself it is looked at only when somebody looks for work. Tasks are small and many there;
 * elsewhere they may be few and large, and whoever takes the last one unseen has nothing to do until the next is created. */
static inline bool bomp_task_enough_queued(struct bomp_member *self) {
    if (bomp_task_is_queue_short(self))
        return false;
    if (bz_unlikely(bomp_task_is_alone(self)))
        return bomp_task_enough_alone(self);
    if (self->current->flags & BOMP_TASK_STACK && !bomp_task_is_sought(self))
        return true;
    bz_worker_queue_look(self->worker);
    return !bomp_task_is_queue_short(self) &&
           (!bomp_task_is_wanted(self) || bz_worker_queued_at_most(self->worker) >= self->queue_long);
}

/* The same for a producer's queue. */
static inline bool bomp_task_enough_produced(struct bomp_member *self) {
    struct bz_worker *worker = self->worker;
    if (bz_likely(bz_worker_queue_end(worker) < self->queue_end))
        return false;
    if (bz_unlikely(bomp_task_is_alone(self)))
        return bomp_task_enough_alone(self);
    self->queue_end = bz_worker_queue_look(worker) + self->queue_long;
    return bz_worker_queue_end(worker) >= self->queue_end;
}

/* Under ThreadSanitizer what runs at once is no race to be seen: all is queued. A full queue bounds the memory. */
static inline bool bomp_task_enough_tsan(struct bomp_member *self) {
    return bomp_task_is_alone(self) ? bomp_task_enough_alone(self)
                                    : bz_worker_queued(self->worker) >= self->queue_long;
}

/* A producer's child that runs fn. */
static inline bool bomp_task_produced_enough(struct bomp_member *self, void (*fn)(void *)) {
    return bomp_task_enough_produced(self) || (bomp_task_cuts(self) && bomp_grain_at_once(&self->grain, fn));
}

/* Whether a child that runs fn and is queued is to be timed. */
static inline bool bomp_task_is_timed(const struct bomp_member *self, void (*fn)(void *)) {
    return bomp_task_cuts(self) && bomp_grain_asks(fn, self->current->created);
}

/* A child of `parent` is queued: whether that is a producer. Once the queue of a producer was short, it is one for good:
 * thieves live on it. */
static inline bool bomp_task_policy_deferred(struct bomp_task *parent) {
    if (bz_likely(parent->created < BOMP_PRODUCER))
        return false;
    parent->flags |= BOMP_TASK_PRODUCER;
    return true;
}

/* ---- the decision ---- */

/* What becomes of a new task. */
enum bomp_task_way {
    BOMP_TASK_DISCARD, /* nothing: it is cancelled */
    BOMP_TASK_RUN,     /* runs now, on its creator's stack */
    BOMP_TASK_AWAIT,   /* the same, when what it depends on is complete: its creator waits */
    /* From here on it is made in a slab object. */
    BOMP_TASK_RUN_SLAB,       /* runs now from there: a detached one, which may be complete only later */
    BOMP_TASK_QUEUE_PRIVATE,  /* queued by its creator, for thieves that ask */
    BOMP_TASK_QUEUE,          /* queued by its creator, for all */
    BOMP_TASK_DEPEND_BRIEFLY, /* queued by the last task that it depends on; all of these are fine (grain.h) */
    BOMP_TASK_DEPEND          /* the same behind others */
};

/* Whether the task takes more than a slab object: clauses that change when it runs or when it is complete. */
static inline bool bomp_task_is_special(const struct bomp_task_spec *spec) {
    return spec->depend.count > 0 || spec->is_rare || spec->priority > 0;
}

/* What tasks like it have in common. */
static inline void (*bomp_task_kind(const struct bomp_task_spec *spec))(void *) {
    return bz_unlikely(spec->reserved) ? bomp_task_reserved_kind(spec->data) : spec->fn;
}

/* Its priority. */
static inline uint32_t bomp_task_priority(const struct bomp_task_spec *spec) {
    int32_t most = bomp_global()->max_task_priority;
    int32_t priority = spec->priority < most ? spec->priority : most;
    return priority > 0 ? (uint32_t)priority : 0;
}

/* Of a parent: not all of its children may be queued as well as run at once, or other rules say which. */
#define BOMP_TASK_NO_PLAIN                                                                                   \
    (BOMP_TASK_FINAL | BOMP_TASK_COPYING | BOMP_TASK_CANCELLABLE | BOMP_TASK_TSAN | BOMP_TASK_POLLS |        \
     BOMP_TASK_PRODUCER | BOMP_TASK_ASKS | BOMP_TASK_TOOL)

/* The rules that leave no choice: BOMP_TASK_DISCARD and BOMP_TASK_RUN; BOMP_TASK_QUEUE: there is one. */
static inline enum bomp_task_way bomp_task_rule(const struct bomp_member *self, bool undeferred) {
    const struct bomp_task *parent = self->current;
    if ((parent->flags & BOMP_TASK_CANCELLABLE) && bomp_cancel_discards(self, parent->group))
        return BOMP_TASK_DISCARD;
    if (undeferred || (parent->flags & (BOMP_TASK_FINAL | BOMP_TASK_COPYING)))
        return BOMP_TASK_RUN;
    return BOMP_TASK_QUEUE;
}

/* Whether the next child, which runs fn, had better run now. Where none is queued, enough are. */
BZ_INLINE bool bomp_task_at_once(struct bomp_member *self, void (*fn)(void *)) {
    const uint32_t flags = self->current->flags;
    bool enough;
    if (bz_likely(!(flags & (BOMP_TASK_TSAN | BOMP_TASK_POLLS | BOMP_TASK_PRODUCER))))
        enough = bomp_task_enough_queued(self);
    else if (flags & BOMP_TASK_POLLS)
        enough = false;
    else if (flags & BOMP_TASK_TSAN)
        enough = bomp_task_enough_tsan(self);
    else
        enough = bomp_task_produced_enough(self, fn);
    return enough && (bz_likely(bz_stack_is_left(self->worker)) || bomp_task_never_queued(self));
}

/* In which way one without clauses is queued. */
static inline enum bomp_task_way bomp_task_queued_way(const struct bomp_member *self) {
    return self->queue_private && !(self->current->flags & BOMP_TASK_TSAN) ? BOMP_TASK_QUEUE_PRIVATE
                                                                           : BOMP_TASK_QUEUE;
}

/* Whether the next child runs now since nobody else is there. Programs of an ABI that hands arguments out first (LLVM's)
 * know their tasks to run where they are created in a team of one; GCC's know them to be put off (alone.md). */
BZ_INLINE bool bomp_task_runs_alone(const struct bomp_member *self, bool reserved) {
    return reserved && bomp_task_is_alone(self) &&
           !(self->current->flags & (BOMP_TASK_TSAN | BOMP_TASK_POLLS));
}

/* What becomes of a task with clauses of its own that may be queued. */
enum bomp_task_way bomp_task_decide_special(struct bomp_member *self, const struct bomp_task_spec *spec);

/* What becomes of one that has none. */
BZ_INLINE enum bomp_task_way bomp_task_decide_plain(struct bomp_member *self, void (*fn)(void *)) {
    if (bomp_task_at_once(self, fn))
        return BOMP_TASK_RUN;
    return bomp_task_queued_way(self);
}

/* The same of one whose arguments are reserved ones. */
BZ_INLINE enum bomp_task_way bomp_task_decide_reserved(struct bomp_member *self, void *args) {
    if (bomp_task_runs_alone(self, true))
        return BOMP_TASK_RUN;
    return bomp_task_decide_plain(self, bomp_task_reserved_kind(args));
}

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
    return spec->reserved ? bomp_task_decide_reserved(self, spec->data)
                          : bomp_task_decide_plain(self, spec->fn);
}

/* The same of a taskloop's tasks together. In a team they are queued however many others are: as one range, which others
 * split. Alone, whoever waits for them might as well run them. */
static inline enum bomp_task_way bomp_task_decide_loop(struct bomp_member *self,
                                                       const struct bomp_task_spec *spec, bool waited) {
    self->current->created++;
    enum bomp_task_way rule = bomp_task_rule(self, spec->undeferred);
    if (rule != BOMP_TASK_QUEUE || self->team->size > 1 || (self->current->flags & BOMP_TASK_POLLS))
        return rule;
    return waited || bomp_task_enough_queued(self) ? BOMP_TASK_RUN : BOMP_TASK_QUEUE;
}

#endif
