/* watchdog.c: how the watchdog comes and goes. */
#include "tools/watchdog/watchdog.h"

#include "tools/common/base.h"

/* Written when the tool starts; constant after that. */
static struct bomp_watchdog_settings settings;

/* A fork leaves the monitor in the parent. */
static void child(void) {
    bomp_watchdog_client_fork();
    bomp_watchdog_monitor_fork();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    bomp_watchdog_client_start(lookup);
    (void)bz_os_at_fork(NULL, NULL, child);
    bomp_watchdog_monitor_begin(&settings, lookup);
    return 1;
}

static void finalize(ompt_data_t *data) {
    (void)data;
    bomp_watchdog_monitor_end();
}

ompt_start_tool_result_t *bomp_watchdog_tool(void) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    settings = bomp_watchdog_read_settings();
    return settings.limit_ns > 0 ? &result : NULL;
}
