/* topology.c: see topology.h.
 *
 * Finding the quota: /proc/self/cgroup says which cgroup of each hierarchy the process is in, as a path inside the
 * hierarchy; /proc/self/mountinfo says where hierarchies are mounted, and from which cgroup on (a container often sees
 * only its own part). Where both meet lies the directory of the process's cgroup; every directory from there up to
 * the mount point may set a limit. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/topology.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "os/cpus.h"
#include "os/files.h"
#include "os/os.h"

/* CPUs. */

#define FIRST_MASK_BYTES 128 /* 1024 CPUs: enough at the first try nearly everywhere */
#define LAST_MASK_BYTES ((size_t)1 << 20)

/* The mask of the initial thread, whose number is the process's; or what it was before the thread was pinned. */
static int process_mask(size_t bytes, void *mask) {
    const uint64_t *kept = bz_cpus_kept();
    if (kept) {
        size_t known = bz_cpus_words() * sizeof *kept;
        if (known > bytes)
            return EINVAL;
        memset(mask, 0, bytes);
        memcpy(mask, kept, known);
        return 0;
    }
    return sched_getaffinity(getpid(), bytes, mask) == 0 ? 0 : errno;
}

/* The CPU numbers of a mask of bytes bytes. */
static int cpus_from_mask(const cpu_set_t *mask, size_t bytes, struct bz_topology_cpus *cpus) {
    size_t count = (size_t)CPU_COUNT_S(bytes, mask);
    if (count == 0)
        return EINVAL;
    unsigned *ids = bz_alloc(count * sizeof *ids);
    if (!ids)
        return ENOMEM;
    unsigned found = 0;
    for (unsigned cpu = 0; found < count; cpu++)
        if (CPU_ISSET_S(cpu, bytes, mask))
            ids[found++] = cpu;
    *cpus = (struct bz_topology_cpus){.count = found, .ids = ids};
    return 0;
}

/* The kernel refuses a mask with fewer bits than CPUs it might ever have, so ask again with more. */
int bz_topology_cpus_by(bz_topology_mask_query *query, struct bz_topology_cpus *cpus) {
    int rc = EINVAL;
    for (size_t bytes = FIRST_MASK_BYTES; rc == EINVAL && bytes <= LAST_MASK_BYTES; bytes *= 2) {
        cpu_set_t *mask = bz_alloc_zero(1, bytes);
        if (!mask)
            return ENOMEM;
        rc = query(bytes, mask);
        if (rc == 0)
            rc = cpus_from_mask(mask, bytes, cpus);
        bz_free(mask);
    }
    return rc;
}

int bz_topology_cpus(struct bz_topology_cpus *cpus) {
    return bz_topology_cpus_by(process_mask, cpus);
}

void bz_topology_cpus_free(struct bz_topology_cpus *cpus) {
    bz_free(cpus->ids);
    *cpus = (struct bz_topology_cpus){0};
}

unsigned bz_topology_affinity_count(void) {
    struct bz_topology_cpus cpus;
    if (bz_topology_cpus(&cpus) != 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        return online > 1 ? (unsigned)online : 1;
    }
    unsigned count = cpus.count;
    bz_topology_cpus_free(&cpus);
    return count;
}

/* Files. */

/* The first line of <root><dir>/<name>, "" if it has none or cannot be read. */
static void read_line_at(const char *root, const char *dir, const char *name, char *line, size_t size) {
    char *text = bz_os_read("%s%s/%s", root, dir, name);
    line[0] = '\0';
    if (text) {
        (void)bz_os_cut_line(text);
        strncpy(line, text, size - 1);
        line[size - 1] = '\0';
    }
    bz_free(text);
}

/* Call visit(line, arg) for every line of a file, newline cut off. False if the file cannot be opened. */
static bool each_line(const char *root, const char *path, void (*visit)(char *line, void *arg), void *arg) {
    char *text = bz_os_read("%s%s", root, path);
    for (char *line = text, *next; line; line = next) {
        next = bz_os_cut_line(line);
        visit(line, arg);
    }
    bz_free(text);
    return text;
}

/* Limits. */

enum version { V1, V2, VERSIONS };

/* A positive decimal number at the start of text, ended by a blank or the end; 0 for anything else ("max", "-1"). */
static uint64_t positive_number(const char *text) {
    uint64_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (value > (UINT64_MAX - 9) / 10)
            return 0;
        value = value * 10 + (uint64_t)(*text - '0');
    }
    return *text == '\0' || *text == ' ' ? value : 0;
}

/* The limit that one cgroup directory sets, in whole CPUs; 0 for none. */
static unsigned limit_of_dir(const char *root, const char *dir, enum version version) {
    char line[64];
    uint64_t quota;
    uint64_t period;
    if (version == V2) { /* "<quota or max> <period>" */
        read_line_at(root, dir, "cpu.max", line, sizeof line);
        const char *second = strchr(line, ' ');
        quota = positive_number(line);
        period = second ? positive_number(second + 1) : 0;
    } else {
        read_line_at(root, dir, "cpu.cfs_quota_us", line, sizeof line);
        quota = positive_number(line);
        read_line_at(root, dir, "cpu.cfs_period_us", line, sizeof line);
        period = positive_number(line);
    }
    if (quota == 0 || period == 0)
        return 0;
    uint64_t whole = quota / period;
    return whole < 1 ? 1 : whole < UINT_MAX ? (unsigned)whole : UINT_MAX;
}

/* The lesser of two limits, where 0 is none. */
static unsigned lesser(unsigned a, unsigned b) {
    return a == 0 || (b != 0 && b < a) ? b : a;
}

