/* What loaded objects import and define. os.h's conventions hold. Lists of names end with NULL. */
#ifndef BZ_OS_OBJECTS_H
#define BZ_OS_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

struct dl_phdr_info;

/* dl_iterate_phdr for all walks of the library, while no fork is under way (walk.c). */
int bz_elf_walk(int (*fn)(struct dl_phdr_info *info, size_t size, void *arg), void *arg);

/* Links of objects: beginnings of names. */
struct bz_links {
    const char *const *libraries; /* as objects name those that they need */
    const char *const *versions;  /* of imports */
    const char *const *functions; /* imports, not weak; without a version unless `versions` is empty */
};

/* Whether a loaded object is linked with one of these. Cost: a microsecond for each object, and 2 ns for each import. */
bool bz_os_is_linked(const struct bz_links *links);

/* The function `name` of the loaded library with that SONAME, whatever its scope; NULL: none. Unlike dlsym(), does not
 * wait for a thread that runs constructors. The library may be unloaded. Cost: as above. */
void *bz_os_defined(const char *library, const char *name);

/* The same of the first loaded object that defines it and none of the functions `marks`. */
void *bz_os_defined_by_any(const char *name, const char *const *marks);

/* The function `name` of the library that alone defines `mark`; NULL: it lacks the function, is not loaded, or no object
 * imports a name that begins so. *none is 0 at first, and for this mark only. Cost: some 50 ns where no such library is
 * loaded; else, and after loads and unloads, that of bz_os_is_linked. */
void *bz_os_provided(const char *mark, const char *name, struct bz_a64 *none);

/* Whether a library is loaded whose SONAME begins so, other than the object that holds the address `us` (or NULL). */
bool bz_os_is_loaded_too(const char *library, const void *us);

/* Beginnings of names that objects may expect of libraries of a kind, such as that which holds `us`. */
struct bz_wanted {
    const char *const *reserved; /* functions of this kind only */
    const char *const *shared;   /* functions that other libraries may have as well */
    const char *const *exempt;   /* exceptions from both */
    const char *const *versions; /* of this kind */
    const char *const *noted;    /* imports that the answer tells */
    const char *mark;            /* the function that each library of the kind has, and no other */
    const void *us;
};

struct bz_missing {
    bool changed; /* objects were loaded or unloaded after *seen */
    bool noted;   /* after such changes: an object imports one of these */
    /* Of a missing import; long texts are cut. */
    char name[96], version[32]; /* "": none */
    char object[160];           /* the file that imports it; "": the program */
};

/* Whether a loaded object imports a function of one of these kinds, in one of its versions or none, that the library lacks.
 * Not counted: weak imports; objects of the kind itself, bound to another library of the kind, or without GNU's hash table;
 * functions that an object of another kind defines; shared names without a version that no object defines. A kind without a
 * mark ends the list. *seen is 0 at first and written here; it stays while it is too early to know. Cost:
 * under a microsecond; after loads and unloads, that of bz_os_is_linked. */
bool bz_os_is_missing(const struct bz_wanted *kinds, uint64_t *seen, struct bz_missing *missing);

#endif
