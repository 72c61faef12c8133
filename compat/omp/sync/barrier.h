/* The barrier of a team; loop/workshare.h has the part of constructs. */
#ifndef BOMP_BARRIER_H
#define BOMP_BARRIER_H

#include "omp/task/task.h"
#include "omp/team/team_data.h"

/* All members meet and all tasks of the team are complete. `site`: the place in the program. */
static inline void bomp_team_barrier(struct bomp_member *self, const void *site) {
    if (self->team->thread_team)
        bz_team_meet(self->team->thread_team, self->worker, site);
    else
        bomp_task_finish_root(self);
}

/* The same with cancellation, ThreadSanitizer or tools. False: the region is cancelled, and not all members have come; then
 * the caller goes to its end (bomp_cancel_go). `kind`: for tools. */
bool bomp_team_barrier_special(struct bomp_member *self, const void *site, enum bomp_barrier kind);

#endif
