/* topology.h: which CPUs this process may use, and how many workers suit it. Read afresh on every call, from the system and
 * from files. */
#ifndef BZ_OS_TOPOLOGY_H
#define BZ_OS_TOPOLOGY_H

#include <stddef.h>

/* CPUs by the system's numbers, ascending. ids belongs to whoever filled it; bz_topology_cpus_free gives it back. */
struct bz_topology_cpus {
    unsigned count; /* at least 1 */
    unsigned *ids;  /* count of them */
};

/* The CPUs that the process may run on: the affinity mask of its initial thread, which is what taskset, a batch
 * system or mpirun gave it, or what cpus.h kept of it. Any thread, whatever it is bound to itself. Returns 0, ENOMEM,
 * or the system's refusal.
 * Cost: some microseconds, grows with the CPUs the kernel was built for. */
int bz_topology_cpus(struct bz_topology_cpus *cpus);

/* Free what bz_topology_cpus filled in; an all-zero struct is fine. */
void bz_topology_cpus_free(struct bz_topology_cpus *cpus);

/* The number of those CPUs; if the mask cannot be read, of the CPUs that are online; at least 1. Cost: the same. */
unsigned bz_topology_affinity_count(void);

/* The number of workers that suits the process when nobody says otherwise: the CPUs of its mask or of its quota,
 * whichever are fewer; at least 1, even if neither can be read. */
unsigned bz_topology_default_workers(void);

/* The same for a process with that many CPUs, at least 1, in its mask. */
unsigned bz_topology_workers_for(unsigned cpus);

/* For tests. How to ask for an affinity mask of at most `bytes` bytes: 0 or an errno value, EINVAL for too few bytes. */
typedef int bz_topology_mask_query(size_t bytes, void *mask);

/* bz_topology_cpus, with the mask that query yields. */
int bz_topology_cpus_by(bz_topology_mask_query *query, struct bz_topology_cpus *cpus);

#endif
