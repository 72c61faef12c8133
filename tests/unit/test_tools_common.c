/* Common parts of the built-in tools (compat/tools/common): texts, names of files, the clock. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "capture.h"
#include "os_thread.h"
#include "runtime.h"
#include "tools/common/report_file.h"
#include "tools/common/report_path.h"
#include "tools/common/text.h"
#include "tools/common/threads.h"
#include "tools/common/ticks.h"

static struct bomp_text text;

static void assert_text(const char *expected) {
    assert_string_equal(text.bytes, expected);
    bomp_text_free(&text);
}

static void test_fixed(void **state) {
    (void)state;
    bomp_text_fixed(&text, 1234567, 3, 2);
    assert_text("1234.57");
    bomp_text_fixed(&text, 999999, 3, 0);
    assert_text("1000");
    bomp_text_fixed(&text, 5, 3, 3);
    assert_text("0.005");
    bomp_text_fixed(&text, 42, 0, 0);
    assert_text("42");
    bomp_text_fixed(&text, 1499, 3, 0);
    assert_text("1");
    bomp_text_fixed(&text, 1995, 3, 2);
    assert_text("2.00");
}

static void test_columns(void **state) {
    (void)state;
    bomp_text_printf(&text, "first\nab");
    bomp_text_column(&text, 4);
    bomp_text_printf(&text, "c");
    bomp_text_column(&text, 3);
    bomp_text_printf(&text, "\xc3\xa4");
    bomp_text_column(&text, 8);
    bomp_text_printf(&text, "d\n");
    assert_text("first\nab  c \xc3\xa4 d\n");
}

static void test_json_strings(void **state) {
    (void)state;
    bomp_text_json(&text, "a\"b\\c\n\x01\xc3\xa4\xff\xc3");
    assert_text("\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa4\\ufffd\\ufffd\"");
    static const char *const good[] = {"\x7f",         "\xc2\x80",         "\xe0\xa0\x80",    "\xed\x9f\xbf",
                                       "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(bomp_text_character(good[i]), strlen(good[i]));
    static const char *const bad[] = {"\x80",
                                      "\xc1\x81",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xe2\x82"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(bomp_text_character(bad[i]), 0);
}

/* Longer than any initial buffer. */
static void test_long(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++)
        bomp_text_printf(&text, "%d\n", i % 10);
    assert_int_equal(text.length, 200000);
    assert_int_equal(text.bytes[199998], '9');
    assert_false(text.is_cut);
    char name[] = "/tmp/blitz_text_XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    assert_int_equal(bomp_text_write(&text, file), 0);
    close(file);
    char *read = bz_os_read("%s", name);
    assert_memory_equal(read, text.bytes, text.length + 1);
    bz_free(read);
    unlink(name);
    file = open("/dev/full", O_WRONLY);
    assert_int_equal(bomp_text_write(&text, file), ENOSPC);
    close(file);
    bomp_text_free(&text);
}

static void assert_path(const char *pattern, bool is_child, const char *expected) {
    char wanted[100], *path = bomp_report_path(pattern, is_child);
    (void)snprintf(wanted, sizeof wanted, expected, (unsigned)getpid(), (unsigned)getpid());
    assert_string_equal(path, wanted);
    bz_free(path);
}

static void forget_rank(void) {
    unsetenv("OMPI_COMM_WORLD_RANK");
    unsetenv("PMIX_RANK");
    unsetenv("PMI_RANK");
    unsetenv("MV2_COMM_WORLD_RANK");
    unsetenv("SLURM_PROCID");
}

