/* table.h: numbers of 16 bits for addresses of the program, the same for all threads. */
#ifndef BOMP_TRACE_TABLE_H
#define BOMP_TRACE_TABLE_H

#include <stdint.h>

#include "tools/common/base.h"

#define BOMP_TRACE_TABLE_BITS 15
#define BOMP_TRACE_TABLE_SLOTS (1u << BOMP_TRACE_TABLE_BITS)
#define BOMP_TRACE_TABLE_TRIES 64u

struct bomp_trace_table {
    /* NULL: free. Written once, by the thread that claims it; read by all. Relaxed: only the address matters. */
    struct {
        const void *v;
    } slots[BOMP_TRACE_TABLE_SLOTS];
};

/* Adds the address. 0: no room. */
uint16_t bomp_trace_table_add(struct bomp_trace_table *table, const void *address, unsigned slot);

BZ_INLINE unsigned bomp_trace_table_slot(const void *address) {
    return (unsigned)((uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15) >>
                      (64 - BOMP_TRACE_TABLE_BITS));
}

/* The number of an address: 1 and more; 0 for NULL, and where the table is full. Cost: a few ns. */
BZ_INLINE uint16_t bomp_trace_table_number(struct bomp_trace_table *table, const void *address) {
    if (bz_unlikely(!address))
        return 0;
    unsigned slot = bomp_trace_table_slot(address);
    if (bz_likely(bz_load_relaxed(&table->slots[slot]) == address))
        return (uint16_t)(slot + 1);
    return bomp_trace_table_add(table, address, slot);
}

/* The address of a number; NULL for 0. */
static inline const void *bomp_trace_table_address(struct bomp_trace_table *table, uint16_t number) {
    return number > 0 && number <= BOMP_TRACE_TABLE_SLOTS ? bz_load_relaxed(&table->slots[number - 1]) : NULL;
}

#endif
