/* settings.h: the settings of the trace from the environment.
 *
 *   BLITZ_TRACE=FILE.html   a report that any browser opens
 *   BLITZ_TRACE=FILE.json   a trace for ui.perfetto.dev, chrome://tracing or speedscope
 *   BLITZ_TRACE_SIZE=SIZE   memory for events, in KiB or with a suffix b, k, m or g
 *
 * Names of files are patterns (tools/common/report_path.h). */
#ifndef BOMP_TRACE_SETTINGS_H
#define BOMP_TRACE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/common/report_file.h"

/* Of all threads together: some ten million tasks, and a report of 150 MB, about the limit of a browser. */
#define BOMP_TRACE_BYTES ((size_t)256 << 20)
#define BOMP_TRACE_LEAST_BYTES ((size_t)64 << 10)

/* Written before the trace begins; `file` also by the thread that writes it and in the child of a fork. */
extern struct bomp_trace_settings {
    struct bomp_report_file file;
    const char *version;
    bool is_report;
    size_t bytes;
} bomp_trace_settings;

/* False: no trace is requested, or a line said why it cannot be made. */
bool bomp_trace_settings_read(const char *version);

#endif
