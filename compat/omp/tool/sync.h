/* Regions in which a task waits for others: barriers, taskwaits, taskgroups, and reductions. */
#ifndef BOMP_TOOL_SYNC_H
#define BOMP_TOOL_SYNC_H

#include "omp/tool/thread.h"
#include "omp/tool/tool.h"

/* From the begin of such a region to its end, by its thread. */
struct bomp_tool_sync {
    ompt_sync_region_t kind;
    const void *code; /* where the program is; NULL: not known */
    /* Of ours, older than any that runs the program's code meanwhile; NULL: it was said already. */
    void *frame;
    uint32_t state; /* before it */
};

/* The region begins, and the thread begins to wait at once; it has waited, and the region ends. Where the program is becomes
 * what bomp_tool_code says. */
void bomp_tell_sync_begin(struct bomp_member *self, struct bomp_tool_sync *sync);
void bomp_tell_sync_end(struct bomp_member *self, const struct bomp_tool_sync *sync);

/* The clients that are told of a taskwait that has nothing to wait for: bit n for client n. */
static inline uint32_t bomp_empty_waits_told(void) {
    /* relaxed, both: as calls */
    return ~bz_load_relaxed(&bomp_tool_table.skips) & ((1u << bz_load_relaxed(&bomp_tool_table.count)) - 1);
}

/* Such a one, from its begin to its end, to these. */
void bomp_tell_empty_wait(uint32_t clients, struct bomp_member *self, struct bomp_tool_task *task,
                          const void *code);

/* In two steps, for a region that has more in it than a wait. */
void bomp_tell_sync_region(struct bomp_member *self, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                           const void *code);
void bomp_tell_sync_wait(struct bomp_member *self, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                         const void *code);

#endif
