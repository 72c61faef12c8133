/* own.h: the tools that come with the library. */
#ifndef OMPT_OWN_H
#define OMPT_OWN_H

#include "omp-tools.h"

/* Loads libblitz-tools.so if the environment asks for one of its tools. Returns what their start functions have returned,
 * a list that ends with NULL; NULL: none, and if one was asked for a line says why. Once in a process. */
ompt_start_tool_result_t *const *ompt_own_tools(void);

#endif
