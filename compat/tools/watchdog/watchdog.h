/* watchdog.h: the parts of the watchdog: the client of the tool interface, and its monitor thread. */
#ifndef BOMP_WATCHDOG_H
#define BOMP_WATCHDOG_H

#include <omp-tools.h>

#include "tools/watchdog/settings.h"

/* The tool, if BLITZ_WATCHDOG asks for it; else NULL. */
ompt_start_tool_result_t *bomp_watchdog_tool(void);

/* Registers the callbacks. */
void bomp_watchdog_client_start(ompt_function_lookup_t lookup);

/* Forgets the threads that a fork has left behind; on the only thread of the child. */
void bomp_watchdog_client_fork(void);

/* The monitor's thread exists while it has a thread to watch. The first thread to begin and the last one to end call
 * match. */
void bomp_watchdog_monitor_begin(const struct bomp_watchdog_settings *settings,
                                 ompt_function_lookup_t lookup);
void bomp_watchdog_monitor_match(void);

/* In the child of a fork, after bomp_watchdog_client_fork. */
void bomp_watchdog_monitor_fork(void);

/* For good. */
void bomp_watchdog_monitor_end(void);

/* Writes where each thread waits. `certain`: no thread can end it. False, and nothing is written: there are more events than
 * `moves`, or no memory. */
bool bomp_watchdog_report(const struct bomp_watchdog_settings *settings, uint64_t moves, bool certain);

#endif
