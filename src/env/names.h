/* Misspelt variables of the environment. */
#ifndef BZ_NAMES_H
#define BZ_NAMES_H

#include <stdbool.h>

struct bz_names {
    const char *prefix;       /* of the names to check */
    const char *const *known; /* ended by NULL */
    bool ours;                /* only our names have this prefix */
};

/* Prints a line for each unknown variable with the prefix; unless the prefix is ours, only if one slip turns it into a known
 * one: a letter too many, too few or wrong, or two swapped. Not concurrent with setenv. */
void bz_names_check(const struct bz_names *names);

/* Whether the environment has a variable with this prefix. */
bool bz_names_any(const char *prefix);

#endif
