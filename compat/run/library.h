/* library.h: finds Blitz's library: relative to this command, or where the user says. */
#ifndef RUN_LIBRARY_H
#define RUN_LIBRARY_H

#include <stdbool.h>

struct run_library {
    const char *folder; /* for the library path: has the names that programs need */
    const char *file;   /* to preload: libgomp.so.1 there */
};

/* `said`: the library, its folder or the parent of that; NULL: the user gave none. If it is not found, or the loader cannot
 * handle its path, ends with a message. */
struct run_library run_library_find(const char *said);

/* Whether the folder has the library of statistics, timelines and the watchdog. */
#define RUN_TOOLS "libblitz-tools.so"
bool run_library_has_tools(const struct run_library *library);

/* Whether the path is the file or the folder, under any name. */
bool run_library_is(const struct run_library *library, const char *path);

/* The file of this command and its folder; NULL: cannot be found. */
const char *run_own_file(void);
const char *run_own_folder(void);

#endif
