/* ending.h: when reports are written: at the end of the program, also where a signal ends it that the program has no handler
 * for. One thread writes all of them, once. */
#ifndef BOMP_ENDING_H
#define BOMP_ENDING_H

#include "tools/source/source.h"

/* Writes a report. It may run in a signal handler while other threads run: no locks, malloc or loader. */
typedef void bomp_ending_fn(void);

/* The tool begins and will write a report, also in the child of a fork. */
void bomp_ending_begin(bomp_ending_fn *write);

/* Writes all reports, those of tools that began later first, unless that is done. */
void bomp_ending_write(void);

/* The loaded objects that a signal handler may know, for writers of reports. NULL: out of memory. */
struct bomp_sources *bomp_ending_sources(void);

#endif
