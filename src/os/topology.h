/* topology.h: how many CPUs this process may use, and how many workers suit it. Read afresh on every call, from the system
 * and from files. */
#ifndef BZ_OS_TOPOLOGY_H
#define BZ_OS_TOPOLOGY_H

/* The number of CPUs that the process may run on (bz_cpus_of_process); if the system does not say, of those that are online;
 * at least 1. Any thread, whatever it is bound to itself. Cost: a system call. */
unsigned bz_topology_affinity_count(void);

/* The number of workers that suits the process when nobody says otherwise: the CPUs of its mask or of its quota,
 * whichever are fewer; at least 1, even if neither can be read. */
unsigned bz_topology_default_workers(void);

/* The same for a process with that many CPUs, at least 1, in its mask. */
unsigned bz_topology_workers_for(unsigned cpus);

#endif
