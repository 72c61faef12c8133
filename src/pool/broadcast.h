/* One call on each thread of a pool, which reads it as mail between two jobs. */
#ifndef BZ_BROADCAST_H
#define BZ_BROADCAST_H

#include "pool/pool.h"

/* The place's thread: runs a broadcast that has come, if any. */
void bz_broadcast_serve(struct bz_place *place);

#endif
