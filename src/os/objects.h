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

/*
 * The function `name` of the library that calls itself `library`, if that is loaded, whoever may see it; NULL: there is
 * none. Unlike dlopen() and dlsym() it does not wait for a thread that runs the constructors of what it loads. What it
 * returns is gone with the library. Cost: as above.
 */
void *bz_os_defined(const char *library, const char *name);

#endif
