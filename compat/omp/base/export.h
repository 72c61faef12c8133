/* The mark of an entry point that programs link to. cmake/symbols.cmake lists the names as well. */
#ifndef BOMP_EXPORT_H
#define BOMP_EXPORT_H

#define BOMP_EXPORT __attribute__((visibility("default")))

/* The library's own variable, for entry points: no symbol lookup. */
#define BOMP_HIDDEN __attribute__((visibility("hidden")))

/* A function that has an entry point as its second name (compat/gomp/names.ld), which has the same visibility. The version
 * script hides this one. */
#define BOMP_NAMED __attribute__((visibility("default")))

#endif
