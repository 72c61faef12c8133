/* The threads of a team on their places, and OMP_DISPLAY_AFFINITY: ../affinity/affinity.md. */
#ifndef BOMP_AFFINITY_H
#define BOMP_AFFINITY_H

#include "omp/affinity/place_assignment.h"

struct bomp_icv;
struct bomp_team;
struct bomp_member;

/* Of a thread outside of regions. */
struct bomp_place_assignment bomp_place_assignment_initial(void);

/* If bomp_affinity_asked: before a region, which a task with these ICVs opens; for a member that starts, on its thread;
 * after the region, on the thread that opened it. */
void bomp_affinity_open(struct bomp_team *team, const struct bomp_icv *icv);
void bomp_affinity_start(struct bomp_member *member);
void bomp_affinity_close(const struct bomp_team *team);

/* Binds the calling thread, which has loaded the library, as a thread outside of regions, unless programs that it starts
 * would inherit that. */
void bomp_affinity_load(void);

/* The same later: when that thread opens its first region or league, or reports by bomp_affinity_first_question that it asks
 * for threads, CPUs or places. */
void bomp_affinity_load_later(void);
void bomp_affinity_first_question(void);

struct bomp_place_assignment bomp_place_assignment_of_caller(void);

/* Binds the calling thread to its place; takes it back to that of its league's thread. */
void bomp_affinity_pin(struct bomp_place_assignment to);
void bomp_affinity_return(struct bomp_place_assignment from);

#endif
