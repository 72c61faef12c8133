/* Queries about the calling thread; more are in bomp.h. Any thread may ask. */
#ifndef BOMP_CALLER_H
#define BOMP_CALLER_H

#include "omp/bomp.h"
#include "omp/icv/icv.h"

/* The ICVs of the current task, to read, until the task ends or changes one. */
const struct bomp_icv *bomp_icv(void);

/* The same, to write: the current task's own from now on, inherited by its children. */
struct bomp_icv *bomp_icv_own(void);

/* The number and the team's size of the caller or its ancestor at a level from 0 to bomp_level(); otherwise -1. */
BOMP_NAMED int bomp_ancestor_thread_num(int level);
BOMP_NAMED int bomp_team_size(int level);

/* Whether the current task is final; whether it is an explicit one. */
BOMP_NAMED int bomp_in_final(void);
BOMP_NAMED int bomp_in_explicit_task(void);

#endif
