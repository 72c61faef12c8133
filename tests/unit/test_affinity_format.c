/* test_affinity_format.c: affinity_format.h. The expected results come from libgomp. */
#include "omp/affinity/affinity_format.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "omp/team/affinity_display.h"
#include "runtime.h"

static uint64_t cpus[20];

static const struct bomp_affinity_facts facts = {
    .team_num = 1,
    .num_teams = 2,
    .level = 3,
    .num = 45,
    .threads = 67,
    .ancestor = -1,
    .process = 24634,
    .thread = 0x7f0b678af7c0,
    .host = "vm",
    .cpus = cpus,
    .words = 20,
};

static void fields(void **state) {
    (void)state;
    static const struct {
        const char *format, *text;
    } samples[] = {
        {"", ""},
        {"plain", "plain"},
        {"%t %T %L %n %N %a %H %P %i %A", "1 2 3 45 67 -1 vm 24634 0x7f0b678af7c0 0-2,5,8-9,64,1279"},
        {"%{team_num}%{num_teams}%{nesting_level}%{thread_num}%{num_threads}", "1234567"},
        {"%{ancestor_tnum} %{host} %{process_id} %{native_thread_id} %{thread_affinity}",
         "-1 vm 24634 0x7f0b678af7c0 0-2,5,8-9,64,1279"},
        {"%%n", "%n"},
        {"a%nb", "a45b"},
        {"%5nb", "45   b"},
        {"%.5nb", "   45b"},
        {"%0.5nb", "00045b"},
        {"%1n|", "45|"},
        {"%0.8{thread_num}", "00000045"},
        {"%0.8a|%.8a|%8a|", "-0000001|      -1|-1      |"},
        {"%0.20i|%.20i|%20i|%3i",
         "0x0000007f0b678af7c0|      0x7f0b678af7c0|0x7f0b678af7c0      |0x7f0b678af7c0"},
        {"%5H|%.5H|%0.5H", "vm   |   vm|   vm"},
        {"%22A|%.22A|%0.22A|%.1A",
         "0-2,5,8-9,64,1279     |     0-2,5,8-9,64,1279|     0-2,5,8-9,64,1279|0-2,5,8-9,64,1279"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char text[200];
        memset(text, 'x', sizeof text);
        size_t length =
            bomp_affinity_print(text, sizeof text, samples[i].format, strlen(samples[i].format), &facts);
        assert_string_equal(text, samples[i].text);
        assert_int_equal(length, strlen(samples[i].text));
    }
}

/* The result is cut to the buffer; the returned length is that of the whole. */
static void truncation(void **state) {
    (void)state;
    for (size_t size = 0; size < 40; size++) {
        char text[40];
        memset(text, 'x', sizeof text);
        assert_int_equal(bomp_affinity_print(text, size, "%A %0.5n%5H|", 12, &facts), 17 + 1 + 5 + 5 + 1);
        if (size > 0) {
            char whole[40];
            snprintf(whole, size, "%s", "0-2,5,8-9,64,1279 00045vm   |");
            assert_string_equal(text, whole);
        }
        for (size_t i = size; i < sizeof text; i++) {
            assert_int_equal(text[i], 'x');
        }
    }
    char none;
    assert_true(bomp_affinity_print(&none, 0, "%9999999n", 9, &facts) == 9999999);
    assert_true(bomp_affinity_print(&none, 0, "%9999999999n", 12, &facts) == 1 << 24);
}

/* An error that ends the program, in a child process. */
static void complaint(const char *format, char *line, size_t size) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        char text[100];
        dup2(ends[1], STDERR_FILENO);
        (void)bomp_affinity_print(text, sizeof text, format, strlen(format), &facts);
        _exit(0);
    }
    close(ends[1]);
    ssize_t length = read(ends[0], line, size - 1);
    line[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
}

static void what_is_no_field_ends_the_program(void **state) {
    (void)state;
    static const struct {
        const char *format, *line;
    } samples[] = {
        {"%05nb", "leading zero not followed by dot in affinity format"},
        {"%0", "leading zero not followed by dot in affinity format"},
        {"%.nb", "leading zero or right justification in affinity format requires size"},
        {"%0.nb", "leading zero or right justification in affinity format requires size"},
        {"%.05n", "leading zero or right justification in affinity format requires size"},
        {"%-5n|", "unsupported type - in affinity format"},
        {"a%q", "unsupported type q in affinity format"},
        {"%5%", "unsupported type % in affinity format"},
        {"%", "unsupported type ? in affinity format"},
        {"%{foo}", "unsupported long type name 'foo' in affinity format"},
        {"%5{}", "unsupported long type name '' in affinity format"},
        {"%{thread_num", "unterminated long type name 'thread_num' in affinity format"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        char line[200];
        complaint(samples[i].format, line, sizeof line);
        if (strstr(line, samples[i].line) == NULL) {
            fail_msg("%s: %s", samples[i].format, line);
        }
    }
}

static void the_format_can_be_changed(void **state) {
    (void)state;
    char text[300];
    assert_int_equal(bomp_affinity_format_get(text, 7), strlen("level %L thread %i affinity %A"));
    assert_string_equal(text, "level ");
    assert_int_equal(bomp_affinity_format_get(NULL, 0), strlen("level %L thread %i affinity %A"));
    bomp_affinity_format_set("thread %n, and more", 9);
    assert_int_equal(bomp_affinity_format_get(text, sizeof text), 9);
    assert_string_equal(text, "thread %n");
    assert_int_equal(bomp_affinity_capture(text, sizeof text, NULL, 0), 8);
    assert_string_equal(text, "thread 0");
    assert_int_equal(bomp_affinity_capture(text, sizeof text, "%N", 2), 1);
    assert_string_equal(text, "1");
    bomp_affinity_format_set("", 0);
    assert_int_equal(bomp_affinity_format_get(text, sizeof text), 0);
}

int main(void) {
    bz_cpus_add_list(cpus, 20, "0-2,5,8-9,64,1279");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),
        cmocka_unit_test(truncation),
        cmocka_unit_test(what_is_no_field_ends_the_program),
        cmocka_unit_test(the_format_can_be_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