/* The least limit of dir and the directories above it, down to a path of top_length bytes. Eats dir's end. */
static unsigned limit_upward(const char *root, char *dir, size_t top_length, enum version version) {
    unsigned least = limit_of_dir(root, dir, version);
    while (strlen(dir) > top_length) {
        *strrchr(dir, '/') = '\0';
        least = lesser(least, limit_of_dir(root, dir, version));
    }
    return least;
}

/* The process's cgroups and their mounts. */

/* What a search for the quota has found. */
struct search {
    const char *root;
    char *cgroup[VERSIONS]; /* path in the hierarchy that rules CPU time, NULL for none */
    bool met[VERSIONS];     /* a mount was found that shows that cgroup */
    char *mounted
        [VERSIONS]; /* the first mount point that shows some other part of the hierarchy, NULL for none */
    unsigned limit; /* in whole CPUs, 0 for none so far */
};

/* Whether the comma list has the word. */
static bool list_has(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup: "<id>:<controllers>:<path>"; no controllers means v2. */
static void visit_cgroup(char *line, void *arg) {
    struct search *s = arg;
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path || path[1] != '/')
        return;
    controllers++;
    *path++ = '\0';
    enum version version = *controllers == '\0' ? V2 : V1;
    if ((version == V2 || list_has(controllers, "cpu")) && !s->cgroup[version])
        s->cgroup[version] = bz_os_format("%s", path);
}

/* Undo mountinfo's octal escapes (\040 for a blank) in place. */
static void unescape(char *text) {
    char *out = text;
    for (; *text != '\0'; text++) {
        if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' && text[2] <= '7' &&
            text[3] >= '0' && text[3] <= '7') {
            *out++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
            text += 3;
        } else {
            *out++ = *text;
        }
    }
    *out = '\0';
}

/* What a line of mountinfo says about a cgroup mount. */
struct mount {
    enum version version;
    char *from; /* the cgroup that appears at the mount point */
    char *point;
};

/* Take a line of /proc/self/mountinfo apart: "<id> <parent> <device> <from> <point> <options> [<tag>...] - <type>
 * <source> <options>". False if it is not a mount of a hierarchy that rules CPU time. */
static bool parse_mount(char *line, struct mount *m) {
    char *end = strstr(line, " - ");
    if (!end)
        return false;
    char *rest = NULL;
    char *type = strtok_r(end + 3, " ", &rest);
    char *source = strtok_r(NULL, " ", &rest);
    char *options = strtok_r(NULL, " ", &rest);
    if (type && strcmp(type, "cgroup2") == 0)
        m->version = V2;
    else if (type && strcmp(type, "cgroup") == 0 && source && options && list_has(options, "cpu"))
        m->version = V1;
    else
        return false;
    *end = '\0';
    char *field[5];
    for (size_t i = 0; i < 5; i++) {
        field[i] = strtok_r(i == 0 ? line : NULL, " ", &rest);
        if (!field[i])
            return false;
    }
    m->from = field[3];
    m->point = field[4];
    unescape(m->from);
    unescape(m->point);
    return true;
}

/* Where path continues below prefix: "" if they are equal, NULL if it does not lie below. "/" is above all. */
static const char *below(const char *path, const char *prefix) {
    size_t length = strcmp(prefix, "/") == 0 ? 0 : strlen(prefix);
    if (strncmp(path, prefix, length) != 0 || (path[length] != '/' && path[length] != '\0'))
        return NULL;
    return strcmp(path + length, "/") == 0 ? "" : path + length;
}

/* A line of /proc/self/mountinfo: apply the limits of the process's cgroup if this mount shows it. */
static void visit_mount(char *line, void *arg) {
    struct search *s = arg;
    struct mount m;
    if (!parse_mount(line, &m) || !s->cgroup[m.version])
        return;
    const char *rest = below(s->cgroup[m.version], m.from);
    /* With "/..", the cgroup lies outside of what our namespace sees. */
    if (!rest || strstr(rest, "/..")) {
        if (!s->mounted[m.version])
            s->mounted[m.version] = bz_os_format("%s", m.point);
        return;
    }
    char *dir = bz_os_format("%s%s", m.point, rest);
    if (dir) {
        s->met[m.version] = true;
        s->limit = lesser(s->limit, limit_upward(s->root, dir, strlen(m.point), m.version));
        bz_free(dir);
    }
}

unsigned bz_topology_quota_at(const char *root) {
    struct search s = {.root = root};
    if (each_line(root, "/proc/self/cgroup", visit_cgroup, &s))
        (void)each_line(root, "/proc/self/mountinfo", visit_mount, &s);
    for (int version = 0; version < VERSIONS; version++) {
        /* A container may name its cgroup as the host sees it but mount only its own part: that is its mount point. */
        if (!s.met[version] && s.mounted[version])
            s.limit = lesser(s.limit, limit_of_dir(root, s.mounted[version], (enum version)version));
        bz_free(s.cgroup[version]);
        bz_free(s.mounted[version]);
    }
    return s.limit;
}

unsigned bz_topology_quota(void) {
    return bz_topology_quota_at("");
}

unsigned bz_topology_default_workers_at(const char *root) {
    return lesser(bz_topology_affinity_count(), bz_topology_quota_at(root));
}

unsigned bz_topology_workers_for(unsigned cpus) {
    return lesser(cpus, bz_topology_quota());
}

unsigned bz_topology_default_workers(void) {
    return bz_topology_default_workers_at("");
}
