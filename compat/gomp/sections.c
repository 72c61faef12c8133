/* GOMP_parallel_sections*, and GOMP_sections_end_cancel. */
#include "region.h"

/* Whether the region was cancelled. */
BOMP_EXPORT bool GOMP_sections_end_cancel(void) {
    bomp_sections_end();
    return bomp_cancelled();
}

BOMP_EXPORT void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads, unsigned count,
                                        unsigned flags) {
    BOMP_ENTERED();
    decode_region_flags(flags);
    bomp_parallel_sections_begin(fn, data, num_threads, count);
    fn(data);
    bomp_parallel_end();
}

BOMP_EXPORT void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads,
                                              unsigned count) {
    BOMP_ENTERED();
    bomp_parallel_sections_begin(fn, data, num_threads, count);
}
