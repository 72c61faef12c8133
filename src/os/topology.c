#include "os/topology.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic.h"
#include "os/cgroup.h"
#include "os/cpus.h"
#include "os/files.h"
#include "os/os.h"

/* ---- quota ---- */

/* Version 2 has "<quota or max> <period>" in one file, version 1 the numbers in two. */
static void add_limit(const char *folder, bool is_v2, void *arg) {
    unsigned *least = arg;
    BZ_FREED char *text = bz_os_read(is_v2 ? "%s/cpu.max" : "%s/cpu.cfs_quota_us", folder);
    BZ_FREED char *other = is_v2 ? NULL : bz_os_read("%s/cpu.cfs_period_us", folder);
    const char *blank = is_v2 && text ? strchr(text, ' ') : NULL;
    uint64_t quota = bz_os_number(text), period = bz_os_number(blank ? blank + 1 : other);
    if (quota == 0 || period == 0)
        return;
    uint64_t cpus = quota < period ? 1 : quota / period;
    *least = cpus < *least ? (unsigned)cpus : *least;
}

bool bz_quota_read(const char *root, unsigned *cpus) {
    unsigned least = UINT_MAX;
    bool known = bz_cgroups_each(root, "cpu", add_limit, &least);
    if (known)
        *cpus = least < UINT_MAX ? least : 0;
    return known;
}

/* A line of cpu.stat: "<name> <number>". */
static void add_throttled(const char *folder, bool is_v2, void *arg) {
    uint64_t *ns = arg;
    const char *name = is_v2 ? "throttled_usec " : "throttled_time ";
    BZ_FREED char *text = bz_os_read("%s/cpu.stat", folder);
    const char *line = text ? strstr(text, name) : NULL;
    *ns += line ? bz_os_number(line + strlen(name)) * (is_v2 ? 1000 : 1) : 0;
}

uint64_t bz_quota_throttled_ns(const char *root) {
    BZ_KEEP_ERRNO;
    uint64_t ns = 0;
    (void)bz_cgroups_each(root, "cpu", add_throttled, &ns);
    return ns;
}

unsigned bz_quota(void) {
    static struct bz_a32 last; /* relaxed, both: a number alone */
    BZ_KEEP_ERRNO;
    unsigned cpus = bz_load_relaxed(&last);
    if (bz_quota_read("", &cpus))
        bz_store_relaxed(&last, cpus);
    return cpus;
}

/* ---- CPUs and workers ---- */

unsigned bz_topology_affinity_count(void) {
    size_t words = bz_cpus_words();
    uint64_t *set = __builtin_alloca(words * sizeof *set);
    unsigned count = bz_cpus_of_process(set) == 0 ? bz_cpus_count(set, words) : 0;
    long online = count == 0 ? sysconf(_SC_NPROCESSORS_ONLN) : 0;
    return count > 0 ? count : online > 1 ? (unsigned)online : 1;
}

unsigned bz_topology_workers_for(unsigned cpus) {
    unsigned quota = bz_quota(); /* 0: none */
    return quota != 0 && quota < cpus ? quota : cpus;
}

unsigned bz_topology_default_workers(void) {
    return bz_topology_workers_for(bz_topology_affinity_count());
}
