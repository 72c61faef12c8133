/* GOMP_sections_*, GOMP_parallel_sections* and GOMP_single_*. */
#include "region.h"

BOMP_EXPORT unsigned GOMP_sections_start(unsigned), GOMP_sections_next(void);
BOMP_EXPORT void GOMP_sections_end(void), GOMP_sections_end_nowait(void);
BOMP_EXPORT bool GOMP_sections_end_cancel(void);
BOMP_EXPORT void GOMP_parallel_sections(void (*)(void *), void *, unsigned, unsigned, unsigned);
BOMP_EXPORT void GOMP_parallel_sections_start(void (*)(void *), void *, unsigned, unsigned);
BOMP_EXPORT bool GOMP_single_start(void);
BOMP_EXPORT void *GOMP_single_copy_start(void);
BOMP_EXPORT void GOMP_single_copy_end(void *);

unsigned GOMP_sections_start(unsigned count) {
    return bomp_sections_start(count);
}

unsigned GOMP_sections_next(void) {
    return bomp_sections_next();
}

void GOMP_sections_end(void) {
    bomp_sections_end();
}

void GOMP_sections_end_nowait(void) {
    bomp_sections_end_nowait();
}

/* Whether the region was cancelled. */
bool GOMP_sections_end_cancel(void) {
    bomp_sections_end();
    return bomp_cancelled();
}

void GOMP_parallel_sections(void (*fn)(void *), void *data, unsigned num_threads, unsigned count,
                            unsigned flags) {
    decode_region_flags(flags);
    bomp_parallel_sections_begin(fn, data, num_threads, count);
    fn(data);
    bomp_parallel_end();
}

void GOMP_parallel_sections_start(void (*fn)(void *), void *data, unsigned num_threads, unsigned count) {
    bomp_parallel_sections_begin(fn, data, num_threads, count);
}

bool GOMP_single_start(void) {
    return bomp_single_start();
}

void *GOMP_single_copy_start(void) {
    return bomp_single_copy_start();
}

void GOMP_single_copy_end(void *data) {
    bomp_single_copy_end(data);
}
