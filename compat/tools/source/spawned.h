/* spawned.h: pairs of a task's function and its call site, for blitz.h. Where OpenMP has a return address, tools get the
 * address of such a pair; source.h distinguishes the two. */
#ifndef BOMP_SPAWNED_H
#define BOMP_SPAWNED_H

#include <stdbool.h>

/* Constant once it exists. */
struct bomp_spawned {
    const void *function;
    const void *site; /* return address in the program; NULL: not known */
    bool is_task;     /* the function is the code of a task of blitz/cilk.h */
};

/* Limit of pairs; later calls have only the call site. */
#define BOMP_SPAWNED_MOST 8192

/* Finds or makes the pair. Any thread; takes no lock and no memory. */
const void *bomp_spawned_make(const void *function, const void *site, bool is_task);

/* The pair; NULL: an address of the program. */
const struct bomp_spawned *bomp_spawned_at(const void *code);

/* The call site of a pair, or the address itself. */
const void *bomp_spawned_site(const void *code);

#endif
