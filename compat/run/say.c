/* say.c: see say.h. */
#include "run/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void say(const char *format, va_list list) {
    char line[4096];
    (void)vsnprintf(line, sizeof line, format, list);
    fprintf(stderr, "blitz-run: %s\n", line); /* one write: glibc collects a call's output to stderr */
}

void run_say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
}

void run_fail(int status, const char *format, ...) {
    va_list list;
    va_start(list, format);
    say(format, list);
    va_end(list);
    exit(status);
}

void *run_take(size_t bytes) {
    return run_take_again(NULL, bytes);
}

void *run_take_again(void *old, size_t bytes) {
    void *memory = realloc(old, bytes > 0 ? bytes : 1);
    if (!memory)
        run_fail(RUN_FAILED, "out of memory for %zu bytes", bytes);
    return memory;
}

char *run_text(const char *format, ...) {
    char *text;
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0)
        run_fail(RUN_FAILED, "out of memory");
    return text;
}
