/* values.c: see values.h. */
#include "run/values.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/say.h"

long run_number(const char *option, const char *value, long least, long most) {
    char *end;
    errno = 0;
    long number = strtol(value, &end, 10);
    if (end == value || *end || errno != 0 || number < least || number > most)
        run_fail(RUN_FAILED, "%s=%s: not a number from %ld to %ld", option, value, least, most);
    return number;
}

/* Escapes percent signs for a pattern. */
static char *escaped(const char *folder) {
    char *text = run_text("%s", "");
    for (; *folder; folder++)
        text = run_text("%s%c%s", text, *folder, *folder == '%' ? "%" : "");
    return text;
}

const char *run_file(const char *option, const char *value, const char *suffix) {
    const char *slash = strrchr(value, '/');
    const char *name = slash ? slash + 1 : value;
    size_t length = strlen(name), ending = strlen(suffix);
    if (length <= ending || strcasecmp(name + length - ending, suffix) != 0)
        run_fail(RUN_FAILED, "%s=%s: not the name of a file that ends with %s", option, value, suffix);
    const char *folder = !slash ? "." : slash == value ? "/" : run_text("%.*s", (int)(slash - value), value);
    char *whole = realpath(folder, NULL);
    char *path = whole ? run_text("%s%s%s", whole, strcmp(whole, "/") == 0 ? "" : "/", name) : NULL;
    struct stat about;
    bool exists = path && !strchr(name, '%') && stat(path, &about) == 0;
    int error = !path ? errno : exists && S_ISDIR(about.st_mode) ? EISDIR : 0;
    if (error == 0 && access(exists ? path : whole, W_OK) != 0)
        error = errno;
    if (error != 0)
        run_fail(RUN_FAILED, "%s=%s: cannot be written: %s", option, value, strerror(error));
    return run_text("%s%s%s", strcmp(whole, "/") == 0 ? "" : escaped(whole), "/", name);
}
