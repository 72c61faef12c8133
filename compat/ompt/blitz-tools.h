/* blitz-tools.h: the interface between the runtime and its own tools in libblitz-tools.so: how that library starts, and the
 * entry points that its tools look up in addition to OMPT's. Other tools may also look them up. */
#ifndef BLITZ_TOOLS_H
#define BLITZ_TOOLS_H

#include <stdbool.h>

#include <blitz.h>
#include <omp-tools.h>

/* The runtime's name, for all tools. */
#define BLITZ_TOOLS_TEXT_OF(number) #number
#define BLITZ_TOOLS_TEXT(number) BLITZ_TOOLS_TEXT_OF(number)
#define BLITZ_TOOLS_RUNTIME                                                                                  \
    "libblitz-omp " BLITZ_TOOLS_TEXT(BLITZ_VERSION_MAJOR) "." BLITZ_TOOLS_TEXT(                              \
        BLITZ_VERSION_MINOR) "." BLITZ_TOOLS_TEXT(BLITZ_VERSION_PATCH)

/* ---- the library ---- */

#define BLITZ_TOOLS_FILE "libblitz-tools.so"
#define BLITZ_TOOLS_START "blitz_tools_start"

struct bz_hooks;
struct bz_hooks_host;

/* The runtime. The library keeps the texts. */
struct blitz_tools_host {
    const char *version;               /* BLITZ_TOOLS_RUNTIME */
    const char *prefix;                /* of each message */
    bool quiet;                        /* the user wants no messages */
    const struct bz_hooks_host *pools; /* blitz.h in the same process */
    const struct bz_hooks **hooks;     /* becomes what the tools watch pools with; NULL: no tool runs */
};

/* The function of the library for OpenMP; that for pools alone is in hooks.h. Returns the tools that the environment
 * requests, a list that ends with NULL. If the library belongs to another version, *version is that version and the list
 * is NULL; all versions share this interface. The runtime calls it once, on the thread that starts tools. */
typedef ompt_start_tool_result_t *const *(*blitz_tools_start_t)(const struct blitz_tools_host *host,
                                                                const char **version);

/* ---- looked up by the function that `initialize` gets; absent in other runtimes ---- */

/* "blitz_set_task_await" registers a callback for the wait of a task for a single other one, such as a future of blitz.h.
 * OpenMP causes no such event. `awaited` may be NULL: unknown. May be called whenever ompt_set_callback may. */
typedef void (*blitz_set_task_await_t)(ompt_callback_t task_await);
typedef void (*blitz_task_await_t)(ompt_scope_endpoint_t endpoint, ompt_data_t *waiting, ompt_data_t *awaited,
                                   const void *code);

/* "blitz_skip_empty_waits" leaves out what is nothing in the program: taskwaits without a child to wait for, and the
 * runtime's own regions in a league. The place of a region becomes that of the region's function, since the call that opens
 * the region may be inlined. To be called from `initialize`; it cannot be taken back. */
typedef void (*blitz_skip_empty_waits_t)(void);

/* "blitz_get_num_cpus" returns how many CPUs the process may use at once: those of ompt_get_num_procs, or fewer where a
 * limit of the container's allows less time. To be called whenever ompt_get_num_procs may. Cost: some file reads. */
typedef unsigned (*blitz_get_num_cpus_t)(void);

/* "blitz_leave_places" lets the calling thread, one that a tool has started, run on all CPUs of the process: it has
 * inherited those of its creator, which the runtime may have bound. May be called at any time. Cost: a system call. */
typedef void (*blitz_leave_places_t)(void);

/* Names from ompt_enumerate_mutex_impls. The wait id of PARKING is the address of a lock's word; that of POSITION is the
 * iteration that a doacross loop waits for, as a position in that loop. */
#define BLITZ_MUTEX_IMPL_PARKING "blitz_mutex_impl_parking"
#define BLITZ_MUTEX_IMPL_POSITION "blitz_mutex_impl_position"

#endif
