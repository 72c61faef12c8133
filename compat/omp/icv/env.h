/* env.h: the environment variables that the ICVs start from (env.def). env.c and env_lists.c read them, display_env.c
 * shows the ICVs as OMP_DISPLAY_ENV and omp_display_env do. Syntax, defaults and what is shown are libgomp's, as found
 * out by running it, except for waiting that adapts. A value that is wrong or not possible in full gets one line that says
 * what is used instead; a name with one letter wrong also gets a line. */
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

/* Fill the store from defaults and the environment, say what is wrong with the latter on standard error, and show the
 * result there if OMP_DISPLAY_ENV asks for it. Called once, by icv.c; not against a setenv meanwhile. */
void bomp_env_read(struct bomp_icv_store *store);

/* Show the ICVs of the process on standard error, in libgomp's format; verbose: also those that are libgomp's own,
 * and ours. */
void bomp_env_display(const struct bomp_icv_store *store, bool verbose);

/* The same as LLVM's runtime shows them for KMP_SETTINGS (display_llvm.c): what the environment says, and what holds. */
void bomp_env_display_llvm(const struct bomp_icv_store *store);

/* The number of hidden helper threads, before the store is filled. No messages. */
unsigned bomp_env_helpers(void);

/* The line of both that names the runtime that serves the program. */
void bomp_env_display_server(void);

/* Sets a variable as if the environment had it with that text, in a store that is filled. 0; for a bad text or an unknown
 * name an errno value or one of env_kinds.h. */
int bomp_env_set(struct bomp_icv_store *store, const char *name, const char *text);

/* Write what is shown for one variable to text: at most size bytes, always ended by a null byte. Returns the length that
 * there was to write. llvm: in the spelling of LLVM's runtime. */
size_t bomp_env_show(const struct bomp_icv_store *store, enum bomp_env_variable variable, char *text,
                     size_t size, bool llvm);

/* What is shown, whole, to be freed by bz_free; NULL: no memory. */
char *bomp_env_value(const struct bomp_icv_store *store, enum bomp_env_variable variable, bool llvm);

/* Names of the predefined allocators; that of handle n at index n - 1, and behind them those of GCC's own. */
#define BOMP_ALLOCATOR_NAMES (BOMP_ALLOCATORS + 2)
extern const char *const bomp_allocator_names[BOMP_ALLOCATOR_NAMES];

#endif
