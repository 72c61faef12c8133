/* The environment variables that the ICVs start from (env.def). Syntax, defaults and output are libgomp's, but for
 * adaptive waiting. A bad value, and a name with one wrong letter, get a message. */
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

/* When OMP_DISPLAY_ENV shows a variable; unless verbose, those from ALWAYS on. */
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

/* Fills the store, with messages, and shows it if OMP_DISPLAY_ENV says so. No thread may change the environment
 * meanwhile. */
void bomp_env_read(struct bomp_icv_store *store);

/* Shows the ICVs on standard error as libgomp does; verbose: its own and ours as well. */
void bomp_env_display(const struct bomp_icv_store *store, bool verbose);

/* The same as libomp for KMP_SETTINGS (display_llvm.c). */
void bomp_env_display_llvm(const struct bomp_icv_store *store);

/* The number of hidden helper threads, before the store is filled. No messages. */
unsigned bomp_env_helpers(void);

/* The line of both that names the library. */
void bomp_env_display_server(void);

/* Sets a variable in a filled store. 0, or for a bad text or an unknown name an errno value or one of env_kinds.h. */
int bomp_env_set(struct bomp_icv_store *store, const char *name, const char *text);

/* Writes the value of a variable, at most size bytes with a null byte. Returns the whole length. llvm: as libomp spells
 * it. */
size_t bomp_env_show(const struct bomp_icv_store *store, enum bomp_env_variable variable, char *text,
                     size_t size, bool llvm);

/* The same in memory for bz_free; NULL: no memory. */
char *bomp_env_value(const struct bomp_icv_store *store, enum bomp_env_variable variable, bool llvm);

/* Whether an allocator's trait has values with names, and this is one of them. */
bool bomp_trait_has(enum bomp_trait key, uintptr_t value);

/* Names of the predefined allocators, of handle n at index n - 1, then of GCC's own. */
#define BOMP_ALLOCATOR_NAMES (BOMP_ALLOCATORS + 2)
extern const char *const bomp_allocator_names[BOMP_ALLOCATOR_NAMES];

#endif
