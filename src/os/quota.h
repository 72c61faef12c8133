/* quota.h: how much CPU time the process's control groups grant: the least quota / period of its group and all those above
 * it. Version 2 (cpu.max) and version 1 (cpu.cfs_quota_us, cpu.cfs_period_us), also both at once. */
#ifndef BZ_OS_QUOTA_H
#define BZ_OS_QUOTA_H

#include <stdint.h>

/* In whole CPUs, rounded down, at least 1; 0: nothing limits it, or the files have never been readable. Each call reads the
 * files again; what could be read before holds while they cannot. Any thread; leaves errno alone.
 * Cost: some 100 us at the first call and when the process has come to another group; then some 5 us for each group. */
unsigned bz_quota(void);

/* For how long these limits have kept threads from CPUs, in ns: the sum over all CPUs and groups, since the groups exist, by
 * cpu.stat. Any thread. Cost: as above. */
uint64_t bz_quota_throttled_ns(void);

/* For tests: the same with root (no slash at its end) before the path of every file. *files keeps the files that
 * were found; it begins as NULL and belongs to the caller until bz_quota_free. */
struct bz_quota_files;
unsigned bz_quota_read(struct bz_quota_files **files, const char *root);
uint64_t bz_quota_read_throttled(const struct bz_quota_files *files, const char *root);
void bz_quota_free(struct bz_quota_files *files);

#endif
