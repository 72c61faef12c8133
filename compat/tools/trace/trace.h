/* trace.h: BLITZ_TRACE=FILE, a timeline of what the program did, as a tool of OMPT of the library's own. */
#ifndef BOMP_TRACE_H
#define BOMP_TRACE_H

#include "omp-tools.h"

/* The tool, if BLITZ_TRACE asks for it; else NULL. `runtime`: what the runtime calls itself. */
ompt_start_tool_result_t *bomp_trace_tool(const char *runtime);

#endif
