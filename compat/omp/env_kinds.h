/*
 * env_kinds.h: the readers of env_lists.c, for env.c. Like those there, each takes the text of a variable and sets the
 * target and returns 0, or returns an errno value with the target untouched, or one of the numbers below.
 */
#ifndef BOMP_ENV_KINDS_H
#define BOMP_ENV_KINDS_H

#include "icv.h"

#define BOMP_ENV_UNKNOWN (-1)   /* no such word; libgomp has a line of its own for it */
#define BOMP_ENV_BAD_CHUNK (-2) /* the kind was taken, with chunk 1 */

int bomp_read_threads(const char *text, struct bomp_icv_store *store);
int bomp_read_bind(const char *text, struct bomp_icv_store *store);
int bomp_read_schedule(const char *text, struct bomp_icv *icv);
int bomp_read_places(const char *text, struct bomp_icv_store *store);
int bomp_read_cpus(const char *text, struct bomp_icv_store *store);

#endif
