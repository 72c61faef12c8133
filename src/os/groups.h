/* groups.h: which CPUs belong together, as the system's files say. Any thread; each call reads
 * files. */
#ifndef BZ_OS_GROUPS_H
#define BZ_OS_GROUPS_H

#include <stddef.h>
#include <stdint.h>

enum bz_cpu_group { BZ_GROUP_CORE, BZ_GROUP_CACHE, BZ_GROUP_SOCKET, BZ_GROUP_NODE };

/* Partition the CPUs of a set of words words: what shares a core, a last-level cache, a socket, or a node of memory, is
 * one part. Calls visit(part, arg) for each, a subset of the set that is gone after the call: in the order of their
 * least CPUs, nodes in the order of their numbers. Where the files do not say, a CPU is a core of its own, and the other
 * groups hold all CPUs of which nothing is known. Stops when visit returns something else than 0.
 * Returns 0, what visit returned, or ENOMEM. Cost: some 20 us per CPU. */
int bz_cpu_groups(enum bz_cpu_group group, const uint64_t *set, size_t words,
                  int (*visit)(const uint64_t *part, void *arg), void *arg);

/* For tests: the same with root (no slash at its end) before the path of every file. */
int bz_cpu_groups_at(const char *root, enum bz_cpu_group group, const uint64_t *set, size_t words,
                     int (*visit)(const uint64_t *part, void *arg), void *arg);

/* Add the CPUs of a list as the system writes it, "0-3,8", to a set; those that it has no room for are left out. */
void bz_cpus_add_list(uint64_t *set, size_t words, const char *list);

#endif
