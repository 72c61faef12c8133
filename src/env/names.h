/* Misspelt variables of the environment. */
#ifndef BZ_NAMES_H
#define BZ_NAMES_H

#include <stdbool.h>

/* Prints a line for each variable with the prefix that is none of `known`, which NULL ends; unless only our names have the
 * prefix (`ours`), only if one slip turns it into a known one: a letter too many, too few or wrong, or two swapped. Not
 * concurrent with setenv. */
void bz_names_check(const char *prefix, const char *const *known, bool ours);

/* Whether the environment has a variable with this prefix. */
bool bz_names_any(const char *prefix);

#endif
