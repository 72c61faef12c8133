/* procs.h: how many threads suit the process: as many as there are CPUs in its mask or in its quota, whichever are fewer
 * (src/os/topology.h). The first region, or question of the program, that comes BZ_BUDGET_NS after the last reading
 * reads both again. The process's mask is that of its initial thread, and of those threads of ours that the program has
 * bound elsewhere: a program that gives each thread a CPU of its own has as many as before. While we bind threads to places,
 * the CPUs are those that the process had before.
 *
 * No region of a thread gets more than omp_get_max_threads last answered to that thread, which may have sized its arrays by
 * that. */
#ifndef BOMP_PROCS_H
#define BOMP_PROCS_H

#include <stdint.h>

#include "omp/base/tuning.h"
#include "runtime.h"

/* Written and read by any thread; relaxed: nothing else depends on them. */
extern struct bz_a32 bomp_procs_count; /* 0: never measured */
extern struct bz_a64 bomp_procs_due;   /* bz_tick_ns() of the next reading */

/* The last answer to the calling thread; 0: none yet. */
extern _Thread_local uint32_t bomp_procs_told __attribute__((tls_model("initial-exec")));

unsigned bomp_procs_measure(void);

/* At least 1. Cost: some 5 ns; a system call and a few small files when a reading is due, some 100 us at the first one. */
static inline unsigned bomp_procs(void) {
    uint32_t count = bz_load_relaxed(&bomp_procs_count);
    bool holds = count != 0 && bz_tick_ns() < bz_load_relaxed(&bomp_procs_due);
    return bz_likely(holds) ? count : bomp_procs_measure();
}

/* The same for a region. */
static inline unsigned bomp_procs_for_region(void) {
    uint32_t count = bomp_procs();
    return bomp_procs_told != 0 && bomp_procs_told < count ? bomp_procs_told : count;
}

/* The same for the program, which keeps to the answer until it asks again. */
static inline unsigned bomp_procs_tell(void) {
    return bomp_procs_told = bomp_procs();
}

/* CPUs in the process's mask now, whatever the quota. Cost: a system call; one more for each thread of ours if the initial
 * thread has lost CPUs. */
unsigned bomp_procs_in_mask(void);

#endif
