/* dialect.h: what reports say in a program of OpenMP, and in one of blitz.h. Constant from the start of the tools on, but
 * for the pools. */
#ifndef BOMP_DIALECT_H
#define BOMP_DIALECT_H

#include <stdbool.h>

struct bomp_dialect {
    bool is_native;         /* blitz.h */
    const char *name;       /* what it is: "OpenMP" or "blitz.h" */
    const char *title;      /* of statistics: "blitz-omp" or "blitz" */
    const char *prefix;     /* of messages that are put together elsewhere */
    const char *sync;       /* what a taskwait is called */
    const char *group;      /* what a taskgroup is called */
    const char *dependence; /* what a wait for one task is called */
};
extern struct bomp_dialect bomp_dialect;

/* From now on it is blitz.h's; `each_pool` is that of the scheduler (hooks.h). */
void bomp_dialect_native(void (*each_pool)(void (*fn)(const char *line, void *arg), void *arg));

/* A pool ends; the line is the counters that it had. */
void bomp_dialect_pool_ends(const char *line);

/* Calls fn(line, arg) for each pool: those that there are, and the last ones that have ended. */
void bomp_dialect_each_pool(void (*fn)(const char *line, void *arg), void *arg);

#endif
