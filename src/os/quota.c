/* quota.c: see quota.h.
 *
 * /proc/self/cgroup says which group of each hierarchy the process is in, as a path inside the hierarchy;
 * /proc/self/mountinfo says where hierarchies are mounted and the topmost group there (a container often sees only its
 * own part). Where both meet lies the folder of the process's group; every folder from there up to the mount point may set a
 * limit. That search is made once, and again when /proc/self/cgroup has changed. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/quota.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "os/files.h"
#include "os/os.h"

enum version { V1, V2, VERSIONS };

/* A folder that may set a limit. */
struct limit {
    struct limit *next;
    char *folder;
    enum version version;
    unsigned cpus; /* as it was read last; 0: none */
};

struct bz_quota_files {
    char *groups; /* /proc/self/cgroup when the search was made */
    struct limit *limits;
};

/* ---- the limits ---- */

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

/* The number in a file, 0 for other text ("max", "-1"). False: the file cannot be read. */
static bool read_number(const char *root, const struct limit *limit, const char *name, uint64_t *number) {
    char *text = bz_os_read("%s%s/%s", root, limit->folder, name);
    if (text) {
        (void)bz_os_cut_line(text);
        *number = positive_number(text);
    }
    bz_free(text);
    return text;
}

/* Version 2: "<quota or max> <period>". */
static bool read_v2(const char *root, const struct limit *limit, uint64_t *quota, uint64_t *period) {
    char *text = bz_os_read("%s%s/cpu.max", root, limit->folder);
    if (!text)
        return false;
    (void)bz_os_cut_line(text);
    const char *second = strchr(text, ' ');
    *quota = positive_number(text);
    *period = second ? positive_number(second + 1) : 0;
    bz_free(text);
    return true;
}

/* The number in a line of cpu.stat, "<name> <number>"; 0: there is no such line. */
static uint64_t stat_of(char *text, const char *name) {
    size_t length = strlen(name);
    for (char *line = text, *next; line; line = next) {
        next = bz_os_cut_line(line);
        if (strncmp(line, name, length) == 0 && line[length] == ' ')
            return positive_number(line + length + 1);
    }
    return 0;
}

static uint64_t read_throttled(const char *root, const struct limit *limit) {
    char *text = bz_os_read("%s%s/cpu.stat", root, limit->folder);
    uint64_t ns =
        limit->version == V2 ? stat_of(text, "throttled_usec") * 1000 : stat_of(text, "throttled_time");
    bz_free(text);
    return ns;
}

static void read_limit(const char *root, struct limit *limit) {
    uint64_t quota, period;
    bool readable = limit->version == V2 ? read_v2(root, limit, &quota, &period)
                                         : read_number(root, limit, "cpu.cfs_quota_us", &quota) &&
                                               read_number(root, limit, "cpu.cfs_period_us", &period);
    if (!readable)
        return;
    uint64_t whole = quota != 0 && period != 0 ? quota / period : 0;
    if (quota == 0 || period == 0)
        limit->cpus = 0;
    else
        limit->cpus = whole < 1 ? 1 : whole < UINT_MAX ? (unsigned)whole : UINT_MAX;
}

/* ---- the search ---- */

