/*
 * test_options.c: options.h. Parsing by tables; the settings with an environment and standard error that the test
 * controls.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "env/options.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../asserts.h"
#include "base/config.h"
#include "capture.h"
#include "env/error.h"
#include "os/topology.h"

#define UNTOUCHED 0x5a5a5a5a5a5a5a5a

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Whole values. */

static void unsigned_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t min, max;
        int rc;
        uint64_t value;
    } cases[] = {
        {"0", 0, UINT64_MAX, 0, 0},
        {"42", 0, UINT64_MAX, 0, 42},
        {" \t42\n\v\f\r ", 0, UINT64_MAX, 0, 42},
        {"+42", 0, UINT64_MAX, 0, 42},
        {"-0", 0, UINT64_MAX, 0, 0},
        {"007", 0, UINT64_MAX, 0, 7},
        {"18446744073709551615", 0, UINT64_MAX, 0, UINT64_MAX},
        {"0000000000000000000000000000001", 0, 9, 0, 1},
        {"1", 1, 4, 0, 1},
        {"4", 1, 4, 0, 4},
        {"0", 1, 4, ERANGE, 0},
        {"5", 1, 4, ERANGE, 0},
        {"-1", 0, UINT64_MAX, ERANGE, 0},
        {"-18446744073709551615", 0, UINT64_MAX, ERANGE, 0},
        {"18446744073709551616", 0, UINT64_MAX, ERANGE, 0},
        {"184467440737095516150", 0, UINT64_MAX, ERANGE, 0},
        {"36893488147419103233", 0, UINT64_MAX, ERANGE, 0}, /* 2^65 + 1 */
        {"", 0, UINT64_MAX, EINVAL, 0},
        {"  ", 0, UINT64_MAX, EINVAL, 0},
        {"abc", 0, UINT64_MAX, EINVAL, 0},
        {"1x", 0, UINT64_MAX, EINVAL, 0},
        {"0x10", 0, UINT64_MAX, EINVAL, 0},
        {"1 2", 0, UINT64_MAX, EINVAL, 0},
        {"1.5", 0, UINT64_MAX, EINVAL, 0},
        {"1e3", 0, UINT64_MAX, EINVAL, 0},
        {"+-1", 0, UINT64_MAX, EINVAL, 0},
        {"- 1", 0, UINT64_MAX, EINVAL, 0},
        {"-", 0, UINT64_MAX, EINVAL, 0},
        {"99999999999999999999x", 0, UINT64_MAX, EINVAL, 0}, /* no number before one too large */
        {"\xd9\xa3", 0, UINT64_MAX, EINVAL, 0},              /* an Arabic digit */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t value = UNTOUCHED;
        int rc = bz_parse_uint(cases[i].text, cases[i].min, cases[i].max, &value);
        if (rc != cases[i].rc || value != (rc == 0 ? cases[i].value : UNTOUCHED)) {
            fail_msg("\"%s\": returns %d, %lu", cases[i].text, rc, (unsigned long)value);
        }
    }
}

static void signed_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t min, max;
        int rc;
        int64_t value;
    } cases[] = {
        {"0", INT64_MIN, INT64_MAX, 0, 0},
        {"-0", INT64_MIN, INT64_MAX, 0, 0},
        {" -42 ", INT64_MIN, INT64_MAX, 0, -42},
        {"+42", INT64_MIN, INT64_MAX, 0, 42},
        {"9223372036854775807", INT64_MIN, INT64_MAX, 0, INT64_MAX},
        {"-9223372036854775808", INT64_MIN, INT64_MAX, 0, INT64_MIN},
        {"-3", -3, 3, 0, -3},
        {"-4", -3, 3, ERANGE, 0},
        {"4", -3, 3, ERANGE, 0},
        {"9223372036854775808", INT64_MIN, INT64_MAX, ERANGE, 0},
        {"-9223372036854775809", INT64_MIN, INT64_MAX, ERANGE, 0},
        {"18446744073709551616", INT64_MIN, INT64_MAX, ERANGE, 0},
        {"--1", INT64_MIN, INT64_MAX, EINVAL, 0},
        {"", INT64_MIN, INT64_MAX, EINVAL, 0},
        {"one", INT64_MIN, INT64_MAX, EINVAL, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t value = UNTOUCHED;
        const char *at = cases[i].text;
        int rc = bz_scan_int(&at, cases[i].min, cases[i].max, &value);
        assert_true(rc == EINVAL ? at == cases[i].text : bz_scan_end(&at));
        if (rc != cases[i].rc || value != (rc == 0 ? cases[i].value : UNTOUCHED)) {
            fail_msg("\"%s\": returns %d, %ld", cases[i].text, rc, (long)value);
        }
    }
}

