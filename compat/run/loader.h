/* loader.h: what the loader would load for a program, in the environment that it is to have. The loader itself is asked,
 * which then runs nothing of the program. */
#ifndef RUN_LOADER_H
#define RUN_LOADER_H

#include <stdbool.h>
#include <stddef.h>

#include "run/object.h"

/* Changes to the environment: VARIABLE=VALUE, or VARIABLE alone to take it away. Ends with NULL. */
typedef char **run_changes;

void run_change(run_changes changes);

struct run_loaded {
    char **paths; /* the program first, then in search order */
    size_t count;
    char *missing; /* a library that is not found; NULL: none */
    bool known;    /* the loader has answered */
};

struct run_loaded run_loaded(const char *program, run_changes changes);

/* Who has the function that an object imports. */
struct run_binding {
    const char *object, *symbol, *version; /* "": none */
    const char *server;                    /* NULL: no object has it */
};

struct run_bindings {
    struct run_binding *list;
    size_t count;
    bool known;
};

/* The same of each import of the program and its libraries with one of these names. */
struct run_bindings run_bindings(const char *program, run_changes changes, run_names names);

#endif
