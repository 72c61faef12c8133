/* settings.c: see settings.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "tools/trace/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime.h"
#include "tools/common/report_path.h"

struct bomp_trace_settings bomp_trace_settings;

static size_t read_size(void) {
    const char *text = bz_os_getenv("BLITZ_TRACE_SIZE");
    size_t bytes = BOMP_TRACE_BYTES;
    if (!text || !*text)
        return bytes;
    int failed = bz_parse_size(text, 1024, &bytes);
    if (!failed && bytes >= BOMP_TRACE_LEAST_BYTES)
        return bytes;
    bz_warn("BLITZ_TRACE_SIZE: invalid value '%s', which is a size of 64k or more; using %zum", text,
            BOMP_TRACE_BYTES >> 20);
    return BOMP_TRACE_BYTES;
}

/* The pattern from the root; NULL, and errno says why. */
static char *from_root(const char *asked) {
    char folder[PATH_MAX];
    if (asked[0] == '/')
        return bz_os_format("%s", asked);
    if (!getcwd(folder, sizeof folder))
        return NULL;
    char escaped[2 * PATH_MAX]; /* a percent sign of a folder is none of the pattern */
    size_t length = 0;
    for (const char *at = folder; *at; at++) {
        escaped[length++] = *at;
        if (*at == '%')
            escaped[length++] = '%';
    }
    escaped[length] = '\0';
    errno = ENOMEM;
    return bz_os_format("%s/%s", escaped, asked);
}

/* So that whoever waits for a trace hears at once, and not at the end, that there will be none. */
static int try_to_write(const char *path) {
    int held = bz_os_cancel_hold();
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    int failed = file < 0 ? errno : 0;
    if (file >= 0)
        (void)close(file);
    bz_os_cancel_allow(held);
    return failed;
}

static bool ends(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t tail = strlen(ending);
    return length > tail && strcasecmp(text + length - tail, ending) == 0;
}

bool bomp_trace_settings_read(const char *version) {
    struct bomp_trace_settings *s = &bomp_trace_settings;
    const char *asked = bz_os_getenv("BLITZ_TRACE");
    if (!asked || !*asked)
        return false;
    s->version = version;
    s->is_report = ends(asked, ".html") || ends(asked, ".htm");
    if (!s->is_report && !ends(asked, ".json")) {
        bz_warn("BLITZ_TRACE: '%s' ends neither in .html nor in .json; no trace is made", asked);
        return false;
    }
    s->bytes = read_size();
    s->pattern = from_root(asked);
    int failed = s->pattern ? ENOMEM : errno;
    s->file = s->pattern ? bomp_report_path(s->pattern, false) : NULL;
    failed = s->file ? try_to_write(s->file) : failed;
    if (failed)
        bz_warn("BLITZ_TRACE: cannot write '%s': %s; no trace is made", s->file ? s->file : asked,
                strerror(failed));
    return !failed;
}

void bomp_trace_settings_fork(void) {
    bomp_trace_settings.is_child = true;
    bz_free(bomp_trace_settings.file);
    bomp_trace_settings.file = bomp_report_path(bomp_trace_settings.pattern, true);
}
