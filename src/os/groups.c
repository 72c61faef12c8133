/* groups.c: see groups.h. The files are Linux's, below /sys/devices/system. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/groups.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/cpus.h"
#include "os/files.h"
#include "os/os.h"

#define SYSTEM "/sys/devices/system/"

/* Caches of a CPU that are looked at. */
#define CACHES_MAX 16

/* The first line of a file, to be freed, or NULL. */
__attribute__((format(printf, 2, 3))) static char *read_line(const char *root, const char *format, ...) {
    char path[64];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(path, sizeof path, format, args);
    va_end(args);
    char *line = bz_os_read("%s" SYSTEM "%s", root, path);
    if (line)
        (void)bz_os_cut_line(line);
    return line;
}

void bz_cpus_add_list(uint64_t *set, size_t words, const char *list) {
    const unsigned long end = words * BZ_CPUS_WORD_BITS;
    for (char *after; *list >= '0' && *list <= '9'; list = *after == ',' ? after + 1 : after) {
        unsigned long first = strtoul(list, &after, 10);
        unsigned long last = *after == '-' ? strtoul(after + 1, &after, 10) : first;
        for (unsigned long cpu = first; cpu <= last && cpu < end; cpu++)
            bz_cpus_add(set, (unsigned)cpu);
    }
}

/* Which of a CPU's caches is of the highest level, or -1. */
static int last_cache(const char *root, unsigned cpu) {
    int best = -1;
    long level = 0;
    for (int i = 0; i < CACHES_MAX; i++) {
        char *line = read_line(root, "cpu/cpu%u/cache/index%d/level", cpu, i);
        if (!line)
            break;
        long this = strtol(line, NULL, 10);
        if (this > level) {
            level = this;
            best = i;
        }
        bz_free(line);
    }
    return best;
}

/* What the files say of one CPU's group, to be freed, or NULL. */
static char *group_of(const char *root, enum bz_cpu_group group, unsigned cpu) {
    if (group == BZ_GROUP_CACHE) {
        int cache = last_cache(root, cpu);
        return cache >= 0 ? read_line(root, "cpu/cpu%u/cache/index%d/shared_cpu_list", cpu, cache) : NULL;
    }
    /* Kernels before 5.2 know the older names only. */
    bool core = group == BZ_GROUP_CORE;
    char *line = read_line(root, "cpu/cpu%u/topology/%s", cpu, core ? "core_cpus_list" : "package_cpus_list");
    return line ? line
                : read_line(root, "cpu/cpu%u/topology/%s", cpu,
                            core ? "thread_siblings_list" : "core_siblings_list");
}

static void intersect(uint64_t *set, const uint64_t *other, size_t words) {
    for (size_t i = 0; i < words; i++)
        set[i] &= other[i];
}

static void subtract(uint64_t *set, const uint64_t *other, size_t words) {
    for (size_t i = 0; i < words; i++)
        set[i] &= ~other[i];
}

/* A walk over the parts of a set. */
struct walk {
    const char *root;
    size_t words;
    uint64_t *left; /* CPUs that no part had yet */
    uint64_t *part;
    int (*visit)(const uint64_t *part, void *arg);
    void *arg;
};

/* The CPUs of the list that are left make a part, unless there are none. */
static int give_part(struct walk *w, const char *list) {
    memset(w->part, 0, w->words * sizeof *w->part);
    bz_cpus_add_list(w->part, w->words, list);
    intersect(w->part, w->left, w->words);
    if (bz_cpus_next(w->part, w->words, 0) == UINT_MAX)
        return 0;
    subtract(w->left, w->part, w->words);
    return w->visit(w->part, w->arg);
}

static int walk_nodes(struct walk *w) {
    uint64_t nodes[16] = {0}; /* Linux has 1024 at most */
    char *online = read_line(w->root, "node/online");
    int rc = 0;
    if (online) {
        bz_cpus_add_list(nodes, 16, online);
        bz_free(online);
    }
    for (unsigned node = bz_cpus_next(nodes, 16, 0); node != UINT_MAX && rc == 0;
         node = bz_cpus_next(nodes, 16, node + 1)) {
        char *list = read_line(w->root, "node/node%u/cpulist", node);
        if (list) {
            rc = give_part(w, list);
            bz_free(list);
        }
    }
    return rc;
}

static int walk_cpus(struct walk *w, enum bz_cpu_group group) {
    int rc = 0;
    for (unsigned cpu = bz_cpus_next(w->left, w->words, 0); cpu != UINT_MAX && rc == 0;
         cpu = bz_cpus_next(w->left, w->words, cpu + 1)) {
        char *list = group_of(w->root, group, cpu);
        if (list) {
            rc = give_part(w, list);
            bz_free(list);
        }
        if (rc == 0 && bz_cpus_has(w->left, cpu) && group == BZ_GROUP_CORE) {
            char own[16];
            snprintf(own, sizeof own, "%u", cpu);
            rc = give_part(w, own);
        }
    }
    return rc;
}

int bz_cpu_groups_at(const char *root, enum bz_cpu_group group, const uint64_t *set, size_t words,
                     int (*visit)(const uint64_t *part, void *arg), void *arg) {
    uint64_t *sets = bz_alloc_zero(2, words * sizeof *sets);
    if (!sets)
        return ENOMEM;
    struct walk w = {root, words, sets, sets + words, visit, arg};
    memcpy(w.left, set, words * sizeof *set);
    int rc = group == BZ_GROUP_NODE ? walk_nodes(&w) : walk_cpus(&w, group);
    if (rc == 0 && bz_cpus_next(w.left, words, 0) != UINT_MAX)
        rc = visit(w.left, arg); /* of these nothing is known */
    bz_free(sets);
    return rc;
}

int bz_cpu_groups(enum bz_cpu_group group, const uint64_t *set, size_t words,
                  int (*visit)(const uint64_t *part, void *arg), void *arg) {
    return bz_cpu_groups_at("", group, set, words, visit, arg);
}
