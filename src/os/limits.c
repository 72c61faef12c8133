/* limits.c: see limits.h. Each limit is compared with what it counts, as far as the system tells, since others may have been
 * reached as well, or none: a little before the limit, as others may just have left. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/limits.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "os/files.h"
#include "os/os.h"

#define MAPS_OF_THREAD 2 /* its stack and the guard page below */

/* The number that a file begins with; 0: none, or more than there can be ("max"). */
static uint64_t number_in(const char *folder, const char *name) {
    char *text = bz_os_read("%s/%s", folder, name);
    uint64_t number = text ? strtoull(text, NULL, 10) : 0;
    bz_free(text);
    return number;
}

static bool is_reached(uint64_t limit, uint64_t count) {
    return limit != 0 && count + limit / 64 + 1 >= limit;
}

/* ---- control groups ---- */

/* In the folder of a control group and those above it, down to a path of that length; cuts `folder`. The limit that is
 * reached, 0: none. */
static uint64_t reached_in(char *folder, size_t top) {
    for (;;) {
        uint64_t limit = number_in(folder, "pids.max");
        if (is_reached(limit, number_in(folder, "pids.current")))
            return limit;
        if (strlen(folder) <= top)
            return 0;
        *strrchr(folder, '/') = '\0';
    }
}

/* A line of /proc/self/cgroup, "ID:CONTROLLERS:PATH"; without controllers it is of version 2. */
static uint64_t reached_by_line(char *line) {
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return 0;
    *path++ = '\0';
    if (controllers[1] != '\0' && strcmp(controllers + 1, "pids") != 0)
        return 0;
    const char *top = controllers[1] != '\0' ? "/sys/fs/cgroup/pids" : "/sys/fs/cgroup";
    char *folder = bz_os_format("%s%s", top, strcmp(path, "/") != 0 ? path : "");
    uint64_t limit = folder ? reached_in(folder, strlen(top)) : 0;
    bz_free(folder);
    return limit;
}

static uint64_t cgroup_limit(void) {
    char *text = bz_os_read("/proc/self/cgroup");
    uint64_t limit = 0;
    for (char *line = text, *next; line && limit == 0; line = next) {
        next = bz_os_cut_line(line);
        limit = reached_by_line(line);
    }
    bz_free(text);
    return limit;
}

/* ---- the system's ---- */

/* Threads of all processes, as far as they are seen from here: "0.3 0.2 0.1 2/345 6789". */
static uint64_t threads_of_all(void) {
    char *text = bz_os_read("/proc/loadavg");
    const char *slash = text ? strchr(text, '/') : NULL;
    uint64_t count = slash ? strtoull(slash + 1, NULL, 10) : 0;
    bz_free(text);
    return count;
}

/* Of the user, who is not privileged. */
static uint64_t user_limit(void) {
    struct rlimit limit;
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 0;
    return limit.rlim_cur;
}

void bz_os_thread_limit(char *text, size_t size) {
    uint64_t all = threads_of_all(), maps = (uint64_t)MAPS_OF_THREAD * bz_os_thread_count();
    const struct {
        const char *name;
        uint64_t limit, count;
    } limits[] = {
        {"vm.max_map_count", number_in("/proc/sys/vm", "max_map_count"), maps},
        {"kernel.threads-max", number_in("/proc/sys/kernel", "threads-max"), all},
        {"kernel.pid_max", number_in("/proc/sys/kernel", "pid_max"), all},
        {"ulimit -u", user_limit(), all},
    };
    uint64_t group = cgroup_limit();
    text[0] = '\0';
    if (group != 0) {
        snprintf(text, size, "pids.max of its control group is %" PRIu64, group);
        return;
    }
    for (size_t i = 0; i < sizeof limits / sizeof limits[0] && text[0] == '\0'; i++)
        if (is_reached(limits[i].limit, limits[i].count))
            snprintf(text, size, "%s is %" PRIu64, limits[i].name, limits[i].limit);
}
