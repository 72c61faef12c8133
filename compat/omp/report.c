/*
 * report.c: see report.h. The prefix is set here as well as on loading: a constructor of another library may run first.
 */
#include "report.h"

#include <limits.h>

#include "runtime.h"

void bomp_unsupported(const char *what) {
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    bz_fatal("%s is not supported by this version", what);
}

/* The precision that prints no more than len bytes of a message. */
static int precision(size_t len) {
    return len < INT_MAX ? (int)len : INT_MAX;
}

void bomp_error_warning(const char *message, size_t len) {
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    bz_warn("error directive encountered%s%.*s", message ? ": " : "", precision(len), message ? message : "");
}

void bomp_error_fatal(const char *message, size_t len) {
    bz_error_prefix(BOMP_MESSAGE_PREFIX);
    bz_fatal("fatal error: error directive encountered%s%.*s", message ? ": " : "", precision(len),
             message ? message : "");
}
