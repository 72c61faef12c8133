/* own.c: see own.h. */
#include "ompt/own.h"

#include "omp/base/report.h"
#include "omp/icv/icv.h"
#include "ompt/blitz-tools.h"
#include "runtime.h"

ompt_start_tool_result_t *const *ompt_own_tools(void) {
    const struct blitz_tools_host host = {BLITZ_TOOLS_RUNTIME, BOMP_MESSAGE_PREFIX,
                                          bomp_global()->llvm_quiet};
    struct bz_tools_request request;
    const char *other = NULL;
    blitz_tools_start_t start = NULL;
    if (bz_tools_are_asked(&request))
        *(void **)&start = bz_tools_load(&request, BLITZ_TOOLS_START);
    ompt_start_tool_result_t *const *tools = start ? start(&host, &other) : NULL;
    if (start && !tools)
        bz_tools_refuse(&request, other, BLITZ_TOOLS_RUNTIME);
    return tools;
}
