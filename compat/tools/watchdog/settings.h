/* settings.h: what BLITZ_WATCHDOG says. */
#ifndef BOMP_WATCHDOG_SETTINGS_H
#define BOMP_WATCHDOG_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct bomp_watchdog_settings {
    uint64_t limit_ns; /* time without progress that counts as a hang; 0: no watchdog */
    enum { BOMP_WATCHDOG_GO_ON, BOMP_WATCHDOG_EXIT, BOMP_WATCHDOG_ABORT } then;
    int code; /* of exit */
};

/* Reads the variable. A line for what makes no sense: then there is no watchdog. */
struct bomp_watchdog_settings bomp_watchdog_read_settings(void);

/* The same of a text: SECONDS[,exit=CODE|,abort]; seconds may have a point and three places. 0 or an errno value. */
int bomp_watchdog_parse(const char *text, struct bomp_watchdog_settings *settings);

#endif
