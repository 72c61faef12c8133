#include "env/names.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "env/error.h"
#include "os/os.h"

#define NAME_SHOWN 64 /* bytes of a name that are repeated to the user */

/* Whether one slip turns `length` bytes of the name into the other name. */
static bool is_near(const char *name, size_t length, const char *other) {
    size_t others = strlen(other), same = 0;
    while (same < length && same < others && name[same] == other[same])
        same++;
    const char *a = name + same, *b = other + same;
    size_t left = length - same, others_left = others - same;
    if (left == others_left && left >= 2 && a[0] == b[1] && a[1] == b[0] &&
        memcmp(a + 2, b + 2, left - 2) == 0)
        return true;
    size_t skip = left >= others_left, others_skip = others_left >= left;
    return left >= skip && others_left >= others_skip && left - skip == others_left - others_skip &&
           memcmp(a + skip, b + others_skip, left - skip) == 0;
}

static void check(const char *const *known, bool ours, const char *name, size_t length, const char *value) {
    const char *meant = NULL;
    for (; *known; known++) {
        if (strlen(*known) == length && memcmp(*known, name, length) == 0)
            return;
        meant = is_near(name, length, *known) ? *known : meant;
    }
    if (!meant && !ours)
        return;
    char shown[NAME_SHOWN + 4];
    (void)snprintf(shown, sizeof shown, "%.*s%s", length < NAME_SHOWN ? (int)length : NAME_SHOWN, name,
                   length > NAME_SHOWN ? "..." : "");
    bz_warn_value(shown, value, "unknown variable; ignored%s%s%s", meant ? " (did you mean " : "",
                  meant ? meant : "", meant ? "?)" : "");
}

void bz_names_check(const char *prefix, const char *const *known, bool ours) {
    size_t length = strlen(prefix);
    for (char **variable = bz_os_environment(); *variable; variable++) {
        const char *value = strncmp(*variable, prefix, length) == 0 ? strchr(*variable, '=') : NULL;
        if (value)
            check(known, ours, *variable, (size_t)(value - *variable), value + 1);
    }
}

bool bz_names_any(const char *prefix) {
    char **variable = bz_os_environment();
    while (*variable && strncmp(*variable, prefix, strlen(prefix)) != 0)
        variable++;
    return *variable;
}