struct search {
    struct bz_quota_files *files;
    char *group[VERSIONS]; /* path in the hierarchy that rules CPU time, NULL for none */
    bool met[VERSIONS];    /* a mount was found that shows that group */
    char *mounted
        [VERSIONS]; /* the first mount point that shows some other part of the hierarchy, NULL for none */
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
static void visit_group(char *line, void *arg) {
    struct search *s = arg;
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path || path[1] != '/')
        return;
    controllers++;
    *path++ = '\0';
    enum version version = *controllers == '\0' ? V2 : V1;
    if ((version == V2 || list_has(controllers, "cpu")) && !s->group[version])
        s->group[version] = bz_os_format("%s", path);
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

/* A cgroup mount, from its line in mountinfo. */
struct mount {
    enum version version;
    char *from; /* the group that appears at the mount point */
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

/* One more folder that may set a limit. */
static void add_limit(struct bz_quota_files *files, const char *folder, enum version version) {
    struct limit *limit = bz_alloc(sizeof *limit);
    char *own = bz_os_format("%s", folder);
    if (!limit || !own) {
        bz_free(limit);
        bz_free(own);
        return;
    }
    *limit = (struct limit){files->limits, own, version, 0};
    files->limits = limit;
}

/* A line of /proc/self/mountinfo: adds the folders of the process's group if this mount shows it. */
static void visit_mount(char *line, void *arg) {
    struct search *s = arg;
    struct mount m;
    if (!parse_mount(line, &m) || !s->group[m.version])
        return;
    const char *rest = below(s->group[m.version], m.from);
    /* With "/..", the group lies outside of what our namespace sees. */
    if (!rest || strstr(rest, "/..")) {
        if (!s->mounted[m.version])
            s->mounted[m.version] = bz_os_format("%s", m.point);
        return;
    }
    char *folder = bz_os_format("%s%s", m.point, rest);
    if (!folder)
        return;
    s->met[m.version] = true;
    add_limit(s->files, folder, m.version);
    while (strlen(folder) > strlen(m.point)) {
        *strrchr(folder, '/') = '\0';
        add_limit(s->files, folder, m.version);
    }
    bz_free(folder);
}

/* Calls visit(line, arg) for each line of a text, which it cuts. */
static void each_line(char *text, void (*visit)(char *line, void *arg), void *arg) {
    for (char *line = text, *next; line; line = next) {
        next = bz_os_cut_line(line);
        visit(line, arg);
    }
}

/* The folders for what /proc/self/cgroup says; cuts `groups`. False: the mounts cannot be read. */
static bool find_limits(struct bz_quota_files *files, const char *root, char *groups) {
    struct search s = {.files = files};
    char *mounts = groups ? bz_os_read("%s/proc/self/mountinfo", root) : NULL;
    if (!mounts)
        return false;
    each_line(groups, visit_group, &s);
    each_line(mounts, visit_mount, &s);
    for (int version = 0; version < VERSIONS; version++) {
        /* A container may name its group as the host sees it but mount only its own part: that is its mount point. */
        if (!s.met[version] && s.mounted[version])
            add_limit(files, s.mounted[version], (enum version)version);
        bz_free(s.group[version]);
        bz_free(s.mounted[version]);
    }
    bz_free(mounts);
    return true;
}

void bz_quota_free(struct bz_quota_files *files) {
    for (struct limit *limit = files ? files->limits : NULL, *next; limit; limit = next) {
        next = limit->next;
        bz_free(limit->folder);
        bz_free(limit);
    }
    if (files)
        bz_free(files->groups);
    bz_free(files);
}

/* The files to read for a process in these groups; takes `groups`. NULL: the mounts cannot be read, or no memory. */
static struct bz_quota_files *new_files(const char *root, char *groups) {
    struct bz_quota_files *files = bz_alloc_zero(1, sizeof *files);
    char *cut = bz_os_format("%s", groups);
    bool found = files && find_limits(files, root, cut);
    bz_free(cut);
    if (!found) {
        bz_free(groups);
        bz_quota_free(files);
        return NULL;
    }
    files->groups = groups;
    return files;
}

unsigned bz_quota_read(struct bz_quota_files **files, const char *root) {
    char *groups = bz_os_read("%s/proc/self/cgroup", root);
    if (groups && (!*files || strcmp(groups, (*files)->groups) != 0)) {
        bz_quota_free(*files);
        *files = new_files(root, groups);
    } else {
        bz_free(groups);
    }
    unsigned least = 0;
    for (struct limit *limit = *files ? (*files)->limits : NULL; limit; limit = limit->next) {
        read_limit(root, limit);
        least = least == 0 || (limit->cpus != 0 && limit->cpus < least) ? limit->cpus : least;
    }
    return least;
}

uint64_t bz_quota_read_throttled(const struct bz_quota_files *files, const char *root) {
    uint64_t ns = 0;
    for (const struct limit *limit = files ? files->limits : NULL; limit; limit = limit->next)
        ns += read_throttled(root, limit);
    return ns;
}

/* The files of the last reading, NULL while a thread reads: another thread that needs them then, or the child of a fork,
 * searches by itself. */
static struct { struct bz_quota_files *v; } kept; /* taken and given back by any thread */

static struct bz_quota_files *take(void) {
    return bz_exchange_acquire(&kept, NULL); /* K7: pairs with K8 */
}

static void put(struct bz_quota_files *files) {
    bz_quota_free(bz_exchange_acq_rel(&kept, files)); /* K8: pairs with K7 and K8 */
}

unsigned bz_quota(void) {
    int saved = errno;
    struct bz_quota_files *files = take();
    unsigned cpus = bz_quota_read(&files, "");
    put(files);
    errno = saved;
    return cpus;
}

uint64_t bz_quota_throttled_ns(void) {
    struct bz_quota_files *files = take();
    (void)bz_quota_read(&files, "");
    uint64_t ns = bz_quota_read_throttled(files, "");
    put(files);
    return ns;
}
