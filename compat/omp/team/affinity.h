/* affinity.h: the threads of a team on their places. A region that binds gives every member a place assignment; a member
 * pins its own thread when it starts, if its place is another one than that of its last region. Nothing is pinned, and
 * a region tests only one constant, unless the environment asks for binding.
 *
 * With OMP_DISPLAY_AFFINITY, members say where they are, one after the other, when a region's threads or places are not
 * those of the last one of the same primary thread. */
#ifndef BOMP_AFFINITY_H
#define BOMP_AFFINITY_H

#include "omp/affinity/place_assignment.h"

struct bomp_icv;
struct bomp_team;
struct bomp_member;

/* Where a thread sits that is in no region. */
struct bomp_place_assignment bomp_place_assignment_initial(void);

/* For a region that is about to start, opened by a task with these ICVs. If bomp_affinity_asked. */
void bomp_affinity_open(struct bomp_team *team, const struct bomp_icv *icv);

/* For a member that starts, on its thread. If bomp_affinity_asked. */
void bomp_affinity_start(struct bomp_member *member);

/* For a region that is over, on the thread that opened it. If bomp_affinity_asked. */
void bomp_affinity_close(const struct bomp_team *team);

/* Binds the calling thread, which has loaded the library, where threads sit that are in no region; not where a program
 * that it starts would inherit that (exec.h): there, threads are bound in regions only. */
void bomp_affinity_load(void);

/* The same later: when that thread opens its first region or league, or first asks for the number of threads or CPUs, or for
 * places. Each thread reports such a question by bomp_affinity_first_question, when the environment has been read. Other
 * questions and new values of control variables bind no thread. */
void bomp_affinity_load_later(void);
void bomp_affinity_first_question(void);

/* The place assignment of the calling thread. */
struct bomp_place_assignment bomp_place_assignment_of_caller(void);

/* The calling thread goes to a place for a while, as the initial thread of a league's team; and back, when it is again what
 * it was, with the assignment that it has there. */
void bomp_affinity_go(struct bomp_place_assignment to);
void bomp_affinity_return(struct bomp_place_assignment from);

#endif
