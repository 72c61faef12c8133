/*
 * api.h: what the omp_* entry points (api.c, api_fortran.c, lock_api.c) and the ICVs ask of the layer that runs teams
 * and tasks. That layer defines these functions; each says what the calling thread is doing right now and may be called
 * by any thread, also one that has never met OpenMP. None blocks.
 */
#ifndef BOMP_API_H
#define BOMP_API_H

#include <stdbool.h>

#include "omp/bomp.h"
#include "omp/icv/icv.h"

/* The ICVs of the current task, to read. Valid until the task ends or changes one. */
const struct bomp_icv *bomp_icv(void);

/* The same, to write: from now on they are the current task's own, and its children inherit them. */
struct bomp_icv *bomp_icv_own(void);

/* Regions around the caller, and how many of them have more than one thread. */
int bomp_level(void);
int bomp_active_level(void);

/* At a level between 0 and bomp_level(): the caller's or its ancestor's number there, the team's size; else -1. */
int bomp_ancestor_thread_num(int level);
int bomp_team_size(int level);

/* Whether the current task is final; whether it is an explicit one. */
bool bomp_in_final(void);
bool bomp_in_explicit_task(void);

/* Something that is the current task's alone while it lives: it owns nestable locks. Never NULL. */
const void *bomp_task_id(void);

#endif
