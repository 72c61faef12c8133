/* report.h: messages that belong to OpenMP's meaning rather than to the runtime's own troubles. */
#ifndef BOMP_REPORT_H
#define BOMP_REPORT_H

#include <stddef.h>

/* What all messages of libblitz-omp start with, but for those of the error directive. */
#define BOMP_MESSAGE_PREFIX "libblitz-omp: "

/* Memory for the arguments of a call, which the program may work on; freed by bomp_scratch_free. There is no failing:
 * without memory for `what` the program ends. */
void *bomp_scratch(size_t bytes, const char *what);
void bomp_scratch_free(void *block);

/* There is no memory for it, and no way to go on without: one line, exit with status 1. */
_Noreturn void bomp_no_memory(const char *what);

/* What an entry point was given was written by a compiler that is newer than this library: bits of `what` that it does not
 * know; an array of another layout. One line that names them and the library's version, exit with status 1. */
_Noreturn void bomp_unknown_bits(const char *entry, const char *what, unsigned long bits);
_Noreturn void bomp_unknown_layout(const char *what);

/* An entry point was given a number of `what` that it does not take: one line, exit with status 1. */
_Noreturn void bomp_bad_count(const char *entry, const char *what, long count, long most);

/* An entry point was given a loop of 2^64 iterations, which no number says: one line, exit with status 1. */
_Noreturn void bomp_too_many_iterations(const char *entry);

/* An object, "" for the program, asks for a function, in a version if that is not "", that the library does not have. One
 * line, exit with status 1. */
_Noreturn void bomp_no_function(const char *object, const char *name, const char *version);

/* A depend object of a kind that does not exist: one line; the caller takes it for inout. */
void bomp_bad_depend_object(long kind);

/* What the error directive says: the program's message, between the words of its compiler's own runtime, which tests of
 * programs look for. */
struct bomp_error_text {
    const char *before;
    const char *message; /* NULL: none */
    size_t length;       /* of the message; (size_t)-1 if it ends in a null byte */
    const char *after;
};

/* severity(warning) goes on, severity(fatal) exits with status 1. Nothing is shortened. */
void bomp_error_warning(const struct bomp_error_text *text);
_Noreturn void bomp_error_fatal(const struct bomp_error_text *text);

#endif
