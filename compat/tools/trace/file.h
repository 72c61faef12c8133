/* file.h: the file of a trace. */
#ifndef BOMP_TRACE_FILE_H
#define BOMP_TRACE_FILE_H

#include "tools/trace/out.h"
#include "tools/trace/slices.h"

/* Before the trace begins. */
void bomp_trace_file_begin(void);

/* Identifies the program. */
struct bomp_trace_program {
    char name[256]; /* path of its file */
    char host[65];
    uint64_t began; /* seconds since 1970 */
    const char *version;
};

/* Writes all records; a function for ending.h. The child of a fork writes nothing without records. */
void bomp_trace_file_write(void);

/* The two forms: json.c and html.c. `sources` NULL: addresses stay unknown. */
void bomp_trace_json_write(struct bomp_trace_out *out, struct bomp_trace_story *story,
                           struct bomp_sources *sources, const struct bomp_trace_program *program);
void bomp_trace_html_write(struct bomp_trace_out *out, struct bomp_trace_story *story,
                           struct bomp_sources *sources, const struct bomp_trace_program *program);

#endif
