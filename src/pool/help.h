/* Help: a thread runs a job that is none of its own because it was asked to. */
#ifndef BZ_HELP_H
#define BZ_HELP_H

#include <stdbool.h>

struct bz_worker;

/* Runs one job of the worker's pool that it did not make; false: there is none. What it has in its own deque stays: that may
 * be forks of the calling job, whose syncs rely on their places. */
bool bz_help_once(struct bz_worker *self);

#endif
