/*
 * report.h: messages that belong to OpenMP's meaning rather than to the runtime's own troubles.
 */
#ifndef BOMP_REPORT_H
#define BOMP_REPORT_H

#include <stddef.h>

/* What all messages of libblitz-omp start with. */
#define BOMP_MESSAGE_PREFIX "libblitz-omp: "

/* The program asked for something that is not served yet: say what, in one line, and exit with status 1. */
_Noreturn void bomp_unsupported(const char *what);

/*
 * The error directive: a message of len bytes, (size_t)-1 if it ends in a null byte; NULL for none. severity(warning)
 * goes on, severity(fatal) exits with status 1.
 */
void bomp_error_warning(const char *message, size_t len);
_Noreturn void bomp_error_fatal(const char *message, size_t len);

#endif
