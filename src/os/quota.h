/* quota.h: the CPU time that the process's control groups of versions 1 and 2 grant: the least quota / period of its group
 * and those above it. Any thread. Keeps errno. */
#ifndef BZ_OS_QUOTA_H
#define BZ_OS_QUOTA_H

#include <stdint.h>

/* In whole CPUs, rounded down, at least 1; 0: no limit, or the files were never readable. While they cannot be read, limits
 * hold. Cost: some 5 us for each group, and 100 us when the process is in new groups. */
unsigned bz_quota(void);

/* How long these limits have kept threads from CPUs, in nanoseconds: the sum over CPUs and groups. */
uint64_t bz_quota_throttled_ns(void);

/* For tests: the same with root before the path of every file. *files, at first NULL, keeps the found files. */
struct bz_quota_files;
unsigned bz_quota_read(struct bz_quota_files **files, const char *root);
uint64_t bz_quota_read_throttled(const struct bz_quota_files *files, const char *root);
void bz_quota_free(struct bz_quota_files *files);

#endif
