#include "omp/sync/barrier.h"

#include "omp/state/tsan.h"

static bool meet_unless_cancelled(struct bomp_member *self) {
    struct bomp_team *team = self->team;
    self->ws.place++;
    if (team->thread_team)
        return bz_barrier_wait_unless(&team->cancel.barrier, self->worker, &team->cancel.region);
    bomp_task_finish_root(self);
    return true;
}

bool bomp_team_barrier_special(struct bomp_member *self, const void *site) {
    bool complete = true;
    if (bz_tsan)
        bomp_tsan_arrive(self);
    if (self->team->cancel.on)
        complete = meet_unless_cancelled(self);
    else if (self->team->thread_team)
        bz_team_meet(self->team->thread_team, self->worker, site);
    else
        bomp_task_finish_root(self);
    if (bz_tsan && complete)
        bomp_tsan_go_on(self);
    return complete;
}
