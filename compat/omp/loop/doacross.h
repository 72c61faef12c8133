/* Doacross loops: an iteration waits until certain earlier ones have posted, which any member may run. */
#ifndef BOMP_DOACROSS_H
#define BOMP_DOACROSS_H

#include "omp/icv/schedule.h"
#include "omp/team/team_data.h"

/* After bomp_loop_meet, before the first chunk. */
void bomp_doacross_meet(struct bomp_member *self, unsigned dimensions, const uint64_t *counts);

/* The member is in a nest, and now knows the loop that is divided: the outermost one, or several of them as one. */
void bomp_doacross_loop(struct bomp_member *self);
/* The same for a static loop that its caller divides by itself. */
void bomp_doacross_static(struct bomp_member *self, const struct bomp_loop *loop);

/* The next chunk of a loop that is not static. */
bool bomp_doacross_claim(struct bomp_member *self, uint64_t *chunk);

/* The member has taken a chunk: all that it had before is past. */
void bomp_doacross_chunk(struct bomp_member *self, struct bomp_part part);

/* All that it had is past. */
void bomp_doacross_leave(struct bomp_member *self);

#endif
