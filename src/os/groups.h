/* Which CPUs share a core, a cache, a socket or a node, by the system's files. Any thread. */
#ifndef BZ_OS_GROUPS_H
#define BZ_OS_GROUPS_H

#include <stddef.h>
#include <stdint.h>

enum bz_cpu_group { BZ_GROUP_CORE, BZ_GROUP_CACHE, BZ_GROUP_SOCKET, BZ_GROUP_NODE };

/* Partitions a set by core, last-level cache, socket or memory node. Calls visit(part, arg) for each part, until that does
 * not return 0: in the order of their least CPUs, nodes in that of their numbers. A CPU without files is a core of its own;
 * of the other groups, one part holds all such CPUs. Tests have a root before the path of each file; else "". Returns 0,
 * what visit returned, or ENOMEM. Cost: 20 us per CPU. */
int bz_cpu_groups(const char *root, enum bz_cpu_group group, const uint64_t *set, size_t words,
                  int (*visit)(const uint64_t *part, void *arg), void *arg);

/* Adds the CPUs of a list, "0-3,8", to a set, except those beyond its end. */
void bz_cpus_add_list(uint64_t *set, size_t words, const char *list);

#endif