static void test_paths(void **state) {
    (void)state;
    forget_rank();
    assert_int_equal(bomp_mpi_rank(), -1);
    assert_path("a.json", false, "a.json");
    assert_path("a.json", true, "a.%u.json");
    assert_path("x.y/a", true, "x.y/a.%u");
    assert_path("x/.json", true, "x/.json.%u");
    assert_path("%p-%p.json", true, "%u-%u.json");
    assert_path("100%%-%r.json", false, "100%%-0.json");
    assert_path("%", false, "%%");
    assert_path("%q.json", false, "%%q.json");
    setenv("PMI_RANK", "7", 1);
    assert_int_equal(bomp_mpi_rank(), 7);
    assert_path("a.json", false, "a.7.json");
    assert_path("a.json", true, "a.7.%u.json");
    assert_path("%r/a.json", false, "7/a.json");
    assert_path("a-%r.json", true, "a-7.%u.json");
    assert_path("%p.json", false, "%u.json");
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    assert_int_equal(bomp_mpi_rank(), 3);
    setenv("OMPI_COMM_WORLD_RANK", "-1", 1);
    assert_int_equal(bomp_mpi_rank(), 7);
}

/* A pattern keeps its meaning when the program changes its folder, even in a folder with a percent sign. */
static void test_from_root(void **state) {
    (void)state;
    forget_rank();
    char folder[] = "/tmp/blitz%p_XXXXXX", expected[100], before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    char *pattern = bomp_report_from_root("a%%.json");
    char *path = bomp_report_path(pattern, false);
    (void)snprintf(expected, sizeof expected, "%s/a%%.json", folder);
    assert_string_equal(path, expected);
    bz_free(pattern);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(rmdir(folder), 0);
    bz_free(path);
    pattern = bomp_report_from_root("/x/%p.json");
    assert_string_equal(pattern, "/x/%p.json");
    bz_free(pattern);
}

static char last_line[BZ_MESSAGE_MAX + 100];

/* Opens the file, writes the bytes, closes it with that error; captures the messages. */
static void write_one(struct bomp_report_file *report, const char *bytes, int error) {
    struct capture capture;
    capture_begin(&capture);
    int file = bomp_report_file_open(report);
    if (file >= 0) {
        assert_int_equal(write(file, bytes, strlen(bytes)), strlen(bytes));
        bomp_report_file_close(report, error);
    }
    (void)capture_next(&capture, last_line, sizeof last_line);
    capture_end(&capture);
}

static void assert_file(const char *path, const char *bytes) {
    char *read = bz_os_read("%s", path);
    assert_non_null(read);
    assert_string_equal(read, bytes);
    bz_free(read);
}

/* Two processes with one name, here two reports of this process, have two files. A file cut by an error is removed. */
static void test_files(void **state) {
    struct bomp_report_file one, other;
    char folder[] = "/tmp/blitz_file_XXXXXX", path[100], numbered[100], line[300];
    (void)state;
    forget_rank();
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/x.json", folder);
    (void)snprintf(numbered, sizeof numbered, "%s/x.%u.json", folder, (unsigned)getpid());
    assert_true(bomp_report_file_begin(&one, "NAME", path, "nothing"));
    assert_true(bomp_report_file_begin(&other, "NAME", path, "nothing"));
    write_one(&one, "one", 0);
    (void)snprintf(line, sizeof line, "blitz: NAME: written to %s\n", path);
    assert_string_equal(last_line, line);
    write_one(&other, "other", 0);
    (void)snprintf(line, sizeof line,
                   "blitz: NAME: written to %s, as the file that was asked for has been written meanwhile\n",
                   numbered);
    assert_string_equal(last_line, line);
    assert_file(path, "one");
    assert_file(numbered, "other");
    assert_int_equal(unlink(numbered), 0);
    bz_free(one.pattern);
    bz_free(other.pattern);

    /* During the write. */
    assert_true(bomp_report_file_begin(&one, "NAME", path, "nothing"));
    assert_true(bomp_report_file_begin(&other, "NAME", path, "nothing"));
    assert_true(bomp_report_file_open(&one) >= 0);
    write_one(&other, "other", 0);
    bomp_report_file_close(&one, 0);
    assert_file(path, "");
    assert_file(numbered, "other");
    assert_int_equal(unlink(numbered), 0);
    bz_free(one.pattern);
    bz_free(other.pattern);

    assert_true(bomp_report_file_begin(&one, "NAME", path, "nothing"));
    write_one(&one, "half", ENOSPC);
    (void)snprintf(line, sizeof line, "blitz: NAME=%s: No space left on device; no report is written\n",
                   path);
    assert_string_equal(last_line, line);
    assert_file(path, "");
    write_one(&one, "whole", 0);
    assert_file(path, "whole");
    bz_free(one.pattern);

    assert_true(bomp_report_file_begin(&one, "NAME", path, "nothing"));
    write_one(&one, "next", 0);
    (void)snprintf(line, sizeof line, "blitz: NAME: written to %s, over the file that was there\n", path);
    assert_string_equal(last_line, line);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    write_one(&one, "nowhere", 0);
    (void)snprintf(line, sizeof line, "blitz: NAME=%s: No such file or directory; no report is written\n",
                   path);
    assert_string_equal(last_line, line);
    bz_free(one.pattern);
}

