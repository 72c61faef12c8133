/* One call on each thread of a pool, delivered as mail that a thread reads between two jobs. */
#ifndef BZ_BROADCAST_H
#define BZ_BROADCAST_H

#include "pool/pool.h"

/* The thread of the place: runs what has come by mail, if anything. */
void bz_broadcast_serve(struct bz_place *place);

#endif
