/* GOMP_parallel and its legacy pair. Combined loops and sections are in loop.c and sections.c. */
#include "region.h"

BOMP_EXPORT void GOMP_parallel(void (*fn)(void *), void *data, unsigned num_threads, unsigned flags) {
    BOMP_ENTERED();
    decode_region_flags(flags);
    bomp_parallel(fn, data, num_threads);
}

BOMP_EXPORT void GOMP_parallel_start(void (*fn)(void *), void *data, unsigned num_threads) {
    BOMP_ENTERED();
    bomp_parallel_begin(fn, data, num_threads);
}
