/* Messages about OpenMP, for entry points and rooms. */
#ifndef BOMP_REPORT_H
#define BOMP_REPORT_H

#include <stddef.h>

/* The start of all messages except those of the error directive. */
#define BOMP_MESSAGE_PREFIX "libblitz-omp: "

/* A block for bz_free, or for bomp_scratch_free if the program may write to it. No memory for `what` is fatal. */
void *bomp_scratch(size_t bytes, const char *what);
void bomp_scratch_free(void *block);

/* Each fatal error prints one line and exits with status 1. */
_Noreturn void bomp_no_memory(const char *what);

/* An argument of a newer compiler: unknown bits of `what`; an array of another layout. */
_Noreturn void bomp_unknown_bits(const char *entry, const char *what, unsigned long bits);
_Noreturn void bomp_unknown_layout(const char *what);

/* The number of `what` is out of range. */
_Noreturn void bomp_bad_count(const char *entry, const char *what, long count, long most);

/* A loop of 2^64 iterations, which a counter cannot hold. */
_Noreturn void bomp_too_many_iterations(const char *entry);

/* An object ("": the program) imports a function, in a version unless "", that the library lacks. */
_Noreturn void bomp_no_function(const char *object, const char *name, const char *version);

/* A depend object of an unknown kind: one line; the caller takes it for inout. */
void bomp_bad_depend_object(long kind);

/* The text of the error directive: the program's message within the words of its compiler's own runtime. */
struct bomp_error_text {
    const char *before;
    const char *message; /* NULL: none */
    size_t length;       /* of the message; (size_t)-1 if it ends in a null byte */
    const char *after;
};

/* severity(warning) continues, severity(fatal) exits with status 1. */
void bomp_error_warning(const struct bomp_error_text *text);
_Noreturn void bomp_error_fatal(const struct bomp_error_text *text);

#endif
