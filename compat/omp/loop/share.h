/* Memory that the members of a team share in one construct, beyond the words that every construct has: what the program
 * asks for, and what rarer constructs need. Whoever comes first makes it, all get the same, and it is valid until the last
 * member has left the construct. A construct keeps its blocks for the next one that is in its place, unless they are
 * large, so that a loop in a loop does not allocate. */
#ifndef BOMP_SHARE_H
#define BOMP_SHARE_H

#include "omp/state/share.h"

struct bomp_member;

/* A block of the construct that the caller is in, which it has entered in one of the two ways below: `size` bytes (rounded
 * up to cache lines, aligned to one), the same for all members. Whoever comes first gets them zeroed, and calls
 * fill(block, arg) before anyone else sees them (NULL: nothing to fill in). No memory is fatal. Cost: three loads, but
 * for the first. */
void *bomp_share(struct bomp_member *self, enum bomp_share_use use, size_t size,
                 void (*fill)(void *block, const void *arg), const void *arg);

/* Goes on to the next construct. False: the member has gone from the region, and it is not entered. */
bool bomp_share_enter(struct bomp_member *self, enum bomp_construct kind);
/* Begins one that the member has for itself. */
void bomp_share_apart(struct bomp_member *self);

/* Nobody is in the construct any more: its next use begins without blocks. */
void bomp_share_clear(struct bomp_share *share);
/* Gives the blocks back; with them the whole, which may be NULL. */
void bomp_share_free_blocks(struct bomp_share *share);
void bomp_share_free(struct bomp_share *share);

#endif
