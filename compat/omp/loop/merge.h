/* The order in which the members of a team merge their parts of a reduction, with BLITZ_DETERMINISTIC: that of their
 * numbers, reduction by reduction, so that what is rounded is rounded in the same way each time. Each member comes to each
 * reduction of its region once. A turn is a number: that of the parts that come before.
 *
 * And the lock of those who merge one at a time. Each team has its own: a combiner may open a region with reductions while
 * its thread holds the lock of the team around that. */
#ifndef BOMP_MERGE_H
#define BOMP_MERGE_H

#include "omp/state/team.h"

/* With the order: at the start of a region, by each member; at its end, by the primary thread. */
void bomp_merge_member_start(struct bomp_member *member);
void bomp_merge_close(struct bomp_team *team);

/* Wakes those who wait for their turn: the region is cancelled. */
void bomp_merge_notify(struct bomp_team *team);

#endif
