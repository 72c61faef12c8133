/* topology.h: how many CPUs and workers suit the process. Each call asks the system. */
#ifndef BZ_OS_TOPOLOGY_H
#define BZ_OS_TOPOLOGY_H

/* The CPUs that the process may use (bz_cpus_of_process), at least 1; unknown: those that are online. Any thread. */
unsigned bz_topology_affinity_count(void);

/* The default number of workers: the CPUs of the mask or of the quota, if that is less; at least 1. */
unsigned bz_topology_default_workers(void);

/* The same with this many CPUs in the mask. */
unsigned bz_topology_workers_for(unsigned cpus);

#endif
