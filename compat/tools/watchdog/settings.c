/* settings.c: see settings.h. */
#include "tools/watchdog/settings.h"

#include <errno.h>

#include "tools/common/base.h"

#define VARIABLE "BLITZ_WATCHDOG"

/* A month. */
#define SECONDS_MOST 3000000

/* Decimals, in thousandths. 0.0001 is refused, since 0 would turn the watchdog off. */
static int scan_thousandths(const char **text, uint64_t seconds, uint64_t *thousandths) {
    bool any = false; /* digit that is not 0 */
    *thousandths = 0;
    if (!bz_scan_char(text, '.'))
        return 0;
    uint64_t unit = 100;
    if (**text < '0' || **text > '9')
        return EINVAL;
    for (; **text >= '0' && **text <= '9'; (*text)++, unit /= 10) {
        *thousandths += (uint64_t)(**text - '0') * unit;
        any |= **text != '0';
    }
    return any && seconds == 0 && *thousandths == 0 ? EINVAL : 0;
}

static int scan_end(const char **text, struct bomp_watchdog_settings *settings) {
    uint64_t code;
    if (!bz_scan_char(text, ','))
        return 0;
    if (bz_scan_word(text, "abort")) {
        settings->then = BOMP_WATCHDOG_ABORT;
        return 0;
    }
    if (!bz_scan_word(text, "exit") || !bz_scan_char(text, '=') || bz_scan_uint(text, 0, 255, &code) != 0)
        return EINVAL;
    settings->then = BOMP_WATCHDOG_EXIT;
    settings->code = (int)code;
    return 0;
}

int bomp_watchdog_parse(const char *text, struct bomp_watchdog_settings *settings) {
    struct bomp_watchdog_settings read = {.then = BOMP_WATCHDOG_GO_ON};
    uint64_t seconds, thousandths;
    int rc = bz_scan_uint(&text, 0, SECONDS_MOST, &seconds);
    if (rc == 0)
        rc = scan_thousandths(&text, seconds, &thousandths);
    if (rc == 0)
        rc = scan_end(&text, &read);
    if (rc != 0 || !bz_scan_end(&text))
        return EINVAL;
    read.limit_ns = (seconds * 1000 + thousandths) * 1000000;
    *settings = read;
    return 0;
}

struct bomp_watchdog_settings bomp_watchdog_read_settings(void) {
    struct bomp_watchdog_settings settings = {0};
    const char *text = bz_os_getenv(VARIABLE);
    if (text && bomp_watchdog_parse(text, &settings) != 0)
        bz_warn_value(VARIABLE, text, "invalid value, not SECONDS[,exit=CODE|,abort]; no watchdog runs");
    return settings;
}
