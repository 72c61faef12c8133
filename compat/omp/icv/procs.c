/* procs.c: see procs.h. */
#include "omp/icv/procs.h"

#include <string.h>

struct bz_a32 bomp_procs_count;
struct bz_a64 bomp_procs_due;
_Thread_local uint32_t bomp_procs_told;

/* CPUs of the process at the last reading; 0: not known. Written and read by any thread, relaxed. */
static struct bz_a32 last_count;

/* CPUs of the initial thread, whose mask is `own`, and of the threads that the program has bound elsewhere. These are asked
 * only when it has fewer than before: it may be bound itself. */
static unsigned count_bound(const uint64_t *own, size_t words) {
    uint64_t *all = __builtin_alloca(words * sizeof *all);
    unsigned count = bz_cpus_count(own, words);
    if (count >= bz_load_relaxed(&last_count))
        return count;
    memcpy(all, own, words * sizeof *own);
    bz_thread_cache_add_cpus(own, all);
    return bz_cpus_count(all, words);
}

unsigned bomp_procs_in_mask(void) {
    size_t words = bz_cpus_words();
    uint64_t *own = __builtin_alloca(words * sizeof *own);
    unsigned count = bz_cpus_of_process(own) == 0 ? count_bound(own, words) : bz_topology_affinity_count();
    bz_store_relaxed(&last_count, count);
    return count;
}

/* Others that come meanwhile go on with what is known. */
BZ_COLD unsigned bomp_procs_measure(void) {
    bz_store_relaxed(&bomp_procs_due, bz_tick_ns() + BZ_BUDGET_NS);
    unsigned mask = bomp_procs_in_mask(), count = bz_topology_workers_for(mask);
    bz_set_cpus(mask);
    bz_store_relaxed(&bomp_procs_count, count);
    return count;
}
