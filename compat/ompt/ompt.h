/* The interface of tools, for the files of this folder. */
#ifndef OMPT_H
#define OMPT_H

#include "omp-tools.h"
#include "runtime.h"

/* ---- clients.c ---- */

/* Adds and initialises a tool, whose start function returned this. False: no room, or it declined. Called by the one
 * thread that starts tools. */
bool ompt_client_add(ompt_start_tool_result_t *tool);

/* How many there are. */
unsigned ompt_clients(void);

/* Finalises a client, or all: it is notified of nothing more, then its finalize is called. Once. */
void ompt_client_finalize(unsigned client);
void ompt_clients_finalize(void);

/* A client is notified of nothing more, and not finalised either. */
void ompt_client_forget(unsigned client);

/* ompt_set_callback and ompt_get_callback. */
ompt_set_result_t ompt_client_set(unsigned client, ompt_callbacks_t event, ompt_callback_t callback);
/* It is not notified of taskwaits that have nothing to wait for: for the library's own clients. */
void ompt_client_skip_empty_waits(unsigned client);
int ompt_client_get(unsigned client, ompt_callbacks_t event, ompt_callback_t *callback);

/* ---- start.c ---- */

/* ompt_finalize_tool: the client leaves now. */
void ompt_finalize_early(unsigned client);

/* ---- verbose.c: OMP_TOOL_VERBOSE_INIT. A line for each step of the search for tools, which ends with its outcome
 * ---- */

/* Reads the variable: disabled, stdout, stderr, or the name of a file. */
void ompt_verbose_open(void);
void ompt_verbose_close(void);

__attribute__((format(printf, 1, 2))) void ompt_say(const char *format, ...);

/* ---- own.c: the tools that come with the library ---- */

/* Loads libblitz-tools.so if the environment asks for one of its tools. Returns what their start functions have returned,
 * a list that ends with NULL; NULL: none, and if one was asked for a line says why. Once in a process. */
ompt_start_tool_result_t *const *ompt_own_tools(void);

/* ---- lookup.c ---- */

/* The lookup of a client: what it returns knows which one asks. */
ompt_function_lookup_t ompt_lookup_of(unsigned client);

/* ---- inquiry.c: the answers that have a client's own words in them; the others ---- */

ompt_data_t *ompt_thread_data(unsigned client);
int ompt_parallel_info(unsigned client, int level, ompt_data_t **data, int *size);
int ompt_task_info(unsigned client, int level, int *flags, ompt_data_t **task_data, ompt_frame_t **frame,
                   ompt_data_t **parallel_data, int *thread_num);

struct ompt_entry {
    const char *name;
    ompt_interface_fn_t function;
};

/* The entry of that name, among a client's own or those that all clients share; NULL: unknown. */
ompt_interface_fn_t ompt_look_up(const struct ompt_entry *own, size_t count, const char *name);

#endif
