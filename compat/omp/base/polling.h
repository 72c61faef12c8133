/* Whether the program has taskyield constructs: whether its tasks may wait for each other by yielding. Then no task runs
 * on the stack of the one that created it, which could not go on before it has ended (task_yield.c). Nor does one where the
 * program asks what depends on a task (depend_shown.h): it would be over when it is asked about. A program that has neither
 * pays a look at a table for each region. */
#ifndef BOMP_POLLING_H
#define BOMP_POLLING_H

#include <stdbool.h>
#include <stdint.h>

#include "omp/base/tuning.h"
#include "runtime.h"

extern struct bz_a64 bomp_pages_known[BOMP_PAGES]; /* written and read by all who open regions: relaxed */
extern struct bz_a32 bomp_polls;                   /* 1: it has; set by any, for good */

void bomp_polling_look(uint64_t page);

/* Before a region of the program's code at `code`: it may have been loaded since the last one. */
static inline void bomp_polling_of(const void *code) {
    uint64_t page = (uintptr_t)code >> 12;
    if (bz_unlikely(bz_load_relaxed(&bomp_pages_known[page % BOMP_PAGES]) != page)) /* relaxed: a cache */
        bomp_polling_look(page);
}

static inline bool bomp_program_polls(void) {
    return bz_load_relaxed(&bomp_polls) != 0; /* relaxed: nothing is passed on with it */
}

#endif
