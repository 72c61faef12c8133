/*
 * test_error.c: error.h. Standard error is a socket that keeps each write apart; see capture.h.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "env/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../asserts.h"
#include "../sanitized.h"
#include "capture.h"

#define SENTINEL_ERRNO 4242
#define LINE_SIZE (2 * BZ_MESSAGE_MAX)

/* Lines. */

static void a_message_is_one_line_in_one_write(void **state) {
    (void)state;
    struct capture c;
    char line[LINE_SIZE], more[LINE_SIZE];
    capture_begin(&c);
    errno = SENTINEL_ERRNO;
    bz_warn("%s: value %d, using %s", "NAME", -3, "none");
    int after = errno;
    capture_next(&c, line, sizeof line);
    size_t rest = capture_next(&c, more, sizeof more);
    capture_end(&c);
    assert_string_equal(line, "blitz: NAME: value -3, using none\n");
    assert_int_equal(rest, 0);
    assert_int_equal(after, SENTINEL_ERRNO);
}

static void formats_are_those_of_printf(void **state) {
    (void)state;
    struct capture c;
    char line[LINE_SIZE], want[LINE_SIZE];
    void *p = &c;
    capture_begin(&c);
    bz_warn("%u %ld %lu %zu %x %c %p %lld %hu %5d|%-5d|%05d %.3s %%", 7u, LONG_MIN, ULONG_MAX, SIZE_MAX, 255u,
            'c', p, -1ll, (unsigned short)9, 42, 42, 42, "abcdef");
    capture_next(&c, line, sizeof line);
    capture_end(&c);
    snprintf(want, sizeof want,
             "blitz: 7 -9223372036854775808 18446744073709551615 18446744073709551615 ff c %p -1 9    42|42  "
             " |00042 "
             "abc %%\n",
             p);
    assert_string_equal(line, want);
}

static void the_prefix_can_be_another(void **state) {
    (void)state;
    struct capture c;
    char line[LINE_SIZE];
    capture_begin(&c);
    bz_error_prefix("other: ");
    bz_warn("text");
    bz_error_prefix("blitz: ");
    capture_next(&c, line, sizeof line);
    capture_end(&c);
    assert_string_equal(line, "other: text\n");
}

static void control_characters_do_not_break_the_line(void **state) {
    (void)state;
    struct capture c;
    char line[LINE_SIZE];
    capture_begin(&c);
    bz_warn("%s", "a\nb\rc\033[31md\te\177 \xc3\xa9~");
    capture_next(&c, line, sizeof line);
    capture_end(&c);
    assert_string_equal(line, "blitz: a?b?c?[31md?e? \xc3\xa9~\n");
}

