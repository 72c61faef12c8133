/* watchdog_tool.c: the watchdog as a separate tool, for another runtime with the tool interface. */
#include "tools/watchdog/watchdog.h"

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    (void)omp_version, (void)runtime_version;
    return bomp_watchdog_tool();
}
