/* native.h: programs of blitz.h: what the scheduler tells (hooks.h) becomes the callbacks that tools register. */
#ifndef BOMP_NATIVE_H
#define BOMP_NATIVE_H

#include <omp-tools.h>

#include "tools/common/base.h"

/* Starts the tools of the list, which ends with NULL. NULL: none has begun. Once. */
const struct bz_hooks *bomp_native_begin(const struct bz_hooks_host *host,
                                         ompt_start_tool_result_t *const *tools);

#endif
