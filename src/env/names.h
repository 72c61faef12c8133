/* names.h: variables of the environment that are meant for us by the look of their names, and that nobody reads. */
#ifndef BZ_NAMES_H
#define BZ_NAMES_H

#include <stdbool.h>

struct bz_names {
    const char *prefix;       /* variables whose names begin so are looked at */
    const char *const *known; /* names that somebody reads; ended by NULL */
    bool ours;                /* the prefix is ours alone: whatever is not known is wrong */
};

/* One line for each variable that is not known although it begins so: any, if the prefix is ours, or else each that one
 * slip keeps from being known: a letter too many, too few, another, or two of them swapped. Not against a setenv
 * meanwhile. Cost: about a microsecond for ten variables. */
void bz_names_check(const struct bz_names *names);

/* Whether there is any variable whose name begins so. */
bool bz_names_any(const char *prefix);

#endif
