/* The tools that come with the library. */
#include "ompt/ompt.h"

#include "omp/base/report.h"
#include "omp/icv/icv.h"
#include "omp/tool/hooks.h"
#include "ompt/blitz-tools.h"
#include "runtime.h"

/* Written while tools start. */
static const struct bz_hooks *hooks;

const struct bz_hooks *bomp_tool_hooks(void) {
    return bomp_tool_met() ? hooks : NULL;
}

ompt_start_tool_result_t *const *ompt_own_tools(void) {
    const struct blitz_tools_host host = {BLITZ_TOOLS_RUNTIME, BOMP_MESSAGE_PREFIX,
                                          !bomp_global()->llvm_warns, bz_tools_host(), &hooks};
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
