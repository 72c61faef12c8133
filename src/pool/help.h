/* blitz_help: a thread runs a job of another origin. */
#ifndef BZ_HELP_H
#define BZ_HELP_H

#include <stdbool.h>

struct bz_worker;

/* Runs one job of the worker's pool that the worker did not make. False: it found none. The worker's own deque stays as it
 * is: it may hold forks of the calling job, whose syncs rely on their positions. */
bool bz_help_once(struct bz_worker *self);

#endif