static void long_lines_are_cut(void **state) {
    (void)state;
    struct capture c;
    char text[LINE_SIZE], line[LINE_SIZE];
    size_t fits = BZ_MESSAGE_MAX - strlen("blitz: ") - strlen("\n");
    for (size_t length = fits - 1; length <= fits + 2; length++) {
        memset(text, 'x', length);
        text[length - 1] = 'y';
        text[length] = '\0';
        capture_begin(&c);
        bz_warn("%s", text);
        size_t got = capture_next(&c, line, sizeof line);
        capture_end(&c);
        if (length <= fits) {
            assert_int_equal(got, strlen("blitz: ") + length + 1);
            assert_string_equal(line + got - 3, "xy\n");
        } else {
            assert_int_equal(got, BZ_MESSAGE_MAX);
            assert_string_equal(line + got - 5, "x...\n");
        }
    }
    capture_begin(&c); /* no room is left for the text */
    memset(text, 'p', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    bz_error_prefix(text);
    bz_warn("%s", "t");
    bz_error_prefix("blitz: ");
    size_t got = capture_next(&c, line, sizeof line);
    capture_end(&c);
    assert_int_equal(got, BZ_MESSAGE_MAX);
    assert_string_equal(line + got - 5, "p...\n");
}

static void a_closed_standard_error_is_no_trouble(void **state) {
    (void)state;
    int saved = dup(STDERR_FILENO);
    close(STDERR_FILENO);
    errno = SENTINEL_ERRNO;
    bz_warn("lost");
    int after = errno;
    dup2(saved, STDERR_FILENO);
    close(saved);
    assert_int_equal(after, SENTINEL_ERRNO);
}

static struct bz_a32 signals_taken;

static void take_signal(int number) {
    (void)number;
    bz_fetch_add_seq_cst(&signals_taken, 1);
}

static void *warn_once_written(void *arg) {
    (void)arg;
    bz_warn("after all");
    return NULL;
}

/* Standard error is a full pipe. A signal ends the write that waits, and the line still appears. */
static void a_signal_does_not_lose_a_line(void **state) {
    (void)state;
    if (UNDER_TSAN) {
        skip(); /* it defers handlers, and a thread that waits in a write never runs them */
    }
    struct sigaction action = {.sa_handler = take_signal};
    struct sigaction before;
    int ends[2];
    static char block[4096];
    static char all[1 << 17];
    sigaction(SIGUSR1, &action, &before);
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    size_t filled = 0;
    for (ssize_t n; (n = write(ends[1], block, sizeof block)) > 0;) {
        filled += (size_t)n;
    }
    fcntl(ends[1], F_SETFL, 0);
    assert_true(filled < sizeof all);

    int saved = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    pthread_t thread;
    pthread_create(&thread, NULL, warn_once_written, NULL);
    for (uint32_t i = 1; i <= 100; i++) { /* most of them hit the write */
        pthread_kill(thread, SIGUSR1);
        while (bz_load_seq_cst(&signals_taken) < i) {
            sched_yield();
        }
    }
    size_t got = 0;
    while (got < filled + strlen("blitz: after all\n")) {
        ssize_t n = read(ends[0], all + got, sizeof all - 1 - got);
        assert_true(n > 0);
        got += (size_t)n;
    }
    pthread_join(thread, NULL);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(ends[0]);
    close(ends[1]);
    sigaction(SIGUSR1, &before, NULL);
    assert_string_equal(all + filled, "blitz: after all\n");
}

static struct bz_aflag said;

static void *warn_often(void *arg) {
    (void)arg;
    for (int i = 0; i < 100; i++) {
        bz_warn_once(&said, "once %d", 1);
    }
    return NULL;
}

static void warn_once_says_it_once(void **state) {
    (void)state;
    struct capture c;
    char line[LINE_SIZE], more[LINE_SIZE];
    pthread_t threads[4];
    capture_begin(&c);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, warn_often, NULL);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    capture_next(&c, line, sizeof line);
    size_t rest = capture_next(&c, more, sizeof more);
    capture_end(&c);
    assert_string_equal(line, "blitz: once 1\n");
    assert_int_equal(rest, 0);
}

/* No malloc: this program replaces malloc and counts calls. The sanitizers bring their own. */

#if !SANITIZED
static struct bz_a32 mallocs;
void *__libc_malloc(size_t size);
void *malloc(size_t size) {
    bz_fetch_add_relaxed(&mallocs, 1);
    return __libc_malloc(size);
}
#endif

static void messages_do_without_malloc(void **state) {
    (void)state;
#if !SANITIZED
    struct capture c;
    char text[LINE_SIZE];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    capture_begin(&c);
    uint32_t before = bz_load_relaxed(&mallocs);
    bz_warn("%s %400d %p %lu", text, 1, text, 2ul);
    bz_warn("%-400d %zu %x", 3, SIZE_MAX, 4u);
    uint32_t after = bz_load_relaxed(&mallocs);
    capture_end(&c);
    char *copy = strdup(text);
    assert_non_null(copy);
    free(copy);
    assert_int_equal(after, before);
    assert_int_not_equal(bz_load_relaxed(&mallocs), after); /* it does count */
#else
    skip();
#endif
}

/* The end of a process: each in a child. */

struct outcome {
    int status;
    char lines[4][LINE_SIZE]; /* its messages, "" past the last */
};

static void run_in_child(void (*body)(void), struct outcome *o) {
    struct capture c;
    capture_begin(&c);
    pid_t child = fork();
    if (child == 0) {
        alarm(HANG_SECONDS);
        body();
        _exit(0);
    }
    waitpid(child, &o->status, 0);
    for (size_t i = 0; i < 4; i++) {
        capture_next(&c, o->lines[i], LINE_SIZE);
    }
    capture_end(&c);
}

static void at_the_end(void) {
    bz_warn("exit handler");
}

