/* The flags of the entry points that open a parallel region. */
#ifndef GOMP_REGION_H
#define GOMP_REGION_H

#include "omp/bomp.h"

/* The proc_bind clause, as in omp_proc_bind_t; 0: none. The other bits are 0. */
static inline void decode_region_flags(unsigned flags) {
    if (flags == 0)
        return;
    if (flags & ~7u)
        bomp_unknown_bits("GOMP_parallel", "flags", flags & ~7u);
    bomp_proc_bind(flags);
}

#endif
