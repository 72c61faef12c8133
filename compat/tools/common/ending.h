/* ending.h: writes reports at the end of the program, also if a signal without a handler ends it. One thread writes all of
 * them, once. */
#ifndef BOMP_ENDING_H
#define BOMP_ENDING_H

#include "tools/source/source.h"

/* Writes a report. It may run in a signal handler while other threads run: no locks, malloc or loader. */
typedef void bomp_ending_fn(void);

/* Registers a report of a tool that begins; it is written in the child of a fork as well. */
void bomp_ending_begin(bomp_ending_fn *write);

/* Writes all reports, the latest tool's first, unless they are written. */
void bomp_ending_write(void);

/* A report could not be written: the process ends with status 125 where its own is 0. */
void bomp_ending_failed(void);

/* The same of a tool that does not begin. */
void bomp_ending_refused(void);

/* The loaded objects, for writers of reports, also in a signal handler. NULL: out of memory. */
struct bomp_sources *bomp_ending_sources(void);

#endif
