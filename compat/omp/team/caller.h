/* caller.h: what the calling thread is doing right now, for the omp_* functions, for messages and for what a region or a
 * target construct asks. Any thread may ask, also one that has never met OpenMP. None blocks. More of it is in bomp.h.
 */
#ifndef BOMP_CALLER_H
#define BOMP_CALLER_H

#include "omp/bomp.h"
#include "omp/icv/icv.h"

/* The ICVs of the current task, to read. Valid until the task ends or changes one. */
const struct bomp_icv *bomp_icv(void);

/* The same, to write: from now on they are the current task's own, and its children inherit them. */
struct bomp_icv *bomp_icv_own(void);

/* At a level between 0 and bomp_level(): the caller's or its ancestor's number there, the team's size; else -1. */
BOMP_NAMED int bomp_ancestor_thread_num(int level);
BOMP_NAMED int bomp_team_size(int level);

/* Whether the current task is final; whether it is an explicit one. */
BOMP_NAMED int bomp_in_final(void);
BOMP_NAMED int bomp_in_explicit_task(void);

#endif
