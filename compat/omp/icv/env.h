/* env.h: the environment variables that the ICVs start from (env.def). Syntax, defaults and output are libgomp's, as
 * running it shows, except for adaptive waiting. A message about a bad value says what is used instead; a name with one
 * wrong letter gets a message. */
#ifndef BOMP_ENV_H
#define BOMP_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "omp/icv/icv.h"

/* The rows of env.def: BOMP_ENV_OMP_DYNAMIC and so on. */
enum bomp_env_variable {
#define ENV(variable, kind, target, shown, instead) BOMP_ENV_##variable,
#include "omp/icv/env.def"
#undef ENV
    BOMP_ENV_COUNT
};

/* When OMP_DISPLAY_ENV shows a variable. If it is not verbose, it shows those from ALWAYS on. */
enum bomp_env_shown {
    BOMP_SHOWN_NEVER,
    BOMP_SHOWN_VERBOSE,
    BOMP_SHOWN_ALWAYS,
    BOMP_SHOWN_HOST,
    BOMP_SHOWN_FOR_ALL
};

extern const struct bomp_env_row {
    const char *name, *instead;
    enum bomp_env_shown shown;
    bool is_idle; /* it has no effect */
} bomp_env_rows[BOMP_ENV_COUNT];

/* Fills the store from defaults and the environment, with messages, and shows it if OMP_DISPLAY_ENV says so. No thread
 * may change the environment meanwhile. */
void bomp_env_read(struct bomp_icv_store *store);

/* Shows the ICVs on standard error in libgomp's format; verbose: with libgomp's own and ours. */
void bomp_env_display(const struct bomp_icv_store *store, bool verbose);

/* The same in libomp's format for KMP_SETTINGS (display_llvm.c): what is set, and what holds. */
void bomp_env_display_llvm(const struct bomp_icv_store *store);

/* The number of hidden helper threads, before the store is filled. No messages. */
unsigned bomp_env_helpers(void);

/* The line of both that names the library. */
void bomp_env_display_server(void);

/* Sets a variable in a filled store, as from the environment. 0, or for a bad text or an unknown name an errno value or
 * one of env_kinds.h. */
int bomp_env_set(struct bomp_icv_store *store, const char *name, const char *text);

/* Writes the value of a variable, at most size bytes, ended by a null byte. Returns the whole length. llvm: in libomp's
 * spelling. */
size_t bomp_env_show(const struct bomp_icv_store *store, enum bomp_env_variable variable, char *text,
                     size_t size, bool llvm);

/* The same in memory for bz_free; NULL: no memory. */
char *bomp_env_value(const struct bomp_icv_store *store, enum bomp_env_variable variable, bool llvm);

/* Names of the predefined allocators, of handle n at index n - 1, then of GCC's own. */
#define BOMP_ALLOCATOR_NAMES (BOMP_ALLOCATORS + 2)
extern const char *const bomp_allocator_names[BOMP_ALLOCATOR_NAMES];

#endif
