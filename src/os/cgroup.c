/* cgroup.c: see cgroup.h.
 *
 * /proc/self/cgroup has the process's group in each hierarchy, as a path inside it. /proc/self/mountinfo has the mount
 * points and the topmost group of each: a container often sees its own part only. From the folder where both meet up to
 * the mount point, each folder may set a limit. */
#include "os/cgroup.h"

#include <stddef.h>
#include <string.h>

#include "os/files.h"
#include "os/os.h"

enum version { V1, V2, VERSIONS };

struct search {
    struct bz_cgroup **list;
    const char *controller;
    char *group[VERSIONS];   /* the path in the controller's hierarchy; NULL: none */
    bool met[VERSIONS];      /* a mount shows that group */
    char *mounted[VERSIONS]; /* the first mount point that shows another part of the hierarchy; NULL: none */
};

static bool list_has(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup: "<id>:<controllers>:<path>"; version 2 has no controllers. */
static void visit_group(char *line, struct search *s) {
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path || path[1] != '/')
        return;
    controllers++;
    *path++ = '\0';
    enum version version = *controllers == '\0' ? V2 : V1;
    if ((version == V2 || list_has(controllers, s->controller)) && !s->group[version])
        s->group[version] = bz_os_format("%s", path);
}

/* Replaces mountinfo's octal escapes (\040 for a blank) in place. */
static void unescape(char *text) {
    char *out = text;
    for (; *text != '\0'; text++, out++) {
        *out = *text;
        if (*text == '\\' && strspn(text + 1, "01234567") >= 3) {
            *out = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0'));
            text += 3;
        }
    }
    *out = '\0';
}

/* A mount of the controller's hierarchy. */
struct mount {
    enum version version;
    char *from; /* the group that appears at the mount point */
    char *point;
};

/* A line of /proc/self/mountinfo, which it cuts: "<id> <parent> <device> <from> <point> <options> [<tag>...] - <type>
 * <source> <options>". False: another mount. */
static bool parse_mount(char *line, const char *controller, struct mount *m) {
    enum { FROM = 3, POINT, TYPE, SOURCE, OPTIONS, FIELDS };
    char *field[FIELDS], *rest;
    size_t count = 0;
    bool dash = false;
    for (char *word = strtok_r(line, " ", &rest); word && count < FIELDS; word = strtok_r(NULL, " ", &rest))
        if (count < TYPE || dash)
            field[count++] = word;
        else
            dash = strcmp(word, "-") == 0;
    if (count <= TYPE)
        return false;
    *m = (struct mount){strcmp(field[TYPE], "cgroup2") == 0 ? V2 : V1, field[FROM], field[POINT]};
    unescape(m->from);
    unescape(m->point);
    return m->version == V2 ||
           (count == FIELDS && strcmp(field[TYPE], "cgroup") == 0 && list_has(field[OPTIONS], controller));
}

/* The rest of the path below the prefix: "" if they are equal, NULL: not below. "/" is above all. */
static const char *below(const char *path, const char *prefix) {
    size_t length = strcmp(prefix, "/") == 0 ? 0 : strlen(prefix);
    if (strncmp(path, prefix, length) != 0 || (path[length] != '/' && path[length] != '\0'))
        return NULL;
    return strcmp(path + length, "/") == 0 ? "" : path + length;
}

static void add_folder(struct search *s, const char *folder, enum version version) {
    size_t size = strlen(folder) + 1;
    struct bz_cgroup *group = bz_alloc(sizeof *group + size);
    if (!group)
        return;
    *group = (struct bz_cgroup){.next = *s->list, .is_v2 = version == V2};
    memcpy(group->folder, folder, size);
    *s->list = group;
}

/* Adds the folders of the process's group if this mount shows it. */
static void visit_mount(char *line, struct search *s) {
    struct mount m;
    if (!parse_mount(line, s->controller, &m) || !s->group[m.version])
        return;
    const char *rest = below(s->group[m.version], m.from);
    if (!rest || strstr(rest, "/..")) {
        /* "/..": the group is outside of our namespace */
        if (!s->mounted[m.version])
            s->mounted[m.version] = bz_os_format("%s", m.point);
        return;
    }
    BZ_FREED char *folder = bz_os_format("%s%s", m.point, rest);
    if (!folder)
        return;
    s->met[m.version] = true;
    add_folder(s, folder, m.version);
    while (strlen(folder) > strlen(m.point)) {
        *strrchr(folder, '/') = '\0';
        add_folder(s, folder, m.version);
    }
}

static void each_line(char *text, void (*visit)(char *line, struct search *s), struct search *s) {
    for (char *line = text, *next; line; line = next) {
        next = bz_os_cut_line(line);
        visit(line, s);
    }
}

bool bz_cgroups_find(struct bz_cgroup **list, const char *root, const char *controller, const char *groups) {
    struct search s = {.list = list, .controller = controller};
    BZ_FREED char *mounts = bz_os_read("%s/proc/self/mountinfo", root);
    BZ_FREED char *lines = bz_os_format("%s", groups);
    bool readable = mounts && lines;
    *list = NULL;
    if (readable) {
        each_line(lines, visit_group, &s);
        each_line(mounts, visit_mount, &s);
    }
    for (int version = 0; version < VERSIONS; version++) {
        /* A container may see the host's path of its group, but mount only its own part: the mount point is its group. */
        if (!s.met[version] && s.mounted[version])
            add_folder(&s, s.mounted[version], (enum version)version);
        bz_free(s.group[version]);
        bz_free(s.mounted[version]);
    }
    return readable;
}

void bz_cgroups_free(struct bz_cgroup *list) {
    for (struct bz_cgroup *next; list; list = next) {
        next = list->next;
        bz_free(list);
    }
}
