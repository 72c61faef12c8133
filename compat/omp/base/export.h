/* export.h: how an entry point that programs link to is marked. cmake/symbols.cmake has to know its name, too. */
#ifndef BOMP_EXPORT_H
#define BOMP_EXPORT_H

#define BOMP_EXPORT __attribute__((visibility("default")))

/* A variable of ours that entry points look at: it is where it is, and need not be looked up. */
#define BOMP_HIDDEN __attribute__((visibility("hidden")))

/* What an entry point is a second name of (compat/gomp/names.ld): such a name is hidden if this is. The version script hides
 * it all the same. */
#define BOMP_NAMED __attribute__((visibility("default")))

#endif
