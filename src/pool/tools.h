/* tools.h: how libblitz-tools.so comes into the process: if the environment asks for one of its tools. */
#ifndef BZ_TOOLS_H
#define BZ_TOOLS_H

#include <stdbool.h>

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

/* The layer above loads the library for itself: no tool watches pools. While the library is loaded. */
void bz_tools_are_layers(void);

#endif
