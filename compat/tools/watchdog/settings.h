/* settings.h: the settings of BLITZ_WATCHDOG. */
#ifndef BOMP_WATCHDOG_SETTINGS_H
#define BOMP_WATCHDOG_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct bomp_watchdog_settings {
    uint64_t limit_ns; /* time without progress that counts as a hang; 0: no watchdog */
    enum { BOMP_WATCHDOG_GO_ON, BOMP_WATCHDOG_EXIT, BOMP_WATCHDOG_ABORT } then;
    int code; /* of exit */
};

/* Reads the variable. A bad value gets a line, and there is no watchdog. */
struct bomp_watchdog_settings bomp_watchdog_read_settings(void);

/* Parses SECONDS[,exit=CODE|,abort]; seconds may have decimals. 0 or an errno value. */
int bomp_watchdog_parse(const char *text, struct bomp_watchdog_settings *settings);

#endif
