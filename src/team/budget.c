#include "team/budget.h"

#include <errno.h>
#include <string.h>

#include "base/config.h"
#include "os/cpus.h"
#include "os/topology.h"
#include "team/thread_cache.h"
#include "wait/load.h"

struct bz_a32 bz_budget_count;
struct bz_a64 bz_budget_due;

/* CPUs of the process at the last reading; 0: not known. Written and read by any thread, relaxed. */
static struct bz_a32 last_cpus;

/* If the initial thread has fewer than before, it may be bound, and cached threads elsewhere: theirs count as well. */
unsigned bz_budget_cpus(void) {
    size_t words = bz_cpus_words();
    uint64_t *own = __builtin_alloca(words * sizeof *own), *all = __builtin_alloca(words * sizeof *all);
    bool known = bz_cpus_of_process(own) == 0;
    unsigned count = known ? bz_cpus_count(own, words) : bz_topology_affinity_count();
    if (known && count < bz_load_relaxed(&last_cpus)) {
        memcpy(all, own, words * sizeof *own);
        bz_thread_cache_add_cpus(own, all);
        count = bz_cpus_count(all, words);
    }
    bz_store_relaxed(&last_cpus, count);
    return count;
}

/* One thread reads; others use the last reading meanwhile. */
BZ_COLD unsigned bz_budget_read(void) {
    uint64_t due = bz_load_relaxed(&bz_budget_due);
    uint32_t known = bz_load_relaxed(&bz_budget_count);
    if (!bz_cas_relaxed(&bz_budget_due, &due, bz_os_tick_ns() + BZ_BUDGET_NS) && known != 0)
        return known;
    int saved = errno;
    unsigned cpus = bz_budget_cpus(), count = bz_topology_workers_for(cpus);
    bz_set_cpus(cpus);
    bz_store_relaxed(&bz_budget_count, count);
    errno = saved;
    return count;
}
