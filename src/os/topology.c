/* topology.c: see topology.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/topology.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "os/cpus.h"
#include "os/os.h"
#include "os/quota.h"

/* CPUs. */

#define FIRST_MASK_BYTES 128 /* 1024 CPUs: enough at the first try nearly everywhere */
#define LAST_MASK_BYTES ((size_t)1 << 20)

/* The mask of the initial thread, whose number is the process's; or what it was before the thread was pinned. */
static int process_mask(size_t bytes, void *mask) {
    const uint64_t *kept = bz_cpus_kept();
    if (kept) {
        size_t known = bz_cpus_words() * sizeof *kept;
        if (known > bytes)
            return EINVAL;
        memset(mask, 0, bytes);
        memcpy(mask, kept, known);
        return 0;
    }
    return sched_getaffinity(getpid(), bytes, mask) == 0 ? 0 : errno;
}

/* The CPU numbers of a mask of bytes bytes. */
static int cpus_from_mask(const cpu_set_t *mask, size_t bytes, struct bz_topology_cpus *cpus) {
    size_t count = (size_t)CPU_COUNT_S(bytes, mask);
    if (count == 0)
        return EINVAL;
    unsigned *ids = bz_alloc(count * sizeof *ids);
    if (!ids)
        return ENOMEM;
    unsigned found = 0;
    for (unsigned cpu = 0; found < count; cpu++)
        if (CPU_ISSET_S(cpu, bytes, mask))
            ids[found++] = cpu;
    *cpus = (struct bz_topology_cpus){.count = found, .ids = ids};
    return 0;
}

/* The kernel refuses a mask with fewer bits than CPUs it might ever have, so ask again with more. */
int bz_topology_cpus_by(bz_topology_mask_query *query, struct bz_topology_cpus *cpus) {
    int rc = EINVAL;
    for (size_t bytes = FIRST_MASK_BYTES; rc == EINVAL && bytes <= LAST_MASK_BYTES; bytes *= 2) {
        cpu_set_t *mask = bz_alloc_zero(1, bytes);
        if (!mask)
            return ENOMEM;
        rc = query(bytes, mask);
        if (rc == 0)
            rc = cpus_from_mask(mask, bytes, cpus);
        bz_free(mask);
    }
    return rc;
}

int bz_topology_cpus(struct bz_topology_cpus *cpus) {
    return bz_topology_cpus_by(process_mask, cpus);
}

void bz_topology_cpus_free(struct bz_topology_cpus *cpus) {
    bz_free(cpus->ids);
    *cpus = (struct bz_topology_cpus){0};
}

unsigned bz_topology_affinity_count(void) {
    struct bz_topology_cpus cpus;
    if (bz_topology_cpus(&cpus) != 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        return online > 1 ? (unsigned)online : 1;
    }
    unsigned count = cpus.count;
    bz_topology_cpus_free(&cpus);
    return count;
}

/* The lesser of the CPUs and of a quota, where 0 is none. */
static unsigned within_quota(unsigned cpus, unsigned quota) {
    return quota != 0 && quota < cpus ? quota : cpus;
}

unsigned bz_topology_workers_for(unsigned cpus) {
    return within_quota(cpus, bz_quota());
}

unsigned bz_topology_default_workers(void) {
    return bz_topology_workers_for(bz_topology_affinity_count());
}
