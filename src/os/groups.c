/* See groups.h. The files are Linux's. */
#include "os/groups.h"

#include <stdlib.h>
#include <string.h>

#include "os/cpus.h"
#include "os/files.h"
#include "os/os.h"

#define CACHES_MAX 16 /* of a CPU */

#define SYSTEM "/sys/devices/system/"

void bz_cpus_add_list(uint64_t *set, size_t words, const char *list) {
    const unsigned long end = words * BZ_CPUS_WORD_BITS;
    for (char *after; *list >= '0' && *list <= '9'; list = *after == ',' ? after + 1 : after) {
        unsigned long first = strtoul(list, &after, 10);
        unsigned long last = *after == '-' ? strtoul(after + 1, &after, 10) : first;
        for (unsigned long cpu = first; cpu <= last && cpu < end; cpu++)
            bz_cpus_add(set, (unsigned)cpu);
    }
}

/* The index of the CPU's cache of the highest level; -1: unknown. */
static int last_cache(const char *root, unsigned cpu) {
    int best = -1;
    uint64_t most = 0;
    for (int i = 0; i < CACHES_MAX; i++) {
        BZ_FREED char *text = bz_os_read("%s" SYSTEM "cpu/cpu%u/cache/index%d/level", root, cpu, i);
        uint64_t level = bz_os_number(text);
        if (!text)
            break;
        best = level > most ? i : best;
        most = level > most ? level : most;
    }
    return best;
}

/* The list of the CPU's group, or NULL. A CPU without files is a core. */
static char *group_of(const char *root, enum bz_cpu_group group, unsigned cpu) {
    if (group == BZ_GROUP_CACHE) {
        int cache = last_cache(root, cpu);
        return cache >= 0
                   ? bz_os_read("%s" SYSTEM "cpu/cpu%u/cache/index%d/shared_cpu_list", root, cpu, cache)
                   : NULL;
    }
    /* Names that kernels before 5.2 have as well. */
    if (group == BZ_GROUP_SOCKET)
        return bz_os_read("%s" SYSTEM "cpu/cpu%u/topology/core_siblings_list", root, cpu);
    char *core = bz_os_read("%s" SYSTEM "cpu/cpu%u/topology/thread_siblings_list", root, cpu);
    return core ? core : bz_os_format("%u", cpu);
}

struct walk {
    const char *root;
    size_t words;
    uint64_t *left; /* CPUs that are in no part yet */
    uint64_t *part;
    int (*visit)(const uint64_t *part, void *arg);
    void *arg;
};

/* Visits the CPUs of the list that are left, if any, as a part. Frees the list, which may be NULL. */
static int give_part(struct walk *w, char *text) {
    BZ_FREED char *list = text;
    memset(w->part, 0, w->words * sizeof *w->part);
    bz_cpus_add_list(w->part, w->words, list ? list : "");
    for (size_t i = 0; i < w->words; i++) {
        w->part[i] &= w->left[i];
        w->left[i] &= ~w->part[i];
    }
    return bz_cpus_next(w->part, w->words, 0) == UINT_MAX ? 0 : w->visit(w->part, w->arg);
}

static int walk_nodes(struct walk *w) {
    uint64_t nodes[16] = {0}; /* Linux has 1024 at most */
    BZ_FREED char *online = bz_os_read("%s" SYSTEM "node/online", w->root);
    int rc = 0;
    bz_cpus_add_list(nodes, 16, online ? online : "");
    for (unsigned node = bz_cpus_next(nodes, 16, 0); node != UINT_MAX && rc == 0;
         node = bz_cpus_next(nodes, 16, node + 1))
        rc = give_part(w, bz_os_read("%s" SYSTEM "node/node%u/cpulist", w->root, node));
    return rc;
}

static int walk_cpus(struct walk *w, enum bz_cpu_group group) {
    int rc = 0;
    for (unsigned cpu = bz_cpus_next(w->left, w->words, 0); cpu != UINT_MAX && rc == 0;
         cpu = bz_cpus_next(w->left, w->words, cpu + 1))
        rc = give_part(w, group_of(w->root, group, cpu));
    return rc;
}

int bz_cpu_groups(const char *root, enum bz_cpu_group group, const uint64_t *set, size_t words,
                  int (*visit)(const uint64_t *part, void *arg), void *arg) {
    BZ_FREED uint64_t *sets = bz_alloc_zero(2, words * sizeof *sets);
    if (!sets)
        return ENOMEM;
    struct walk w = {root, words, sets, sets + words, visit, arg};
    memcpy(w.left, set, words * sizeof *set);
    int rc = group == BZ_GROUP_NODE ? walk_nodes(&w) : walk_cpus(&w, group);
    if (rc == 0 && bz_cpus_next(w.left, words, 0) != UINT_MAX)
        rc = visit(w.left, arg); /* in no known group */
    return rc;
}
