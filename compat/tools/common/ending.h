/* ending.h: when reports are written: at the end of the program, also where a signal ends it that the program has no handler
 * for. One thread writes all of them, once. */
#ifndef BOMP_ENDING_H
#define BOMP_ENDING_H

#include "tools/source/source.h"

/* Writes a report. It may run in a signal handler, beside threads that go on: no locks, no memory of malloc's, no loader. */
typedef void bomp_ending_fn(void);

/* The tool begins, and has a report to write. The child of a fork writes one, too. */
void bomp_ending_begin(bomp_ending_fn *write);

/* Writes all reports, those of tools that began later first, unless that is done. */
void bomp_ending_write(void);

/* What is loaded, as far as a signal handler may know it; for who writes a report. NULL: no memory. */
struct bomp_sources *bomp_ending_sources(void);

#endif
