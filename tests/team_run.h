/* team_run.h: a team's run with the caller as worker 0. */
#ifndef TEAM_RUN_H
#define TEAM_RUN_H

#include "team/thread_team.h"

/* Runs body(i, arg) for i in [0, size). */
static inline void team_run(struct bz_team *team, bz_team_body *body, void *arg) {
    bz_team_begin(team, body, arg, NULL);
    body(0, arg);
    bz_team_end(team);
}

#endif
