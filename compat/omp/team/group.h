/* Limits that regions share. A contention group is all threads below an initial thread; thread-limit-var bounds them
 * (OpenMP 6.0, section "thread_limit"). If dyn-var is true, the regions of the process share its CPUs: each gets what the
 * others leave, and at least its own thread. */
#ifndef BOMP_GROUP_H
#define BOMP_GROUP_H

#include <limits.h>
#include <stdbool.h>

#include "omp/icv/icv.h"

struct bomp_member;
struct bomp_team;

/* Whether a region of that size, for which these variables count, has to ask. */
static inline bool bomp_group_counts(const struct bomp_icv *icv, unsigned size) {
    return icv->dynamic || (icv->thread_limit != UINT_MAX && size > 1);
}

/* Takes threads for a region of up to `size` that `outer` opens. Returns how many, with the caller's own. */
unsigned bomp_group_take(struct bomp_member *outer, unsigned size);

/* The region's team exists, with that many threads or fewer. */
void bomp_group_taken(struct bomp_team *team, const struct bomp_icv *icv, unsigned taken);

/* The end of a region that has asked: of its team, or as its thread ends inside. */
void bomp_group_give(struct bomp_team *team);
void bomp_group_leave(struct bomp_team *team);

/* In the child of a fork: forgets all regions; then counts those of its thread, from the innermost on. *outermost begins as
 * NULL. */
void bomp_group_forget(void);
void bomp_group_alone(struct bomp_team *team, struct bomp_team **outermost);

#endif
