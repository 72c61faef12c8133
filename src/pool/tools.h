/* Loads libblitz-tools.so if the environment requests one of its tools. */
#ifndef BZ_TOOLS_H
#define BZ_TOOLS_H

#include <stdbool.h>

struct bz_hooks;
struct bz_hooks_host;

#define BZ_TOOLS_FILE "libblitz-tools.so"

/* A variable that requests a tool, and its value. */
struct bz_tools_request {
    const char *variable, *value;
};

/* Whether one does; never with raised privileges. */
bool bz_tools_are_asked(struct bz_tools_request *request);

/* Loads the library from the runtime's folder, its subfolder blitz, or the loader's path; returns that function. NULL, also
 * for a second runtime in the process: a line says why no tool runs. */
void *bz_tools_load(const struct bz_tools_request *request, const char *function);

/* Reports that the library belongs to another version. */
void bz_tools_refuse(const struct bz_tools_request *request, const char *other, const char *own);

/* Starts the tools that watch pools (hooks.h). Before the first pool, once. */
void bz_tools_watch(void);

/* At the runtime's loading: the layer above loads the library by this function, which returns the hooks or NULL. */
void bz_tools_come_from(const struct bz_hooks *(*start)(void));

/* For the layer to pass on to the library. */
const struct bz_hooks_host *bz_tools_host(void);

#endif
