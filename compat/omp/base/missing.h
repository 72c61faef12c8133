/* Functions that the program, or a library of its, asks of an OpenMP runtime and that we do not have: those of a compiler
 * newer than we are. Preloaded, we would leave them to another runtime that is loaded beside us, in which every thread is
 * alone: each would run the whole of a loop. So the program ends with one line. */
#ifndef BOMP_MISSING_H
#define BOMP_MISSING_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "runtime.h"

/* Looks at what was loaded since the last look; what is missing is fatal. Cost if nothing was: below a microsecond. Like
 * every look at what is loaded it takes a lock of the loader's, which another thread may have held at a fork. */
void bomp_missing_look(void);

/* Numbers of pages of code that regions were opened from; written and read by all who open regions: relaxed. */
extern struct bz_a64 bomp_pages_known[BOMP_PAGES];
void bomp_missing_look_from(uint64_t page);

/* 1: the program has taskyield constructs, so its tasks may wait for each other by yielding. Then no task runs on its
 * creator's stack for the sake of an order: the creator could not go on before it has ended. Set by any thread, for good. */
extern struct bz_a32 bomp_yields;

static inline bool bomp_program_yields(void) {
    return bz_load_relaxed(&bomp_yields) != 0; /* relaxed: nothing is passed on with it */
}

/* Before a region of the program's code at `code`: it may have been loaded since the last one. One from a page that is known
 * pays a look at a table. */
static inline void bomp_missing_look_before(const void *code) {
    uint64_t page = (uintptr_t)code >> 12;
    if (bz_unlikely(bz_load_relaxed(&bomp_pages_known[page % BOMP_PAGES]) != page)) /* relaxed: a cache */
        bomp_missing_look_from(page);
}

#endif
