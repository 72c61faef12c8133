/* start.c: the way into libblitz-tools.so. */
#include <stddef.h>
#include <string.h>

#include "ompt/blitz-tools.h"
#include "tools/common/base.h"
#include "tools/native/native.h"
#include "tools/stats/stats.h"
#include "tools/trace/trace.h"
#include "tools/watchdog/watchdog.h"

BLITZ_API ompt_start_tool_result_t *const *blitz_tools_start(const struct blitz_tools_host *host,
                                                             const char **version);

BLITZ_API const struct bz_hooks *blitz_tools_watch(const struct bz_hooks_host *host, const char **version);

/* Those that the environment asks for. */
static ompt_start_tool_result_t *const *asked_by(const char *runtime) {
    static ompt_start_tool_result_t *asked[4];
    ompt_start_tool_result_t *const tools[] = {bomp_stats_tool(), bomp_trace_tool(runtime),
                                               bomp_watchdog_tool()};
    size_t count = 0;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
        if (tools[i])
            asked[count++] = tools[i];
    return asked;
}

ompt_start_tool_result_t *const *blitz_tools_start(const struct blitz_tools_host *host,
                                                   const char **version) {
    if (strcmp(host->version, BLITZ_TOOLS_RUNTIME) != 0) {
        *version = BLITZ_TOOLS_RUNTIME;
        return NULL;
    }
    bz_error_prefix(host->prefix);
    bz_error_quiet(host->quiet);
    return bomp_native_join(host->pools, asked_by(host->version), host->hooks);
}

const struct bz_hooks *blitz_tools_watch(const struct bz_hooks_host *host, const char **version) {
    if (strcmp(host->version, BZ_HOOKS_VERSION) != 0) {
        *version = BZ_HOOKS_VERSION;
        return NULL;
    }
    bz_error_prefix(host->prefix);
    return bomp_native_begin(host, asked_by(host->version));
}
