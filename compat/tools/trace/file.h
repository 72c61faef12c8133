/* file.h: the file of a trace. */
#ifndef BOMP_TRACE_FILE_H
#define BOMP_TRACE_FILE_H

#include "tools/trace/out.h"
#include "tools/trace/slices.h"

/* Before the trace begins. */
void bomp_trace_file_begin(void);

/* The program's identity, for all forms. */
struct bomp_trace_program {
    char name[256]; /* of the program's file */
    char host[65];
    uint64_t began; /* seconds since 1970 */
    const char *version;
};

/* Writes what was noted until now, as a function of ending.h. In the child of a fork nothing is written if nothing was
 * noted. */
void bomp_trace_file_write(void);

/* The two forms: json.c and html.c. `sources` may be NULL: nothing is known of addresses. */
void bomp_trace_json_write(struct bomp_trace_out *out, struct bomp_trace_story *story,
                           struct bomp_sources *sources, const struct bomp_trace_program *program);
void bomp_trace_html_write(struct bomp_trace_out *out, struct bomp_trace_story *story,
                           struct bomp_sources *sources, const struct bomp_trace_program *program);

#endif
