/* library.h: where Blitz's library is: beside this command, in an installation and in a build tree alike, or where the user
 * says. */
#ifndef RUN_LIBRARY_H
#define RUN_LIBRARY_H

#include <stdbool.h>

struct run_library {
    const char *folder; /* for the library path: has the names that programs ask for */
    const char *file;   /* to preload: libgomp.so.1 there */
};

/* SAID: the library, its folder, or the folder above it; NULL: the user has not said. Ends with a message that says where
 * it was looked for, if it is nowhere, or if the loader cannot be told of the place. */
struct run_library run_library_find(const char *said);

/* The library of statistics, timelines and the watchdog, and whether it is in that folder. */
#define RUN_TOOLS "libblitz-tools.so"
bool run_library_has_tools(const struct run_library *library);

/* Whether that is the file or the folder, under whichever name. */
bool run_library_is(const struct run_library *library, const char *path);

/* The folder that this command is in. */
const char *run_own_folder(void);

#endif
