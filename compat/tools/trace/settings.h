/* settings.h: what the environment says of the trace.
 *
 *   BLITZ_TRACE=FILE.html   a report that any browser opens
 *   BLITZ_TRACE=FILE.json   a trace for ui.perfetto.dev, chrome://tracing or speedscope
 *   BLITZ_TRACE_SIZE=SIZE   the memory that what is noted may take, in KiB or with a suffix b, k, m or g
 *
 * Names of files are patterns (tools/common/report_path.h). */
#ifndef BOMP_TRACE_SETTINGS_H
#define BOMP_TRACE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/report_file.h"

/* Of all threads together: some ten million tasks, and a report of some 150 MB, which is about what a browser can show. */
#define BOMP_TRACE_BYTES ((size_t)256 << 20)
#define BOMP_TRACE_LEAST_BYTES ((size_t)64 << 10)

/* Written before the trace begins; `file` also by the thread that writes it and in the child of a fork. */
extern struct bomp_trace_settings {
    struct bomp_report_file file;
    const char *version;
    bool is_report;
    size_t bytes;
} bomp_trace_settings;

/* False: no trace is asked for, or it cannot be made, as a line on standard error says. */
bool bomp_trace_settings_read(const char *version);

#endif
