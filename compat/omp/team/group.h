/* group.h: how many threads a region gets where others take of the same number. A contention group is all threads below an
 * initial thread; thread-limit-var bounds them (OpenMP 6.0, section "thread_limit"). Where dyn-var is true, regions of the
 * whole process share its CPUs: one gets what the others leave of them, and at least its own thread. */
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

/* Takes threads for a region of up to `size` that `outer` opens. Returns how many, the caller's own included. */
unsigned bomp_group_take(const struct bomp_member *outer, unsigned size);

/* The team of that region is there, and has that many threads or fewer. */
void bomp_group_taken(struct bomp_team *team, const struct bomp_icv *icv, unsigned taken);

/* The end of a region that has asked. */
void bomp_group_give(struct bomp_team *team);

/* In the child of a fork: no region is known; its thread is in this one. */
void bomp_group_forget(void);
void bomp_group_alone(struct bomp_team *team);

#endif
