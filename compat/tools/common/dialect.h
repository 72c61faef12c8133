/* dialect.h: the words of reports for OpenMP or for blitz.h, constant once tools have started; and the counters of pools. */
#ifndef BOMP_DIALECT_H
#define BOMP_DIALECT_H

#include <stdbool.h>

struct bomp_dialect {
    bool is_native;     /* blitz.h without OpenMP */
    const char *name;   /* "OpenMP" or "blitz.h" */
    const char *title;  /* of statistics: "blitz-omp" or "blitz" */
    const char *prefix; /* of messages */
    const char *sync;   /* name of a taskwait */
    const char *group;  /* name of a taskgroup */
};
extern struct bomp_dialect bomp_dialect;

/* Selects the words of blitz.h. */
void bomp_dialect_native(void);

/* The process may have pools; `each_pool` is that of the scheduler (hooks.h). */
void bomp_dialect_pools(void (*each_pool)(void (*fn)(const char *line, void *arg), void *arg));

/* Keeps the counters of a pool that ends. */
void bomp_dialect_pool_ends(const char *line);

/* Calls fn(line, arg) for each pool: the existing ones, and the first that have ended. */
void bomp_dialect_each_pool(void (*fn)(const char *line, void *arg), void *arg);

#endif
