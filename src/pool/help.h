/* blitz_help: a thread runs a job of another origin. */
#ifndef BZ_HELP_H
#define BZ_HELP_H

#include <stdbool.h>

struct bz_worker;

/* Runs one job of the worker's pool that it did not make. False: it found none. Its own deque stays as it is: syncs rely on
 * the positions of forks. */
bool bz_help_once(struct bz_worker *self);

#endif
