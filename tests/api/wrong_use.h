/* wrong_use.h: for tests of wrong use, which ends the process with a message that names the call, the object and the
 * rule. Each use runs in a child with a time limit. Uses that are too expensive to detect in a release need
 * BLITZ_DEBUG=1, and are skipped without it. */
#ifndef WRONG_USE_H
#define WRONG_USE_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../unit/capture.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SECONDS 100

#define NEVER 99

/* AddressSanitizer reports freed memory before our own message. */
#if defined(__SANITIZE_ADDRESS__)
#    define SANITIZED 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define SANITIZED 1
#    endif
#endif
#ifndef SANITIZED
#    define SANITIZED 0
#endif

/* A child that ends with a message prints only that. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0:atexit_sleep_ms=0:report_bugs=0";
}

struct wrong {
    blitz_fn *use;
    const char *what; /* the message: "blitz: ", this text, */
    const char *rule; /* and this text after the address */
    int level;        /* the BLITZ_DEBUG that detects it; NEVER: none here */
};

#define UNSYNCED_OBJECT                                                                                      \
    "is still open; sync it or wait for it before the function that forked or began it returns"

static const struct wrong *tried;
static int status;

static inline void try_it(void) {
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        struct rlimit none = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &none);
        alarm(SECONDS);
        (void)signal(SIGSEGV, SIG_DFL); /* not the test's handler */
        (void)signal(SIGBUS, SIG_DFL);
        tried->use(NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
}

/* Standard error of the child, up to two lines. */
static inline const char *said(void) {
    static char line[512], more[512];
    struct capture capture;
    capture_begin(&capture);
    try_it();
    capture_next(&capture, line, sizeof line);
    capture_next(&capture, more, sizeof more);
    capture_end(&capture);
    return *more ? more : line;
}

static inline int is_as_wanted(const char *line, const struct wrong *wrong) {
    size_t length = strlen(line), rule = wrong->rule ? strlen(wrong->rule) : 0;
    if (strncmp(line, "blitz: ", 7) || length < 8 + rule || line[length - 1] != '\n')
        return 0;
    if (wrong->what && strncmp(line + 7, wrong->what, strlen(wrong->what)))
        return 0;
    return !wrong->rule || !strncmp(line + length - 1 - rule, wrong->rule, rule);
}

/* With BLITZ_DEBUG the message may name the object where a release names only the function. */
static inline int is_right(const char *line, const struct wrong *wrong) {
    if (is_as_wanted(line, wrong))
        return 1;
    return BLITZ_DEBUG >= 1 && strstr(line, UNSYNCED_OBJECT);
}

static inline int check(const struct wrong *wrong, const char *name) {
    tried = wrong;
    const char *line = said();
    int right = is_right(line, wrong) && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
    if (!right)
        fprintf(stderr, "%s: status %#x, %s\n", name, (unsigned)status, *line ? line : "nothing said");
    return !right;
}

/* The number of uses that do not end as expected. */
static inline int check_all(const struct wrong *wrongs, size_t count) {
    int failures = 0;
    for (size_t i = 0; i < count; i++) {
        char name[40];
        (void)snprintf(name, sizeof name, "number %zu", i);
        if (wrongs[i].level <= BLITZ_DEBUG)
            failures += check(&wrongs[i], name);
    }
    return failures;
}

#endif
