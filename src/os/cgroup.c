#include "os/cgroup.h"

#include <string.h>
#include <unistd.h>

#include "os/files.h"
#include "os/os.h"

/* Cuts the comma list. */
static bool list_has(char *list, const char *word) {
    const char *part;
    while ((part = strsep(&list, ",")) && strcmp(part, word) != 0)
        continue;
    return part;
}

/* The group's path in the controller's hierarchy, from a line of /proc/self/cgroup, "<id>:<controllers>:<path>"; version 2
 * has no controllers. "": the root, or outside of our namespace ("/.."). NULL: another hierarchy. */
static const char *path_in(char *line, const char *controller, bool *is_v2) {
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path || path[1] != '/')
        return NULL;
    *path++ = '\0';
    *is_v2 = *++controllers == '\0';
    if (!*is_v2 && !list_has(controllers, controller))
        return NULL;
    return path[1] == '\0' || strncmp(path, "/..", 3) == 0 ? "" : path;
}

bool bz_cgroups_each(const char *root, const char *controller,
                     void (*visit)(const char *folder, bool is_v2, void *arg), void *arg) {
    BZ_FREED char *groups = bz_os_read("%s/proc/self/cgroup", root);
    BZ_FREED char *mounts = bz_os_format("%s/sys/fs/cgroup", root);
    bool is_known = groups && mounts && access(mounts, X_OK) == 0, is_v2;
    for (char *line = groups, *next; is_known && line; line = next) {
        next = bz_os_cut_line(line);
        const char *path = path_in(line, controller, &is_v2);
        if (!path)
            continue;
        BZ_FREED char *folder =
            bz_os_format("%s%s%s%s", mounts, is_v2 ? "" : "/", is_v2 ? "" : controller, path);
        size_t mount = folder ? strlen(folder) - strlen(path) : 0;
        while (folder) {
            visit(folder, is_v2, arg);
            if (strlen(folder) <= mount)
                break;
            *strrchr(folder, '/') = '\0';
        }
    }
    return is_known;
}
