/* Cancellation: requests, and their effect on a member. The tests for it are in task/cancelled.h.
 *
 * Pairing table
 *   CN1 bomp_cancel_seen, _any_seen, _construct_signalled   CN2 cancel_region, cancel_construct   what came before
 *   CN3 notify                              OR3 count_sleeper (turn.c)            a sleeper, unless it sees it by CN1 or CN4
 *   CN4 bomp_cancel_gone                    CN5 bomp_cancel_go                    what it did in its constructs */
#include "omp/loop/cancel.h"

#include "omp/bomp.h"
#include "omp/icv/icv.h"
#include "omp/loop/merge.h"
#include "omp/loop/workshare.h"
#include "omp/task/taskgroup.h"
#include "omp/team/team_data.h"
#include "omp/tool/hooks.h"

void bomp_cancel_team_init(struct bomp_team *team) {
    team->cancel.on = bomp_global()->cancellation;
    team->cancel.special = team->cancel.on || bz_tsan;
    bz_barrier_init(&team->cancel.barrier);
}

void bomp_cancel_team_open(struct bomp_team *team) {
    struct bomp_cancel_team *cancel = &team->cancel;
    if (bz_load_relaxed(&cancel->region)) { /* relaxed, all: no member is in a region */
        team->ws->is_void = true;
        for (unsigned i = 0; i < team->counts.ready; i++) {
            struct bomp_member *member = bz_worker_context(bz_team_worker(team->thread_team, i));
            bz_store_relaxed(&member->gone, 0);
        }
    }
    bz_store_relaxed(&cancel->region, 0);
    bz_store_relaxed(&cancel->construct, 0);
    bz_store_relaxed(&cancel->reduced, 0);
}

/* Wakes members that sleep until their turn. */
static void notify(struct bomp_team *team) {
    if (team->size == 1)
        return;
    bz_fence_seq_cst(); /* CN3: pairs with OR3: what was cancelled before the counts of sleepers */
    bomp_workshare_notify(team);
    bomp_merge_notify(team->merge);
}

bool bomp_cancel_go(struct bomp_member *self) {
    if (bz_load_relaxed(&self->gone)) /* relaxed: its own */
        return true;
    if (self->ws->pending != 0 || self->ws->doacross) /* compiled code does not leave such a loop this way */
        bz_exchange_seq_cst(&self->ws->at->abandoned, 1); /* CN5: pairs with CN4 */
    bz_exchange_seq_cst(&self->gone, 1);                  /* CN5: pairs with CN4 */
    notify(self->team);
    return true;
}

/* ---- requests ---- */

static bool cancel_region(struct bomp_member *self) {
    struct bomp_team *team = self->team;
    if (!team->thread_team) /* no region */
        return false;
    if (bz_load_relaxed(&team->cancel.region)) /* relaxed: the thread that set it wakes the others */
        return bomp_cancel_go(self);
    bz_store_release(&team->cancel.region, 1); /* CN2: pairs with CN1; B7: pairs with B5 */
    bz_domain_wake_first(bz_worker_domain(self->worker), self->worker, team->size);
    return bomp_cancel_go(self);
}

bool bomp_cancel_construct_signalled(const struct bomp_member *self) {
    return bz_load_seq_cst(&self->team->cancel.construct) == self->place + 1; /* CN1: pairs with CN2 */
}

bool bomp_cancel_construct_seen(const struct bomp_member *self) {
    return bomp_cancel_construct_signalled(self) || bomp_cancel_gone(self);
}

bool bomp_cancel_construct_abandoned(const struct bomp_member *self) {
    return bomp_cancel_construct_signalled(self) ||
           bz_load_seq_cst(&self->ws->at->abandoned) != 0; /* CN4: pairs with CN5 */
}

static void cancel_construct(struct bomp_member *self) {
    struct bomp_team *team = self->team;
    uint64_t name = self->place + 1;
    if (bz_load_relaxed(&team->cancel.construct) == name) /* relaxed: as above */
        return;
    bz_store_release(&team->cancel.construct, name); /* CN2: pairs with CN1 */
    notify(team);
}

/* The program jumps over the end of the construct's task reduction. */
static bool leave_construct(const struct bomp_member *self) {
    const struct bomp_group *group = self->current->group;
    if (group && group->construct)
        bomp_taskgroup_end();
    return true;
}

/* Skips groups that reductions of worksharing constructs and regions have opened. */
static bool cancel_group(struct bomp_group *group) {
    while (group && group->implicit)
        group = group->outer;
    if (group)
        bz_store_relaxed(&group->cancelled, 1); /* relaxed: orders no data */
    return true;
}

/* ---- for the calling thread ---- */

/* The place in the program, if there is a tool. */
static const void *code_of_call(void) {
    return bz_unlikely(bomp_hooks) ? bomp_take_code() : NULL;
}

BZ_COLD static void observe(struct bomp_member *self, enum bomp_cancel what, int how, const void *code) {
    static const int flags[] = {
        [BOMP_CANCEL_PARALLEL] = ompt_cancel_parallel,
        [BOMP_CANCEL_LOOP] = ompt_cancel_loop,
        [BOMP_CANCEL_SECTIONS] = ompt_cancel_sections,
        [BOMP_CANCEL_TASKGROUP] = ompt_cancel_taskgroup,
    };
    bomp_hooks->work->cancel(self, flags[what] | how, code);
}

bool bomp_cancel(enum bomp_cancel what) {
    const void *code = code_of_call();
    if (!bomp_global()->cancellation)
        return false;
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(bomp_is_observed(self)))
        observe(self, what, ompt_cancel_activated, code);
    if (what == BOMP_CANCEL_PARALLEL)
        return cancel_region(self);
    if (what == BOMP_CANCEL_TASKGROUP)
        return cancel_group(self->current->group);
    cancel_construct(self);
    return leave_construct(self);
}

bool bomp_cancel_is_seen(enum bomp_cancel what) {
    if (!bomp_global()->cancellation)
        return false;
    struct bomp_member *self = bomp_self();
    return what == BOMP_CANCEL_PARALLEL    ? bomp_cancel_seen(self)
           : what == BOMP_CANCEL_TASKGROUP ? bomp_cancel_discards(self, self->current->group)
                                           : bomp_cancel_construct_signalled(self);
}

bool bomp_cancellation_point(enum bomp_cancel what) {
    const void *code = code_of_call();
    if (!bomp_cancel_is_seen(what))
        return false;
    struct bomp_member *self = bomp_self();
    if (bz_unlikely(bomp_is_observed(self)))
        observe(self, what, ompt_cancel_detected, code);
    if (what == BOMP_CANCEL_PARALLEL)
        return bomp_cancel_go(self);
    return what == BOMP_CANCEL_TASKGROUP || leave_construct(self);
}

bool bomp_cancelled(void) {
    struct bomp_member *self = bomp_global()->cancellation ? bomp_self() : NULL;
    return self && bomp_cancel_seen(self) && bomp_cancel_go(self);
}
