/* loader.h: what the loader would load for a program in a changed environment. The loader itself answers, and runs nothing
 * of the program. */
#ifndef RUN_LOADER_H
#define RUN_LOADER_H

#include <stdbool.h>
#include <stddef.h>

#include "run/object.h"

/* Changes to the environment: VARIABLE=VALUE, or VARIABLE alone to remove it. Ends with NULL. */
typedef char **run_changes;

void run_change(run_changes changes);

struct run_loaded {
    char **paths; /* the program first, then in search order */
    size_t count;
    char *missing; /* a library that is not found; NULL: none */
    bool known;    /* the loader has answered */
};

struct run_loaded run_loaded(const char *program, run_changes changes);

/* An imported function, and the object that has it. */
struct run_binding {
    const char *object, *symbol, *version; /* "": none */
    const char *server;                    /* NULL: no object has it */
};

struct run_bindings {
    struct run_binding *list;
    size_t count;
    bool known;
};

/* Bindings of the imports with one of these names, of the program and its libraries; some more than once. */
struct run_bindings run_bindings(const char *program, run_changes changes, run_names names);

#endif
