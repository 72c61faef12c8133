/* Names of variables that the library does not read: names.h. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "env/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "capture.h"
#include "env/error.h"

static const char *const known[] = {"TEST_COUNT", "TEST_OF_SIZE", "EST_COUNTS", NULL};

static char line[BZ_MESSAGE_MAX + 1];

/* The message about a variable of this name, "" if there is no message. Never more than one line. */
static const char *check(const char *name, const char *value, bool ours) {
    struct capture capture;
    char more[BZ_MESSAGE_MAX + 1];
    clearenv();
    setenv("TEST_COUNT", "1", 1);
    setenv("UNTEST_COUNT", "2", 1);
    setenv(name, value, 1);
    capture_begin(&capture);
    bz_names_check("TEST_", known, ours);
    if (capture_next(&capture, line, sizeof line) == 0)
        line[0] = '\0';
    size_t rest = capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    assert_int_equal(rest, 0);
    return line;
}

static void assert_meant(const char *name, const char *meant) {
    char wanted[200];
    snprintf(wanted, sizeof wanted, "blitz: %s=x: unknown variable; ignored (did you mean %s?)\n", name,
             meant);
    assert_string_equal(check(name, "x", false), wanted);
    assert_string_equal(check(name, "x", true), wanted);
}

static void one_slip_is_seen(void **state) {
    (void)state;
    assert_meant("TEST_COUNTT", "TEST_COUNT");
    assert_meant("TEST_COUN", "TEST_COUNT");
    assert_meant("TEST_CUNT", "TEST_COUNT");
    assert_meant("TEST_CUONT", "TEST_COUNT");
    assert_meant("TEST_COUTN", "TEST_COUNT");
    assert_meant("TEST_COUNd", "TEST_COUNT");
    assert_meant("TEST_XCOUNT", "TEST_COUNT");
    assert_meant("TEST_OFSIZE", "TEST_OF_SIZE");
    assert_meant("TEST_COUNTS", "EST_COUNTS");
}

static void two_are_not(void **state) {
    static const char *const names[] = {"TEST_",     "TEST_COU",  "TEST_COUNT12", "TEST_OCNUT", "TEST_CNUOT",
                                        "TEST_SIZE", "TEST_AB_C", "TEST_OF",      "TEST_TNUOC"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char wanted[200];
        assert_string_equal(check(names[i], "x", false), "");
        snprintf(wanted, sizeof wanted, "blitz: %s=x: unknown variable; ignored\n", names[i]);
        assert_string_equal(check(names[i], "x", true), wanted);
    }
}

static void known_names_and_others_are_let_alone(void **state) {
    (void)state;
    assert_string_equal(check("TEST_OF_SIZE", "x", true), "");
    assert_string_equal(check("TEXT_COUNT", "x", true), "");
    assert_string_equal(check("OTHER", "TEST_COUN=1", true), "");
    assert_true(bz_names_any("TEST_COUN"));
    assert_false(bz_names_any("EST_"));
}

static void long_ones_are_cut(void **state) {
    char name[300] = "TEST_", value[300];
    (void)state;
    memset(name + 5, 'N', sizeof name - 6);
    memset(value, 'v', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    check(name, value, true);
    assert_non_null(strstr(line, "NNN...=vvvv"));
    assert_non_null(strstr(line, "vvv...: unknown variable; ignored\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_slip_is_seen),
        cmocka_unit_test(two_are_not),
        cmocka_unit_test(known_names_and_others_are_let_alone),
        cmocka_unit_test(long_ones_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
