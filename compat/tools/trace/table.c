/* table.c: see table.h. */
#include "tools/trace/table.h"

uint16_t bomp_trace_table_add(struct bomp_trace_table *table, const void *address, unsigned slot) {
    for (unsigned try = 0; try < BOMP_TRACE_TABLE_TRIES; try++) {
        unsigned at = (slot + try) % BOMP_TRACE_TABLE_SLOTS;
        const void *there = bz_load_relaxed(&table->slots[at]);
        if (there == address ||
            (!there && (bz_cas_relaxed(&table->slots[at], &there, address) || there == address)))
            return (uint16_t)(at + 1);
    }
    return 0;
}