static void sizes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t unit;
        int rc;
        size_t value;
    } cases[] = {
        {"0", 1024, 0, 0},
        {"1", 1, 0, 1},
        {"64", 1024, 0, 65536},
        {"64b", 1024, 0, 64},
        {"64B", 1024, 0, 64},
        {"64k", 1, 0, 65536},
        {"64K", 1, 0, 65536},
        {"3m", 1024, 0, (size_t)3 << 20},
        {"2 G ", 1024, 0, (size_t)2 << 30},
        {"  8 M", 1024, 0, (size_t)8 << 20},
        {"18446744073709551615b", 1024, 0, SIZE_MAX},
        {"18014398509481983k", 1024, 0, SIZE_MAX - 1023},
        {"18014398509481984k", 1024, ERANGE, 0},
        {"18014398509481984", 1024, ERANGE, 0},
        {"17179869184g", 1024, ERANGE, 0},
        {"99999999999999999999b", 1024, ERANGE, 0},
        {"-1", 1024, ERANGE, 0},
        {"-1b", 1024, ERANGE, 0},
        {"", 1024, EINVAL, 0},
        {"k", 1024, EINVAL, 0},
        {"1kb", 1024, EINVAL, 0},
        {"1k b", 1024, EINVAL, 0},
        {"1t", 1024, EINVAL, 0},
        {"1.5m", 1024, EINVAL, 0},
        {"1 2", 1024, EINVAL, 0},
        {"-1x", 1024, EINVAL, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t value = UNTOUCHED;
        int rc = bz_parse_size(cases[i].text, cases[i].unit, &value);
        if (rc != cases[i].rc || value != (rc == 0 ? cases[i].value : UNTOUCHED)) {
            fail_msg("\"%s\": returns %d, %zu", cases[i].text, rc, value);
        }
    }
}

static void truth(void **state) {
    (void)state;
    static const char *const yes[] = {"true", "TRUE", " True ", "yes", "1", "\tYeS"};
    static const char *const no[] = {"false", "FALSE", " False ", "no", "0", "nO\n"};
    static const char *const neither[] = {"",  " ", "2",  "tru", "truee",     "true1",
                                          "t", "y", "on", "01",  "true false"};
    for (size_t i = 0; i < COUNT(yes); i++) {
        bool value = false;
        assert_int_equal(bz_parse_bool(yes[i], &value), 0);
        assert_true(value);
    }
    for (size_t i = 0; i < COUNT(no); i++) {
        bool value = true;
        assert_int_equal(bz_parse_bool(no[i], &value), 0);
        assert_false(value);
    }
    for (size_t i = 0; i < COUNT(neither); i++) {
        bool on = true;
        bool off = false;
        assert_int_equal(bz_parse_bool(neither[i], &on), EINVAL);
        assert_int_equal(bz_parse_bool(neither[i], &off), EINVAL);
        assert_true(on && !off);
    }
}

static void words(void **state) {
    (void)state;
    static const char *const known[] = {"active", "passive", "act", "not_now"};
    size_t index = 99;
    assert_int_equal(bz_parse_word(" PASSIVE ", known, COUNT(known), &index), 0);
    assert_int_equal(index, 1);
    assert_int_equal(bz_parse_word("act", known, COUNT(known), &index), 0);
    assert_int_equal(index, 2);
    assert_int_equal(bz_parse_word("Not_Now", known, COUNT(known), &index), 0);
    assert_int_equal(index, 3);
    index = 99;
    static const char *const unknown[] = {"",        "activ", "actives", "active passive",
                                          "active,", "not",   "not now"};
    for (size_t i = 0; i < COUNT(unknown); i++) {
        assert_int_equal(bz_parse_word(unknown[i], known, COUNT(known), &index), EINVAL);
    }
    assert_int_equal(bz_parse_word("active", known, 0, &index), EINVAL);
    assert_int_equal(index, 99);
}

/* Parts. */

static void parts_are_taken_one_by_one(void **state) {
    (void)state;
    const char *at = "  NonMonotonic : guided, -7 {4}  ";
    uint64_t natural;
    int64_t number;
    assert_false(bz_scan_word(&at, "nonmono"));
    assert_false(bz_scan_word(&at, "nonmonotonicity"));
    assert_false(bz_scan_end(&at));
    assert_true(bz_scan_word(&at, "nonmonotonic"));
    assert_false(bz_scan_char(&at, ','));
    assert_true(bz_scan_char(&at, ':'));
    assert_false(bz_scan_word(&at, "guide"));
    assert_int_equal(bz_scan_int(&at, -9, 9, &number), EINVAL);
    assert_true(bz_scan_word(&at, "guided"));
    assert_true(bz_scan_char(&at, ','));
    assert_int_equal(bz_scan_int(&at, -9, 9, &number), 0);
    assert_int_equal(number, -7);
    assert_true(bz_scan_char(&at, '{'));
    assert_int_equal(bz_scan_uint(&at, 5, 9, &natural), ERANGE); /* skipped nonetheless */
    assert_true(bz_scan_char(&at, '}'));
    assert_true(bz_scan_end(&at));
    assert_false(bz_scan_char(&at, '\0'));
}

