/* Worksharing loops: a member meets one, takes chunks, and leaves it. */
#ifndef BOMP_LOOP_H
#define BOMP_LOOP_H

#include "omp/team/team_data.h"

/* Enters the loop and decides its schedule. */
void bomp_loop_meet(struct bomp_member *self, const struct bomp_loop *loop);

/* The next chunk; the member has run the one before. */
bool bomp_loop_take(struct bomp_member *self, struct bomp_span *span);

void bomp_loop_leave(struct bomp_member *self);

/* Before the start of the region: all members find the loop begun. */
void bomp_loop_install(struct bomp_team *team, const struct bomp_loop *loop);

#endif
