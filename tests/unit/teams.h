/* teams.h: the calling thread's team, for tests of it. */
#ifndef TEAMS_H
#define TEAMS_H

#include "../asserts.h"
#include "team/adopt.h"
#include "team/thread_team.h"

/* Enters without running. */
static inline unsigned enter(unsigned size) {
    assert_non_null(bz_team_enter(bz_worker_adopt(), &size));
    return size;
}

/* Destroys the calling thread's team; its threads are idle or soon will be. */
static inline void leave(void) {
    bz_team_destroy(bz_self->inner);
    bz_self->inner = NULL;
}

#endif
