/* native.h: programs of blitz.h: the scheduler's events (hooks.h) become the callbacks that tools register. */
#ifndef BOMP_NATIVE_H
#define BOMP_NATIVE_H

#include <omp-tools.h>

#include "tools/common/base.h"

/* Starts the tools of the list, which ends with NULL. NULL: none has started. Once. */
const struct bz_hooks *bomp_native_begin(const struct bz_hooks_host *host,
                                         ompt_start_tool_result_t *const *tools);

/* For a runtime of OpenMP with pools in the same process: returns the tools that it starts in place of these. They start
 * these, which then get the events of both. *hooks is for the pools. Once. */
ompt_start_tool_result_t *const *bomp_native_join(const struct bz_hooks_host *host,
                                                  ompt_start_tool_result_t *const *tools,
                                                  const struct bz_hooks **hooks);

#endif
