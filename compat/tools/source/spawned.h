/* spawned.h: the function that a call of blitz.h is to run, and the call site that has made it. Tools get both as one
 * address, that of such a pair, where OpenMP has a return address; source.h tells the two kinds of addresses apart. */
#ifndef BOMP_SPAWNED_H
#define BOMP_SPAWNED_H

#include <stdbool.h>

/* Constant once it is there. */
struct bomp_spawned {
    const void *function;
    const void *site; /* return address in the program; NULL: not known */
    bool is_task;     /* the function is what blitz/cilk.h has made of a task */
};

/* As many as a program may have; later calls have the call site alone. */
#define BOMP_SPAWNED_MOST 8192

/* That pair, made if need be. Any thread; no lock, no memory. */
const void *bomp_spawned_make(const void *function, const void *site, bool is_task);

/* The pair; NULL: the address is one of the program. */
const struct bomp_spawned *bomp_spawned_at(const void *code);

/* The call site, in both cases. */
const void *bomp_spawned_site(const void *code);

#endif
