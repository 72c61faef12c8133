/* See limits.h. A limit that its count almost reaches counts as reached, since other threads may have ended
 * meanwhile. */
#include "os/limits.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "os/cgroup.h"
#include "os/files.h"
#include "os/os.h"

#define MAPS_OF_THREAD 2 /* its stack and the guard page below */

/* 0: no limit. */
static uint64_t number_in(const char *folder, const char *name) {
    BZ_FREED char *text = bz_os_read("%s/%s", folder, name);
    return bz_os_number(text);
}

static bool is_reached(uint64_t limit, uint64_t count) {
    return limit != 0 && count + limit / 64 + 1 >= limit;
}

/* Keeps the limit of the first group that is reached. */
static void check_group(const char *folder, bool is_v2, void *arg) {
    uint64_t *reached = arg, limit = number_in(folder, "pids.max");
    (void)is_v2;
    if (*reached == 0 && is_reached(limit, number_in(folder, "pids.current")))
        *reached = limit;
}

/* Threads of all visible processes, from "0.3 0.2 0.1 2/345 6789". */
static uint64_t threads_of_all(void) {
    BZ_FREED char *text = bz_os_read("/proc/loadavg");
    const char *slash = text ? strchr(text, '/') : NULL;
    return slash ? bz_os_number(slash + 1) : 0;
}

/* Of a user without privileges. */
static uint64_t user_limit(void) {
    struct rlimit limit;
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return limit.rlim_cur;
}

void bz_os_thread_limit(char *text, size_t size) {
    uint64_t all = threads_of_all(), maps = (uint64_t)MAPS_OF_THREAD * bz_os_thread_count(), group = 0;
    (void)bz_cgroups_each("", "pids", check_group, &group);
    const struct {
        const char *name;
        uint64_t limit, count;
    } limits[] = {
        {"pids.max of its control group", group, group},
        {"vm.max_map_count", number_in("/proc/sys/vm", "max_map_count"), maps},
        {"kernel.threads-max", number_in("/proc/sys/kernel", "threads-max"), all},
        {"kernel.pid_max", number_in("/proc/sys/kernel", "pid_max"), all},
        {"ulimit -u", user_limit(), all},
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof limits / sizeof limits[0] && text[0] == '\0'; i++)
        if (is_reached(limits[i].limit, limits[i].count))
            snprintf(text, size, "%s is %" PRIu64, limits[i].name, limits[i].limit);
}
