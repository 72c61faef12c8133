/*
 * test_machine.c: machine.h, on a made-up machine: two sockets of two cores of two threads; the siblings of a core are four
 * CPUs apart.
 */
#include "omp/affinity/machine.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../asserts.h"
#include "os/cpus.h"
#include "os/groups.h"

enum { CPUS = 8 };

/* CPU c: socket c / 2 % 2, core c % 4. */
int __wrap_bz_cpu_groups(const char *root, enum bz_cpu_group group, const uint64_t *set, size_t words,
                         int (*visit)(const uint64_t *, void *), void *arg);

int __wrap_bz_cpu_groups(const char *root, enum bz_cpu_group group, const uint64_t *set, size_t words,
                         int (*visit)(const uint64_t *, void *), void *arg) {
    assert_string_equal(root, "");
    static const uint64_t cores[] = {0x11, 0x22, 0x44, 0x88}, sockets[] = {0x33, 0xcc};
    const uint64_t *parts = group == BZ_GROUP_CORE ? cores : sockets;
    assert_int_equal(words, 1);
    for (int i = 0; i < (group == BZ_GROUP_CORE ? 4 : 2); i++) {
        uint64_t part = parts[i] & *set;
        if (part != 0) {
            int rc = visit(&part, arg);
            if (rc != 0) {
                return rc;
            }
        }
    }
    return 0;
}

/* The places of an affinity, as "0 4|1": CPUs of each. */
static const char *places_of(const char *text, uint64_t usable) {
    static char shown[200];
    struct bomp_affinity_wish wish;
    int rc = bomp_machine_affinity(text, &usable, 1, &wish);
    shown[0] = '\0';
    if (rc != 0) {
        snprintf(shown, sizeof shown, "%s", rc == EINVAL ? "EINVAL" : rc == ERANGE ? "ERANGE" : "?");
    }
    for (unsigned i = 0; i < wish.places.count; i++) {
        for (unsigned cpu = 0, first = 1; cpu < CPUS; cpu++) {
            if (bz_cpus_has(bomp_place(&wish.places, i), cpu)) {
                size_t used = strlen(shown);
                snprintf(shown + used, sizeof shown - used, "%s%u", !first ? " " : i > 0 ? "|" : "", cpu);
                first = 0;
            }
        }
    }
    bomp_places_free(&wish.places);
    return shown;
}

static void orders(void **state) {
    (void)state;
    static const struct {
        const char *text, *places;
    } rows[] = {
        {"granularity=fine,compact", "0|4|1|5|2|6|3|7"},
        {"compact,granularity=thread", "0|4|1|5|2|6|3|7"},
        {"compact", "0 4|0 4|1 5|1 5|2 6|2 6|3 7|3 7"},
        {"granularity=fine,compact,1,0", "0|1|2|3|4|5|6|7"},
        {"granularity=fine,compact,0,3", "0|4|1|5|2|6|3|7"},
        {"granularity=fine,scatter", "0|2|1|3|4|6|5|7"},
        {"fine,scatter", "EINVAL"},
        {"granularity=fine,scatter,1", "0|1|2|3|4|5|6|7"},
        {"scatter,granularity=socket", "0 1 4 5|2 3 6 7|0 1 4 5|2 3 6 7|0 1 4 5|2 3 6 7|0 1 4 5|2 3 6 7"},
        {"balanced", "0 4|1 5|2 6|3 7"},
        {"GRANULARITY=Fine , Compact", "0|4|1|5|2|6|3|7"},
        {"none", ""},
        {"disabled", ""},
        {"verbose,none", ""},
        {"norespect,warnings,granularity=fine,logical,1", "0|4|1|5|2|6|3|7"},
        {"granularity=fine,proclist=[3,0-2,{4,6}],explicit", "3|0|1|2|4 6"},
        {"explicit,proclist=[0-6:2]", "0|2|4|6"},
        {"explicit,proclist=[0 - 6 : 2]", "0|2|4|6"},
        {"proclist=[7]", "7"},
        {"explicit", "EINVAL"},
        {"explicit,proclist=[0", "EINVAL"},
        {"explicit,proclist=[2-1]", "ERANGE"},
        {"compact,compact", "EINVAL"},
        {"compact,1,2,3", "EINVAL"},
        {"granularity=tiny,compact", "EINVAL"},
        {"", "EINVAL"},
        {"compact,", "EINVAL"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(places_of(rows[i].text, 0xff), rows[i].places) != 0) {
            fail_msg("%s: %s, not %s", rows[i].text, places_of(rows[i].text, 0xff), rows[i].places);
        }
    }
    assert_string_equal(places_of("granularity=fine,compact", 0x37), "0|4|1|5|2");
}

/* Where the initial thread goes. */
static void offsets(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned first;
    } rows[] = {{"granularity=fine,compact", 0},
                {"granularity=fine,compact,1,3", 3},
                {"granularity=fine,scatter,0,9", 1},
                {"logical,2", 2},
                {"balanced,5", 1},
                {"explicit,proclist=[1,2],7", 0},
                {"none", 0},
                {"compact,0,2147483647", 7}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bomp_affinity_wish wish;
        uint64_t usable = 0xff;
        assert_int_equal(bomp_machine_affinity(rows[i].text, &usable, 1, &wish), 0);
        assert_int_equal(wish.first, rows[i].first);
        bomp_places_free(&wish.places);
    }
}

static void parts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int rc;
        uint64_t left;
    } rows[] = {
        {"1s", 0, 0x33},         {"1s@1", 0, 0xcc},      {"1c", 0, 0x55},      {"1s,1c", 0, 0x11},
        {"2s,1c@1,1t", 0, 0x0a}, {"1t", 0, 0x0f},        {"1t@1", 0, 0xf0},    {"*s,2c,2t", 0, 0xff},
        {":1s", 0, 0x33},        {"2 S , 1 T", 0, 0x0f}, {"1socket", 0, 0x33}, {"1n", 0, 0xff},
        {"s@1", 0, 0xcc},        {"4c", ERANGE, 0xff},   {"3s", ERANGE, 0xff}, {"1t@2", ERANGE, 0xff},
        {"1s,1s", EINVAL, 0xff}, {"1x", EINVAL, 0xff},   {"", EINVAL, 0xff},   {"1s,", EINVAL, 0xff},
        {"-1c", EINVAL, 0xff},   {"1c@", EINVAL, 0xff},  {"0c", ERANGE, 0xff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t usable = 0xff;
        int rc = bomp_machine_subset(rows[i].text, &usable, 1);
        if ((rc != 0) != (rows[i].rc != 0) || usable != rows[i].left) {
            fail_msg("%s: %d, %#lx", rows[i].text, rc, (unsigned long)usable);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders),
        cmocka_unit_test(offsets),
        cmocka_unit_test(parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