/* Settings. */

static const char *const variables[] = {
#define BZ_OPTION(variable, field, type, kind, default_value) variable,
#include "env/options.def"
};

static int clear_environment(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(variables); i++) {
        unsetenv(variables[i]);
    }
    return 0;
}

/* Reads the settings with one variable set, and stores the message about it. */
static struct bz_options read_with(const char *variable, const char *value,
                                   char message[BZ_MESSAGE_MAX + 1]) {
    struct capture c;
    struct bz_options options;
    memset(&options, 0x5a, sizeof options);
    clear_environment(NULL);
    if (variable != NULL) {
        setenv(variable, value, 1);
    }
    capture_begin(&c);
    bz_options_read(&options);
    capture_next(&c, message, BZ_MESSAGE_MAX + 1);
    capture_end(&c);
    return options;
}

static void settings_have_defaults(void **state) {
    (void)state;
    char message[BZ_MESSAGE_MAX + 1];
    struct bz_options options = read_with(NULL, NULL, message);
    assert_string_equal(message, "");
    assert_int_equal(options.workers, BZ_WORKERS_AUTO);
    assert_int_equal(options.stack_size, 0);
    assert_int_equal(options.spin_ns, BZ_SPIN_AUTO);
    assert_false(options.stats);
}

static void settings_come_from_the_environment(void **state) {
    (void)state;
    char message[BZ_MESSAGE_MAX + 1];
    assert_int_equal(read_with("BLITZ_WORKERS", " 7 ", message).workers, 7);
    assert_string_equal(message, "");
    assert_int_equal(read_with("BLITZ_WORKERS", "0", message).workers, 0);
    assert_int_equal(read_with("BLITZ_WORKERS", "65535", message).workers, BZ_DOMAIN_MAX);
    assert_string_equal(message, "");
    assert_int_equal(read_with("BLITZ_STACKSIZE", "100", message).stack_size, 102400);
    assert_int_equal(read_with("BLITZ_STACKSIZE", "2m", message).stack_size, 2 << 20);
    assert_string_equal(message, "");
    assert_int_equal(read_with("BLITZ_SPIN", "0", message).spin_ns, 0);
    assert_int_equal(read_with("BLITZ_SPIN", "250", message).spin_ns, 250000);
    assert_int_equal(read_with("BLITZ_SPIN", "Infinite", message).spin_ns, BZ_SPIN_INFINITE);
    assert_int_equal(read_with("BLITZ_SPIN", "infinity", message).spin_ns, BZ_SPIN_INFINITE);
    assert_int_equal(read_with("BLITZ_SPIN", "AUTO", message).spin_ns, BZ_SPIN_AUTO);
    uint64_t longest = read_with("BLITZ_SPIN", "18446744073709551", message).spin_ns;
    assert_int_equal(longest, 18446744073709551000u);
    assert_true(longest < BZ_SPIN_AUTO);
    assert_string_equal(message, "");
    assert_true(read_with("BLITZ_STATS", "yes", message).stats);
    assert_false(read_with("BLITZ_STATS", "false", message).stats);
    assert_false(read_with("BLITZ_STATS", "x.json", message).stats);
    assert_false(read_with("BLITZ_STATS", "", message).stats);
    assert_string_equal(message, "");
    assert_string_equal(message, "");
}

/* Checks the message about a bad value, and that the value changes nothing. */
static void check_bad(const char *variable, const char *value, const char *used) {
    char message[BZ_MESSAGE_MAX + 1];
    char want[BZ_MESSAGE_MAX + 1];
    struct bz_options good = read_with(NULL, NULL, message);
    struct bz_options options = read_with(variable, value, message);
    snprintf(want, sizeof want, "blitz: %s=%s: invalid value; using %s\n", variable, value, used);
    assert_string_equal(message, want);
    assert_int_equal(options.workers, good.workers);
    assert_int_equal(options.stack_size, good.stack_size);
    assert_int_equal(options.spin_ns, good.spin_ns);
    assert_int_equal(options.stats, good.stats);
}

