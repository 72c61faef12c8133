/* topology.c: see topology.h. */
#include "os/topology.h"

#include <unistd.h>

#include "os/cpus.h"
#include "os/quota.h"

unsigned bz_topology_affinity_count(void) {
    size_t words = bz_cpus_words();
    uint64_t *set = __builtin_alloca(words * sizeof *set);
    unsigned count = bz_cpus_of_process(set) == 0 ? bz_cpus_count(set, words) : 0;
    long online = count == 0 ? sysconf(_SC_NPROCESSORS_ONLN) : 0;
    return count > 0 ? count : online > 1 ? (unsigned)online : 1;
}

unsigned bz_topology_workers_for(unsigned cpus) {
    unsigned quota = bz_quota(); /* 0: none */
    return quota != 0 && quota < cpus ? quota : cpus;
}

unsigned bz_topology_default_workers(void) {
    return bz_topology_workers_for(bz_topology_affinity_count());
}
