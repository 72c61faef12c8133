#include "omp/sync/barrier.h"

#include "omp/task/tsan.h"
#include "omp/tool/hooks.h"

static bool meet_unless_cancelled(struct bomp_member *self) {
    struct bomp_team *team = self->team;
    self->place++;
    if (team->thread_team)
        return bz_barrier_wait_unless(&team->cancel.barrier, self->worker, &team->cancel.region);
    bomp_task_finish_root(self);
    return true;
}

static bool meet(struct bomp_member *self, const void *site) {
    if (self->team->cancel.on)
        return meet_unless_cancelled(self);
    bomp_team_barrier(self, site);
    return true;
}

/* The kind that an entry point noted counts for one barrier. */
static ompt_sync_region_t kind_of(enum bomp_barrier kind) {
    static const ompt_sync_region_t kinds[] = {
        [BOMP_BARRIER_EXPLICIT] = ompt_sync_region_barrier_explicit,
        [BOMP_BARRIER_WORKSHARE] = ompt_sync_region_barrier_implicit_workshare,
        [BOMP_BARRIER_REDUCTION] = ompt_sync_region_barrier_explicit,
        [BOMP_BARRIER_OTHER] = ompt_sync_region_barrier_implementation,
    };
    if (kind == BOMP_BARRIER_EXPLICIT)
        kind = bomp_entered.barrier;
    bomp_entered.barrier = BOMP_BARRIER_EXPLICIT;
    return kinds[kind];
}

bool bomp_team_barrier_special(struct bomp_member *self, const void *site, enum bomp_barrier kind) {
    const bool observed = bomp_is_observed(self);
    struct bomp_tool_sync sync;
    if (bz_tsan)
        bomp_tsan_arrive(self);
    if (observed) {
        sync = (struct bomp_tool_sync){
            .kind = kind_of(kind), .code = bomp_code_or(site), .frame = __builtin_frame_address(0)};
        bomp_hooks->sync->begin(self, &sync);
    }
    bool complete = meet(self, site);
    if (observed)
        bomp_hooks->sync->end(self, &sync);
    if (bz_tsan && complete)
        bomp_tsan_go_on(self);
    return complete;
}
