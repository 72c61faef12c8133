/* Doacross loops: an iteration waits until earlier ones have posted. */
#ifndef BOMP_DOACROSS_H
#define BOMP_DOACROSS_H

#include "omp/icv/schedule.h"
#include "omp/team/team_data.h"

/* After bomp_loop_meet, before the first chunk. */
void bomp_doacross_meet(struct bomp_member *self, unsigned dimensions, const uint64_t *counts);

/* When the divided loop of a nest is known: the outermost one, or several as one. */
void bomp_doacross_loop(struct bomp_member *self);
/* The same for a static loop of iterations 0 to `last` that its caller divides. */
void bomp_doacross_static(struct bomp_member *self, uint64_t last, uint64_t chunk);

/* The next chunk of a loop that is not static. */
bool bomp_doacross_claim(struct bomp_member *self, uint64_t *chunk);

/* The member has taken a chunk: all its earlier ones are past. */
void bomp_doacross_chunk(struct bomp_member *self, struct bomp_part part);

/* All its chunks are past. */
void bomp_doacross_leave(struct bomp_member *self);

#endif
