/* The control groups of the process, where systems mount their hierarchies: below /sys/fs/cgroup. os.h's conventions
 * hold. */
#ifndef BZ_OS_CGROUP_H
#define BZ_OS_CGROUP_H

#include <stdbool.h>

/* Calls visit(folder, is_v2, arg) for each folder whose files may limit the process: those of its groups and of the groups
 * above them, in the hierarchies of that controller of versions 1 and 2. Some do not exist: a container mounts only its own
 * part of a hierarchy, but may see the host's path of its group. Tests set `root`, before the path of each file; else "".
 * False: the groups are unknown, or there is no /sys. */
bool bz_cgroups_each(const char *root, const char *controller,
                     void (*visit)(const char *folder, bool is_v2, void *arg), void *arg);

#endif
