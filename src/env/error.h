/* error.h: how Blitz talks to the user when something is wrong, and its internal assertions.
 *
 * Every message is one line on standard error, "<prefix><text>\n", put together on the stack and handed over in one
 * write: lines of several threads and processes do not mix, and neither malloc nor a stdio stream is touched, so that
 * a message can be given under any lock and when memory is exhausted. Control characters in the text become '?', and
 * a line longer than BZ_MESSAGE_MAX ends in "...".
 * Formats: %s %d %i %u %x %c %p %% with l, ll, z, h, width and precision; no floating point. */
#ifndef BZ_ERROR_H
#define BZ_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/atomic.h"

#ifndef BLITZ_DEBUG
#    define BLITZ_DEBUG 0
#endif

/* Bytes of a message line at most, prefix and newline included. */
#define BZ_MESSAGE_MAX 1024

/* Set what stands before every message: "blitz: " until the first call. The string is kept, not copied. Meant for
 * start-up; a message given at the same time has either prefix. */
void bz_error_prefix(const char *prefix);

/* From now on no message is given but fatal ones, or all are again. Any thread. */
void bz_error_quiet(bool quiet);

/* Give a message of a variable, option or argument with a bad value, and go on: "<prefix><name>=<value>: <reason>; <what is
 * used instead>", where the format makes all behind the colon. A long value is shown in part. Any thread; errno is kept;
 * lost without a trace if standard error is closed. */
void bz_warn_value(const char *name, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* The same without a name and a value. */
#define bz_warn(...) bz_warn_value(NULL, NULL, __VA_ARGS__)

/* Give a message and end the process with exit(EXIT_FAILURE), exit handlers included. When several threads get here,
 * only the first one's message appears and the others stop where they are; called from an exit handler that a fatal
 * error runs, it ends the process at once. */
_Noreturn void bz_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Puts all of a message of the caller's own making out: for those that are longer, or others'. */
void bz_error_write(const char *line, size_t size);

/* The program has used a verb wrongly: gives "<prefix><verb>: <what> <object>: <rule>", where the rule is a format, and
 * aborts, so that a debugger or a core shows who called. Of several threads as bz_fatal. */
_Noreturn void bz_misuse(const char *verb, const char *what, const void *object, const char *rule, ...)
    __attribute__((format(printf, 4, 5), cold));

/* bz_warn, but only the first time that this flag (a struct bz_aflag *, all zero at first) is seen, by whichever
 * thread. Cost once given: one load. */
#define bz_warn_once(flag, ...) (bz_first_time(flag) ? bz_warn(__VA_ARGS__) : (void)0)

/* Whether this is the first call for the flag. Relaxed: nothing but the message hangs on it. */
static inline bool bz_first_time(struct bz_aflag *flag) {
    return !bz_load_relaxed(flag) && !bz_exchange_relaxed(flag, true);
}

/* Check an assumption of ours (never the user's input) in builds with BLITZ_DEBUG >= level:
 * 1 cheap, 2 costs something on hot paths, 3 walks whole structures. Fails with a message and abort(). A condition
 * that is not checked is compiled but not evaluated. */
#define bz_assert(level, condition)                                                                          \
    (BLITZ_DEBUG >= (level) && !(condition) ? bz_assert_fail(__FILE__, __LINE__, #condition) : (void)0)

/* The failing half of bz_assert. */
_Noreturn void bz_assert_fail(const char *file, int line, const char *condition) __attribute__((cold));

#endif