static void bad_settings_are_named_and_replaced(void **state) {
    (void)state;
    char cpus[16];
    snprintf(cpus, sizeof cpus, "%u", bz_topology_default_workers());
    static const char *const counts[] = {"abc", "-1",        "", "65536", "99999999999999999999",
                                         "2.5", "4294967297"};
    for (size_t i = 0; i < COUNT(counts); i++) {
        check_bad("BLITZ_WORKERS", counts[i], cpus);
    }
    check_bad("BLITZ_STACKSIZE", "big", "the system's default");
    check_bad("BLITZ_STACKSIZE", "-1", "the system's default");
    check_bad("BLITZ_STACKSIZE", "1", "the system's default");
    check_bad("BLITZ_STACKSIZE", "16383b", "the system's default");
    check_bad("BLITZ_STACKSIZE", "17179869184g", "the system's default");
    check_bad("BLITZ_SPIN", "-5", "auto");
    check_bad("BLITZ_SPIN", "18446744073709552", "auto"); /* more ns than there are numbers */
    check_bad("BLITZ_SPIN", "forever", "auto");
    check_bad("BLITZ_STATS", "maybe", "false; a file's name must end in .json");
    check_bad("BLITZ_STATS", ".json", "false; a file's name must end in .json");
    check_bad("BLITZ_STATS", "stats.txt", "false; a file's name must end in .json");
}

static void a_long_bad_value_is_shown_in_part(void **state) {
    (void)state;
    char message[BZ_MESSAGE_MAX + 1];
    char value[5000];
    memset(value, 'z', sizeof value - 1);
    value[sizeof value - 1] = '\0';
    read_with("BLITZ_STATS", value, message);
    assert_non_null(strstr(message, "BLITZ_STATS=zzzz"));
    assert_non_null(strstr(message, "zzzz...: invalid value; using false; "));
}

static void each_bad_setting_has_its_line(void **state) {
    (void)state;
    struct capture c;
    char message[BZ_MESSAGE_MAX + 1];
    struct bz_options options;
    for (size_t i = 0; i < COUNT(variables); i++) {
        setenv(variables[i], "?", 1);
    }
    capture_begin(&c);
    bz_options_read(&options);
    bool named[COUNT(variables)];
    for (size_t i = 0; i < COUNT(variables); i++) {
        capture_next(&c, message, sizeof message);
        named[i] = strstr(message, variables[i]) != NULL;
    }
    size_t rest = capture_next(&c, message, sizeof message);
    capture_end(&c);
    for (size_t i = 0; i < COUNT(variables); i++) {
        assert_true(named[i]);
    }
    assert_int_equal(rest, 0);
}

static void *get_options(void *arg) {
    (void)arg;
    return (void *)(uintptr_t)bz_options_get();
}

static char shown[500];

static void add_shown(const char *variable, const char *value, void *text) {
    size_t used = strlen(text);
    snprintf((char *)text + used, sizeof shown - used, "%s=%s ", variable, value);
}

/* The only test that calls bz_options_get: it reads once per process. */
static void the_settings_are_read_once(void **state) {
    (void)state;
    struct capture c;
    char first[BZ_MESSAGE_MAX + 1], second[BZ_MESSAGE_MAX + 1], third[BZ_MESSAGE_MAX + 1];
    pthread_t threads[4];
    void *seen[4];
    setenv("BLITZ_WORKERS", "3", 1);
    setenv("BLITZ_STATS", "perhaps", 1);
    setenv("BLITZ_WORKER", "9", 1);
    capture_begin(&c);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, get_options, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], &seen[i]);
    }
    setenv("BLITZ_WORKERS", "5", 1);
    const struct bz_options *options = bz_options_get();
    capture_next(&c, first, sizeof first);
    capture_next(&c, second, sizeof second);
    size_t rest = capture_next(&c, third, sizeof third);
    capture_end(&c);
    assert_int_equal(options->workers, 3);
    for (int i = 0; i < 4; i++) {
        assert_ptr_equal(seen[i], options);
    }
    assert_string_equal(
        first, "blitz: BLITZ_STATS=perhaps: invalid value; using false; a file's name must end in .json\n");
    assert_string_equal(second,
                        "blitz: BLITZ_WORKER=9: unknown variable; ignored (did you mean BLITZ_WORKERS?)\n");
    assert_int_equal(rest, 0);
    shown[0] = '\0';
    bz_options_show(add_shown, shown);
    assert_string_equal(shown, "BLITZ_WORKERS=3 BLITZ_STACKSIZE=0b BLITZ_SPIN=auto BLITZ_STATS=false ");
}

#define setting_test(test) cmocka_unit_test_setup_teardown(test, clear_environment, clear_environment)

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(unsigned_numbers),
        cmocka_unit_test(signed_numbers),
        cmocka_unit_test(sizes),
        cmocka_unit_test(truth),
        cmocka_unit_test(words),
        cmocka_unit_test(parts_are_taken_one_by_one),
        setting_test(settings_have_defaults),
        setting_test(settings_come_from_the_environment),
        setting_test(bad_settings_are_named_and_replaced),
        setting_test(a_long_bad_value_is_shown_in_part),
        setting_test(each_bad_setting_has_its_line),
        setting_test(the_settings_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
