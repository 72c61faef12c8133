/* The dispatcher: callbacks that pass an event which comes often on to each of several clients. */
#include "ompt/notify.h"

/* The client's word, from that of client 0. */
#define OWN(word) ((word) ? (word) + client : NULL)

#define DISPATCHER(event, type, parameters, ...)                                                             \
    static void event parameters {                                                                           \
        OMPT_NOTIFY(event, type, __VA_ARGS__);                                                               \
    }

DISPATCHER(task_create, task_create,
           (ompt_data_t * creator, const ompt_frame_t *frame, ompt_data_t *task, int flags, int has,
            const void *code),
           OWN(creator), frame, OWN(task), flags, has, code)
DISPATCHER(task_schedule, task_schedule, (ompt_data_t * prior, ompt_task_status_t status, ompt_data_t *next),
           OWN(prior), status, OWN(next))

#define SYNC(event)                                                                                          \
    DISPATCHER(event, sync_region,                                                                           \
               (ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t * region,               \
                ompt_data_t * task, const void *code),                                                       \
               kind, endpoint, OWN(region), OWN(task), code)
SYNC(sync_region)
SYNC(sync_region_wait)

DISPATCHER(mutex_acquire, mutex_acquire,
           (ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *code), kind, hint,
           impl, id, code)
DISPATCHER(mutex_acquired, mutex, (ompt_mutex_t kind, ompt_wait_id_t id, const void *code), kind, id, code)
DISPATCHER(mutex_released, mutex, (ompt_mutex_t kind, ompt_wait_id_t id, const void *code), kind, id, code)

DISPATCHER(work, work,
           (ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *region, ompt_data_t *task,
            uint64_t count, const void *code),
           kind, endpoint, OWN(region), OWN(task), count, code)
DISPATCHER(dispatch, dispatch,
           (ompt_data_t * region, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance), OWN(region),
           OWN(task), kind, instance)

#define ENTRY(event) [ompt_callback_##event] = (ompt_callback_t)(event)

static const ompt_callback_t dispatchers[OMPT_EVENTS] = {
    ENTRY(task_create),      ENTRY(task_schedule), ENTRY(sync_region),
    ENTRY(sync_region_wait), ENTRY(mutex_acquire), ENTRY(mutex_acquired),
    ENTRY(mutex_released),   ENTRY(work),          ENTRY(dispatch),
};

void ompt_dispatch(ompt_callbacks_t event) {
    ompt_callback_t only = bz_load_relaxed(&ompt_table.calls[event][0]); /* relaxed, all: as in notify.h */
    for (unsigned client = 1; client < BOMP_TOOL_CLIENTS; client++)
        if (bz_load_relaxed(&ompt_table.calls[event][client]))
            only = dispatchers[event];
    bz_store_relaxed(&ompt_table.often[event], only);
}
