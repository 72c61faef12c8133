/* tools.h: how libblitz-tools.so comes into the process: if the environment asks for one of its tools. */
#ifndef BZ_TOOLS_H
#define BZ_TOOLS_H

#include <stdbool.h>

struct bz_hooks;
struct bz_hooks_host;

#define BZ_TOOLS_FILE "libblitz-tools.so"

/* A variable that asks for a tool, and what it says. */
struct bz_tools_request {
    const char *variable, *value;
};

/* Whether one does. With raised privileges none does. */
bool bz_tools_are_asked(struct bz_tools_request *request);

/* The function of that name in the library, which is loaded from the folder of the runtime's file, from the folder blitz
 * below that, or from where the loader finds it. NULL: a line says why, and that no tool runs. The tools have one state, so
 * the second caller in a process gets NULL. Cost: that of loading it. */
void *bz_tools_load(const struct bz_tools_request *request, const char *function);

/* The library belongs to another version than `own`. */
void bz_tools_refuse(const struct bz_tools_request *request, const char *other, const char *own);

/* Starts the tools that watch pools (hooks.h). Before the first pool, once. */
void bz_tools_watch(void);

/* The layer above loads the library itself, by this function, which returns the hooks of pools or NULL. Called while the
 * runtime is loaded. */
void bz_tools_come_from(const struct bz_hooks *(*start)(void));

/* What the layer gives the library. */
const struct bz_hooks_host *bz_tools_host(void);

#endif
