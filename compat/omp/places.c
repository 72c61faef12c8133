/*
 * places.c: see places.h. Each function takes one part of the grammar off *at, or returns an errno value.
 */
#include "places.h"

#include <errno.h>

#include "runtime.h"

/* Greater numbers of a CPU, and longer steps, make no sense on any system. */
#define CPU_MAX 1048575

static int take_number(const char **at, int64_t min) {
    int64_t number;
    return bz_scan_int(at, min, CPU_MAX, &number);
}

/* [:count[:stride]] behind a place or a CPU. */
static int take_repetition(const char **at) {
    int rc = 0;
    if (bz_scan_char(at, ':')) {
        rc = take_number(at, 1);
        if (rc == 0 && bz_scan_char(at, ':')) {
            rc = take_number(at, -CPU_MAX);
        }
    }
    return rc;
}

/* [!]cpu[:count[:stride]], or without a sign to remove it where that makes no sense. */
static int take_cpus(const char **at) {
    (void)bz_scan_char(at, '!');
    int rc = take_number(at, 0);
    return rc == 0 ? take_repetition(at) : rc;
}

/* {cpus, ...} or one cpu. */
static int take_place(const char **at) {
    if (!bz_scan_char(at, '{')) {
        return take_number(at, 0);
    }
    int rc;
    do {
        rc = take_cpus(at);
    } while (rc == 0 && bz_scan_char(at, ','));
    return rc == 0 && !bz_scan_char(at, '}') ? EINVAL : rc;
}

/* A word for all places of a kind, perhaps with how many of them. */
static int check_named(const char *at) {
    if (bz_scan_char(&at, '(')) {
        int rc = take_number(&at, 1);
        if (rc != 0) {
            return rc;
        }
        if (!bz_scan_char(&at, ')')) {
            return EINVAL;
        }
    }
    return bz_scan_end(&at) ? 0 : EINVAL;
}

int bomp_places_check(const char *text) {
    static const char *const names[] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};
    for (int i = 0; i < 5; i++) {
        if (bz_scan_word(&text, names[i])) {
            return check_named(text);
        }
    }
    int rc;
    do {
        (void)bz_scan_char(&text, '!');
        rc = take_place(&text);
        rc = rc == 0 ? take_repetition(&text) : rc;
    } while (rc == 0 && bz_scan_char(&text, ','));
    return rc == 0 && !bz_scan_end(&text) ? EINVAL : rc;
}

/* cpu[-cpu[:stride]], separated by commas or blanks. */
int bomp_cpu_list_check(const char *text) {
    do {
        int64_t first;
        int rc = bz_scan_int(&text, 0, CPU_MAX, &first);
        if (rc == 0 && *text == '-') {
            text++;
            rc = take_number(&text, first);
            if (rc == 0 && *text == ':') {
                text++;
                rc = take_number(&text, 1);
            }
        }
        if (rc != 0) {
            return rc;
        }
    } while (bz_scan_char(&text, ',') || (!bz_scan_end(&text) && (*text == ' ' || *text == '\t')));
    return bz_scan_end(&text) ? 0 : EINVAL;
}
