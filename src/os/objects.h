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
 * The function `name` of a library that is loaded, under that file name, wherever the program's own look-ups would find it;
 * NULL: there is none. The library stays for good. Waits for others that load something.
 */
void *bz_os_loaded(const char *library, const char *name);

#endif
