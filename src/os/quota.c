/* quota.c: see quota.h. The search for groups is repeated only when /proc/self/cgroup has changed. */
#include "os/quota.h"

#include <limits.h>
#include <string.h>

#include "base/atomic.h"
#include "os/cgroup.h"
#include "os/files.h"
#include "os/os.h"

struct bz_quota_files {
    struct bz_cgroup *list;
    char groups[]; /* /proc/self/cgroup at the search */
};

/* ---- the files of a group ---- */

/* False: the file cannot be read. */
static bool read_number(const char *root, const struct bz_cgroup *group, const char *name, uint64_t *number) {
    BZ_FREED char *text = bz_os_read("%s%s/%s", root, group->folder, name);
    *number = bz_os_number(text);
    return text;
}

/* Version 2: "<quota or max> <period>". */
static bool read_v2(const char *root, const struct bz_cgroup *group, uint64_t *quota, uint64_t *period) {
    BZ_FREED char *text = bz_os_read("%s%s/cpu.max", root, group->folder);
    const char *second = text ? strchr(text, ' ') : NULL;
    *quota = bz_os_number(text);
    *period = second ? bz_os_number(second + 1) : 0;
    return text;
}

/* Keeps the last limit while the files cannot be read. */
static void read_limit(const char *root, struct bz_cgroup *group) {
    uint64_t quota, period;
    if (!(group->is_v2 ? read_v2(root, group, &quota, &period)
                       : read_number(root, group, "cpu.cfs_quota_us", &quota) &&
                             read_number(root, group, "cpu.cfs_period_us", &period)))
        return;
    uint64_t cpus = quota != 0 && period != 0 ? quota / period : 0;
    if (cpus == 0 && quota != 0 && period != 0)
        cpus = 1;
    group->cpus = cpus < UINT_MAX ? (unsigned)cpus : UINT_MAX;
}

/* A line of cpu.stat: "<name> <number>". */
static uint64_t read_throttled(const char *root, const struct bz_cgroup *group) {
    const char *name = group->is_v2 ? "throttled_usec " : "throttled_time ";
    BZ_FREED char *text = bz_os_read("%s%s/cpu.stat", root, group->folder);
    const char *line = text ? strstr(text, name) : NULL;
    uint64_t number = line ? bz_os_number(line + strlen(name)) : 0;
    return group->is_v2 ? number * 1000 : number;
}

/* ---- all groups ---- */

void bz_quota_free(struct bz_quota_files *files) {
    if (files)
        bz_cgroups_free(files->list);
    bz_free(files);
}

static struct bz_quota_files *new_files(const char *root, const char *groups) {
    size_t size = strlen(groups) + 1;
    struct bz_quota_files *files = bz_alloc(sizeof *files + size);
    if (!files)
        return NULL;
    memcpy(files->groups, groups, size);
    if (bz_cgroups_find(&files->list, root, "cpu", groups))
        return files;
    bz_quota_free(files);
    return NULL;
}

unsigned bz_quota_read(struct bz_quota_files **files, const char *root) {
    BZ_FREED char *groups = bz_os_read("%s/proc/self/cgroup", root);
    bool changed = groups && (!*files || strcmp(groups, (*files)->groups) != 0);
    struct bz_quota_files *found = changed ? new_files(root, groups) : NULL;
    if (found) {
        bz_quota_free(*files);
        *files = found;
    }
    unsigned least = 0;
    for (struct bz_cgroup *group = *files ? (*files)->list : NULL; group; group = group->next) {
        read_limit(root, group);
        least = least == 0 || (group->cpus != 0 && group->cpus < least) ? group->cpus : least;
    }
    return least;
}

uint64_t bz_quota_read_throttled(const struct bz_quota_files *files, const char *root) {
    uint64_t ns = 0;
    for (const struct bz_cgroup *group = files ? files->list : NULL; group; group = group->next)
        ns += read_throttled(root, group);
    return ns;
}

/* The groups of the last reading. NULL while a thread reads: another one, or the child of a fork, then searches for itself.
 * Written and read by any thread. */
static struct { struct bz_quota_files *v; } kept;

static struct bz_quota_files *take(void) {
    return bz_exchange_acquire(&kept, NULL); /* K7: pairs with K8 */
}

static void put(struct bz_quota_files *files) {
    if (files)
        bz_quota_free(bz_exchange_acq_rel(&kept, files)); /* K8: pairs with K7 and K8 */
}

unsigned bz_quota(void) {
    static struct bz_a32 last; /* relaxed, both: a number alone */
    BZ_KEEP_ERRNO;
    struct bz_quota_files *files = take();
    unsigned cpus = bz_quota_read(&files, "");
    if (files)
        bz_store_relaxed(&last, cpus);
    else
        cpus = bz_load_relaxed(&last);
    put(files);
    return cpus;
}

uint64_t bz_quota_throttled_ns(void) {
    BZ_KEEP_ERRNO;
    struct bz_quota_files *files = take();
    (void)bz_quota_read(&files, "");
    uint64_t ns = bz_quota_read_throttled(files, "");
    put(files);
    return ns;
}
