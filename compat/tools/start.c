/* start.c: the way into libblitz-tools.so. */
#include <stddef.h>
#include <string.h>

#include "ompt/blitz-tools.h"
#include "tools/common/base.h"
#include "tools/stats/stats.h"
#include "tools/trace/trace.h"
#include "tools/watchdog/watchdog.h"

BLITZ_API ompt_start_tool_result_t *const *blitz_tools_start(const struct blitz_tools_host *host,
                                                             const char **version);

ompt_start_tool_result_t *const *blitz_tools_start(const struct blitz_tools_host *host,
                                                   const char **version) {
    static ompt_start_tool_result_t *asked[4];
    if (strcmp(host->version, BLITZ_TOOLS_RUNTIME) != 0) {
        *version = BLITZ_TOOLS_RUNTIME;
        return NULL;
    }
    bz_error_prefix(host->prefix);
    bz_error_quiet(host->quiet);
    ompt_start_tool_result_t *const tools[] = {bomp_stats_tool(), bomp_trace_tool(host->version),
                                               bomp_watchdog_tool()};
    size_t count = 0;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (tools[i])
            asked[count++] = tools[i];
    return asked;
}
