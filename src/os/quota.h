/* quota.h: the CPU time that the process's control groups of versions 1 and 2 grant: the least quota / period of its group
 * and those above it. Any thread. Keeps errno. */
#ifndef BZ_OS_QUOTA_H
#define BZ_OS_QUOTA_H

#include <stdbool.h>
#include <stdint.h>

/* In whole CPUs, rounded down, at least 1; 0: no limit, or the groups were never known. While they are unknown, the last
 * limit holds. Cost: some 5 us for each group. */
unsigned bz_quota(void);

/* For tests, with root before the path of every file. False: the groups are unknown, *cpus is as before. */
bool bz_quota_read(const char *root, unsigned *cpus);

/* How long these limits have kept threads from CPUs, in nanoseconds: the sum over CPUs and groups. root: "". */
uint64_t bz_quota_throttled_ns(const char *root);

#endif
