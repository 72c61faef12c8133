/* trace.h: BLITZ_TRACE=FILE, a timeline of what the program did, as a tool of OMPT that is part of the library. */
#ifndef BOMP_TRACE_H
#define BOMP_TRACE_H

#include "omp-tools.h"

/* As ompt_start_tool of a tool from outside: NULL where nobody asks for a trace. */
ompt_start_tool_result_t *bomp_trace_start_tool(unsigned omp_version, const char *runtime_version);

#endif
