/* procs.h: the default size of a team: the budget of the process (src/team/budget.h), but no more than what
 * omp_get_max_threads last answered to the thread, which may have sized its arrays by that. For a thread that never asked,
 * the last answer to any thread counts. */
#ifndef BOMP_PROCS_H
#define BOMP_PROCS_H

#include <stdint.h>

#include "runtime.h"

/* The last answer to the calling thread, and to any: written and read by all threads, relaxed. 0: none yet. */
extern _Thread_local uint32_t bomp_procs_own_answer __attribute__((tls_model("initial-exec")));
extern struct bz_a32 bomp_procs_answer;

static inline unsigned bomp_procs_for_region(void) {
    uint32_t answer = bomp_procs_own_answer ? bomp_procs_own_answer : bz_load_relaxed(&bomp_procs_answer);
    uint32_t budget = bz_budget();
    return answer != 0 && answer < budget ? answer : budget;
}

/* The answer to the calling thread. */
static inline unsigned bomp_procs_tell(void) {
    uint32_t budget = bz_budget();
    if (bz_load_relaxed(&bomp_procs_answer) != budget)
        bz_store_relaxed(&bomp_procs_answer, budget);
    return bomp_procs_own_answer = budget;
}

#endif
