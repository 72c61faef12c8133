/* Functions that the program imports and this library lacks. With LD_PRELOAD another runtime may define them, for which
 * each thread is alone and runs whole loops. So the program ends with a message. */
#ifndef BOMP_MISSING_H
#define BOMP_MISSING_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "runtime.h"

/* Checks the objects loaded since the last check; a missing function is fatal. Takes a lock of the loader, which
 * another thread may have held at a fork. */
void bomp_missing_check(void);

/* Numbers of code pages that regions were opened from. Any thread: relaxed. */
extern struct bz_a64 bomp_pages_known[BOMP_PAGES];
void bomp_missing_check_page(uint64_t page);

/* 1: the program has taskyields, so its tasks may wait for each other. Then no task runs on its creator's stack to keep
 * an order, which would stop the creator. Set by any thread, for good. */
extern struct bz_a32 bomp_yields;

static inline bool bomp_program_yields(void) {
    return bz_load_relaxed(&bomp_yields) != 0; /* relaxed: it publishes nothing */
}

/* Before a region of code at `code`, which may be newly loaded. */
static inline void bomp_missing_check_before(const void *code) {
    uint64_t page = (uintptr_t)code >> 12;
    if (bz_unlikely(bz_load_relaxed(&bomp_pages_known[page % BOMP_PAGES]) != page)) /* relaxed: a cache */
        bomp_missing_check_page(page);
}

#endif