/* The clock runs as fast as the system's, and never backwards on one thread. */
static void test_ticks(void **state) {
    (void)state;
    bomp_ticks_begin();
    uint64_t before = bomp_ticks(), began = bz_os_now_ns(), first = bomp_ticks(), last = first;
    assert_true(before >= bomp_ticks_origin());
    while (bz_os_now_ns() < began + 20000000) {
        uint64_t now = bomp_ticks();
        assert_true(now >= last);
        last = now;
    }
    uint64_t ended = bz_os_now_ns(), after = bomp_ticks();
    double ns = bomp_ns_per_tick(), real = (double)(ended - began);
    assert_true((double)(last - first) * ns < 1.01 * real);
    assert_true((double)(after - before) * ns > 0.99 * real);
    assert_true((double)bomp_ticks_in(1000000) * bomp_ns_per_tick() > 500000);
    assert_true((double)bomp_ticks_in(1000000) * bomp_ns_per_tick() < 2000000);
}

static struct bz_a32 id_of_busy, enough;

static void be_busy(void *arg) {
    (void)arg;
    bz_store_release(&id_of_busy, bz_os_thread_id());
    while (bz_load_acquire(&enough) == 0) { /* no system call: the thread is stopped in its own code */
    }
}

/* A debugger: stops the thread until it must end, and reports whether it could. */
static _Noreturn void stop_thread(pid_t thread, int said, int asked) {
    char word = 's';
    bool could = ptrace(PTRACE_SEIZE, thread, 0, 0) == 0 && ptrace(PTRACE_INTERRUPT, thread, 0, 0) == 0 &&
                 waitpid(thread, NULL, __WALL) == thread;
    word = could ? 's' : 'n';
    bool heard = write(said, &word, 1) == 1 && read(asked, &word, 1) >= 0;
    _exit(heard ? 0 : 1);
}

static void thread_that_a_debugger_stops_is_not_blocked(void **state) {
    (void)state;
    int said[2], asked[2];
    char word;
    struct os_thread thread;
    assert_int_equal(os_thread_start(&thread, NULL, be_busy, NULL), 0);
    while (bz_load_acquire(&id_of_busy) == 0) {
        sched_yield();
    }
    uint32_t id = bz_load_acquire(&id_of_busy);
    enum bomp_doing before = bomp_activity_of(id).doing, stopped = before;
    assert_int_equal(pipe(said), 0);
    assert_int_equal(pipe(asked), 0);
    (void)prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* some systems require it, others lack it */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(asked[1]);
        stop_thread((pid_t)id, said[1], asked[0]);
    }
    assert_int_equal(read(said[0], &word, 1), 1);
    if (word == 's') {
        stopped = bomp_activity_of(id).doing;
    }
    close(asked[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    bz_store_release(&enough, 1);
    os_thread_join(&thread);
    if (word != 's' || before == BOMP_UNKNOWN) {
        skip();
    }
    assert_int_equal(before, BOMP_RUNS);
    assert_int_equal(stopped, BOMP_SLEEPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_json_strings),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_from_root),
        cmocka_unit_test(test_files),
        cmocka_unit_test(thread_that_a_debugger_stops_is_not_blocked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
