/* How many CPUs and workers suit the process. Each call asks the system. */
#ifndef BZ_OS_TOPOLOGY_H
#define BZ_OS_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

/* The CPUs that the process may use (bz_cpus_of_process), at least 1; unknown: those that are online. Any thread. */
unsigned bz_topology_affinity_count(void);

/* The default number of workers: the CPUs of the mask or of the quota, if that is less; at least 1. */
unsigned bz_topology_default_workers(void);

/* With this many CPUs in the mask. */
unsigned bz_topology_workers_for(unsigned cpus);

/* ---- quota: the CPU time that the process's control groups of versions 1 and 2 grant ---- */

/* The least quota / period of its group and those above it, in whole CPUs, rounded down, at least 1; 0: no limit, or the
 * groups were never known. While they are unknown, the last limit holds. Any thread; keeps errno. Cost: some 5 us for each
 * group. */
unsigned bz_quota(void);

/* For tests, with root before the path of every file. False: the groups are unknown, *cpus is as before. */
bool bz_quota_read(const char *root, unsigned *cpus);

/* How long these limits have kept threads from CPUs, in nanoseconds: the sum over CPUs and groups. root: "". */
uint64_t bz_quota_throttled_ns(const char *root);

#endif
