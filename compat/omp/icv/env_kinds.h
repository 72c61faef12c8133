/* env_kinds.h: the readers of env_lists.c, for env.c. Like those there, each takes the text of a variable and sets the
 * target and returns 0, or returns an errno value with the target untouched, or one of the numbers below. */
#ifndef BOMP_ENV_KINDS_H
#define BOMP_ENV_KINDS_H

#include "omp/icv/icv.h"

#define BOMP_ENV_UNKNOWN (-1)   /* no such word; libgomp has a line of its own for it */
#define BOMP_ENV_BAD_CHUNK (-2) /* the kind was taken, with its own chunk or 1 */
#define BOMP_ENV_SMALL (-3)     /* less than BZ_STACK_LEAST */
/* The target is set, but to something else than what the text says. */
#define BOMP_ENV_PARTLY (-4)    /* to as much of it as there can be */
#define BOMP_ENV_ENDLESS (-5)   /* to no end */
#define BOMP_ENV_NO_EFFECT (-6) /* nobody asks for it */
#define BOMP_ENV_IS_TAKEN(code) ((code) <= BOMP_ENV_PARTLY || (code) == 0)

int bomp_read_threads(const char *text, struct bomp_icv_store *store);
int bomp_read_bind(const char *text, struct bomp_icv_store *store);
int bomp_read_schedule(const char *text, struct bomp_icv *icv);
int bomp_read_places(const char *text, struct bomp_icv_store *store);
int bomp_read_cpus(const char *text, struct bomp_icv_store *store);

#endif
