/*
 * objects.h: what the loaded objects of the process, the program and its libraries, ask of each other. Part of the
 * contract of os.h, whose conventions hold here.
 */
#ifndef BZ_OS_OBJECTS_H
#define BZ_OS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether some object that is loaded now, and was not when *seen was written, imports the function `name`: refers to it
 * by that name for the dynamic linker to find it in another object. *seen is 0 at first, and written by this function.
 * What is looked up by dlsym() alone is not seen. Cost: under a microsecond if nothing was loaded since; else up to
 * some milliseconds in a process of many large libraries.
 */
bool bz_os_imports(const char *name, uint64_t *seen);

/* What objects are linked with: beginnings of names, each list ended by NULL. */
struct bz_links {
    const char *const *libraries; /* as objects name those that they need */
    const char *const *versions;  /* of what they import */
    const char *const
        *functions; /* imported without a version, and not weakly: their absence would be an error */
};

/*
 * Whether some object that is loaded now is linked with one of these. What an object has itself does not count, and so
 * it does not matter which libraries of that kind are loaded, or under which names. Cost: below a microsecond for each
 * object and 2 ns for each import.
 */
bool bz_os_is_linked(const struct bz_links *links);

/*
 * The function `name` of the library that calls itself `library`, if that is loaded, whoever may see it; NULL: there is
 * none. Unlike dlopen() and dlsym() it does not wait for a thread that runs the constructors of what it loads. What it
 * returns is gone with the library. Cost: as above.
 */
void *bz_os_defined(const char *library, const char *name);

/*
 * Whether a library is loaded whose name for itself begins so, beside the object that the address `us` is in. Cost: as
 * above.
 */
bool bz_os_is_beside(const char *library, const void *us);

#endif
