/* settings.c: see settings.h. */
#include "tools/trace/settings.h"

#include <string.h>
#include <strings.h>

#include "tools/common/base.h"

struct bomp_trace_settings bomp_trace_settings;

static size_t read_size(void) {
    const char *text = bz_os_getenv("BLITZ_TRACE_SIZE");
    size_t bytes = BOMP_TRACE_BYTES;
    if (!text || !*text)
        return bytes;
    int failed = bz_parse_size(text, 1024, &bytes);
    if (!failed && bytes >= BOMP_TRACE_LEAST_BYTES)
        return bytes;
    bz_warn_value("BLITZ_TRACE_SIZE", text, "invalid value, not 64k or more; using %zum",
                  BOMP_TRACE_BYTES >> 20);
    return BOMP_TRACE_BYTES;
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
        bz_warn_value("BLITZ_TRACE", asked, "invalid value, must end in .html or .json; no trace is written");
        return false;
    }
    s->bytes = read_size();
    return bomp_report_file_begin(&s->file, "BLITZ_TRACE", asked, "no trace is made");
}