static void die(void) {
    atexit(at_the_end);
    bz_fatal("cannot go on: %s", "reason");
}

static void fatal_ends_the_process_by_exit(void **state) {
    (void)state;
    struct outcome o;
    run_in_child(die, &o);
    assert_true(WIFEXITED(o.status));
    assert_int_equal(WEXITSTATUS(o.status), 1);
    assert_string_equal(o.lines[0], "blitz: cannot go on: reason\n");
    assert_string_equal(o.lines[1], "blitz: exit handler\n");
    assert_string_equal(o.lines[2], "");
}

static struct bz_a32 dying; /* threads about to call bz_fatal; the exit handler reads it */

static void *die_together(void *arg) {
    bz_fetch_add_seq_cst(&dying, 1);
    bz_fatal("thread %d", *(int *)arg);
}

/* The process lives until the other threads have called it as well. */
static void wait_for_the_dying(void) {
    while (bz_load_seq_cst(&dying) < 4) {
        sched_yield();
    }
    for (int i = 0; i < 1000; i++) {
        sched_yield();
    }
    at_the_end();
}

static void die_four_times(void) {
    static int numbers[4] = {0, 1, 2, 3};
    pthread_t threads[4];
    atexit(wait_for_the_dying);
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[i], NULL, die_together, &numbers[i]);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void fatal_in_many_threads_says_it_once(void **state) {
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct outcome o;
        run_in_child(die_four_times, &o);
        assert_true(WIFEXITED(o.status));
        assert_int_equal(WEXITSTATUS(o.status), 1);
        assert_int_equal(strncmp(o.lines[0], "blitz: thread ", 14), 0);
        assert_string_equal(o.lines[1], "blitz: exit handler\n");
        assert_string_equal(o.lines[2], "");
    }
}

static void die_again(void) {
    bz_fatal("second");
}

static void die_while_dying(void) {
    atexit(at_the_end); /* registered after die_again, so it must not run */
    atexit(die_again);
    bz_fatal("first");
}

static void fatal_in_an_exit_handler_ends_it_at_once(void **state) {
    (void)state;
    struct outcome o;
    run_in_child(die_while_dying, &o);
    assert_true(WIFEXITED(o.status));
    assert_int_equal(WEXITSTATUS(o.status), 1);
    assert_string_equal(o.lines[0], "blitz: first\n");
    assert_string_equal(o.lines[1], "blitz: second\n");
    assert_string_equal(o.lines[2], "");
}

/* A child that an ending process forks may end by itself. */
static void fork_while_dying(void) {
    static struct bz_aflag forked;
    if (bz_first_time(&forked)) {
        pid_t child = fork();
        if (child == 0) {
            alarm(HANG_SECONDS);
            bz_fatal("child");
        }
        int status;
        waitpid(child, &status, 0);
        bz_warn("child's status %d", status);
    }
}

static void die_with_a_child(void) {
    atexit(fork_while_dying);
    bz_fatal("parent");
}

static void fatal_works_in_the_child_of_an_ending_process(void **state) {
    (void)state;
    struct outcome o;
    run_in_child(die_with_a_child, &o);
    assert_string_equal(o.lines[0], "blitz: parent\n");
    assert_string_equal(o.lines[1], "blitz: child\n");
    assert_string_equal(o.lines[2], "blitz: child's status 256\n");
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_is_one_line_in_one_write),
        cmocka_unit_test(formats_are_those_of_printf),
        cmocka_unit_test(the_prefix_can_be_another),
        cmocka_unit_test(control_characters_do_not_break_the_line),
        cmocka_unit_test(long_lines_are_cut),
        cmocka_unit_test(a_closed_standard_error_is_no_trouble),
        cmocka_unit_test(a_signal_does_not_lose_a_line),
        cmocka_unit_test(warn_once_says_it_once),
        cmocka_unit_test(messages_do_without_malloc),
        cmocka_unit_test(fatal_ends_the_process_by_exit),
        cmocka_unit_test(fatal_in_many_threads_says_it_once),
        cmocka_unit_test(fatal_in_an_exit_handler_ends_it_at_once),
        cmocka_unit_test(fatal_works_in_the_child_of_an_ending_process),
    };
    alarm(HANG_SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
