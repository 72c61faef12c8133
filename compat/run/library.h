/* library.h: finds Blitz's library: relative to this command, in an installation or a build tree, or where the user says. */
#ifndef RUN_LIBRARY_H
#define RUN_LIBRARY_H

#include <stdbool.h>

struct run_library {
    const char *folder; /* for the library path: has the names that programs ask for */
    const char *file;   /* to preload: libgomp.so.1 there */
};

/* SAID: the library, its folder or the parent of that; NULL: the user gave none. If it is not found, or the loader cannot be
 * given its path, ends with a message that lists the places searched. */
struct run_library run_library_find(const char *said);

/* The library of statistics, timelines and the watchdog, and whether it is in that folder. */
#define RUN_TOOLS "libblitz-tools.so"
bool run_library_has_tools(const struct run_library *library);

/* Whether that is the file or the folder, under whichever name. */
bool run_library_is(const struct run_library *library, const char *path);

/* The folder that this command is in. */
const char *run_own_folder(void);

#endif
