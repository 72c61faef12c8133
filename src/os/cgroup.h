/* cgroup.h: the control groups of the process. os.h's conventions hold. */
#ifndef BZ_OS_CGROUP_H
#define BZ_OS_CGROUP_H

#include <stdbool.h>

/* A folder whose files may limit the process. */
struct bz_cgroup {
    struct bz_cgroup *next;
    bool is_v2;
    unsigned cpus; /* the caller's; 0 at first */
    char folder[];
};

/* The folders of the groups in `groups`, the text of /proc/self/cgroup, and those above them, in the hierarchies of that
 * controller of versions 1 and 2. Tests set `root`, before the path of each file. False: the mounts cannot be read, or no
 * memory. Cost: some 100 us. */
bool bz_cgroups_find(struct bz_cgroup **list, const char *root, const char *controller, const char *groups);
void bz_cgroups_free(struct bz_cgroup *list);

#endif
