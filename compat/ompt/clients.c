/* The tools that are attached: the library's own first, then the program's. */
#include "ompt/ompt.h"

#include "ompt/notify.h"

struct ompt_table ompt_table;

/* The table that compat/omp asks. */
static const struct bomp_hooks hooks = {
    .region = &ompt_region_hooks,
    .task = &ompt_task_hooks,
    .sync = &ompt_sync_hooks,
    .mutex = &ompt_mutex_hooks,
    .work = &ompt_work_hooks,
    .target = &ompt_target_hooks,
};

const struct bomp_hooks *bomp_hooks = &hooks;

static struct {
    ompt_start_tool_result_t *tool;
    struct bz_aflag over; /* finalised or forgotten; set by the thread that does it */
    bool skips; /* it is not notified of what is nothing in the program; set before it is attached */
} clients[BOMP_TOOL_CLIENTS];

static bool is_event(ompt_callbacks_t event) {
    return event > 0 && event < OMPT_EVENTS;
}

/* How often an event is reported, if not always. */
static const uint8_t results[OMPT_EVENTS] = {
    [ompt_callback_target_data_op] = ompt_set_never,
    [ompt_callback_target_data_op_emi] = ompt_set_never,
    [ompt_callback_target_map] = ompt_set_never,
    [ompt_callback_target_map_emi] = ompt_set_never,
    [ompt_callback_device_initialize] = ompt_set_never,
    [ompt_callback_device_finalize] = ompt_set_never,
    [ompt_callback_device_load] = ompt_set_never,
    [ompt_callback_device_unload] = ompt_set_never,
    [ompt_callback_task_dependence] = ompt_set_sometimes,
    [ompt_callback_flush] = ompt_set_sometimes,
    [ompt_callback_dispatch] = ompt_set_sometimes,
    [ompt_callback_target] = ompt_set_sometimes_paired,
    [ompt_callback_target_emi] = ompt_set_sometimes_paired,
    [ompt_callback_target_submit] = ompt_set_sometimes_paired,
    [ompt_callback_target_submit_emi] = ompt_set_sometimes_paired,
    [ompt_callback_work] = ompt_set_sometimes_paired,
    [ompt_callback_masked] = ompt_set_sometimes_paired,
};

ompt_set_result_t ompt_client_set(unsigned client, ompt_callbacks_t event, ompt_callback_t callback) {
    if (!is_event(event) || client >= BOMP_TOOL_CLIENTS || bz_load_relaxed(&clients[client].over))
        return ompt_set_error;
    bz_store_relaxed(&ompt_table.calls[event][client], callback); /* relaxed: as in notify.h */
    return results[event] ? (ompt_set_result_t)results[event] : ompt_set_always;
}

void ompt_client_skip_empty_waits(unsigned client) {
    clients[client].skips = true;
}

int ompt_client_get(unsigned client, ompt_callbacks_t event, ompt_callback_t *callback) {
    if (!is_event(event))
        return 0;
    *callback = bz_load_relaxed(&ompt_table.calls[event][client]); /* relaxed: as in notify.h */
    return *callback ? 1 : 0;
}

static void silence(unsigned client) {
    for (unsigned event = 0; event < OMPT_EVENTS; event++)
        bz_store_relaxed(&ompt_table.calls[event][client], NULL); /* relaxed: as in notify.h */
}

unsigned ompt_clients(void) {
    return (unsigned)__builtin_popcount(ompt_attached());
}

bool ompt_client_add(ompt_start_tool_result_t *tool) {
    unsigned client = ompt_clients();
    if (client == BOMP_TOOL_CLIENTS)
        return false;
    clients[client].tool = tool;
    const int host = 0; /* no offload library, which would number it otherwise, has begun */
    if (!tool->initialize || !tool->initialize(ompt_lookup_of(client), host, &tool->tool_data)) {
        clients[client].tool = NULL;
        silence(client);
        return false;
    }
    /* relaxed, both: published by the end of the search for tools */
    bz_fetch_or_relaxed(&ompt_table.attached, UINT32_C(1) << client);
    if (!clients[client].skips)
        bz_fetch_or_relaxed(&ompt_table.sees_all, UINT32_C(1) << client);
    return true;
}

void ompt_client_forget(unsigned client) {
    if (bz_first_time(&clients[client].over))
        silence(client);
}

void ompt_client_finalize(unsigned client) {
    ompt_start_tool_result_t *tool = clients[client].tool;
    if (!tool || !bz_first_time(&clients[client].over))
        return;
    silence(client);
    if (tool->finalize)
        tool->finalize(&tool->tool_data);
}

/* The program's tools before the library's own, which resolve addresses of the program and take longer. */
void ompt_clients_finalize(void) {
    for (unsigned client = ompt_clients(); client-- > 0;)
        ompt_client_finalize(client);
}
