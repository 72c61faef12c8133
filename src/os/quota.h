/* quota.h: the CPU time that the process's control groups grant: the least quota / period of its group and those above
 * it, of versions 2 (cpu.max) and 1 (cpu.cfs_quota_us, cpu.cfs_period_us). Any thread. Both functions keep errno. */
#ifndef BZ_OS_QUOTA_H
#define BZ_OS_QUOTA_H

#include <stdint.h>

/* In whole CPUs, rounded down, at least 1; 0: no limit, or the files were never readable. Reads the files at each call;
 * limits hold while they cannot be read. Cost: some 5 us for each group, and 100 us when the process is in new groups. */
unsigned bz_quota(void);

/* How long these limits have kept threads from CPUs, in nanoseconds: the sum over CPUs and groups since the groups exist,
 * from cpu.stat. Cost: as above. */
uint64_t bz_quota_throttled_ns(void);

/* For tests: the same with root (no slash at its end) before the path of every file. *files, at first NULL, keeps the found
 * files until bz_quota_free. */
struct bz_quota_files;
unsigned bz_quota_read(struct bz_quota_files **files, const char *root);
uint64_t bz_quota_read_throttled(const struct bz_quota_files *files, const char *root);
void bz_quota_free(struct bz_quota_files *files);

#endif
