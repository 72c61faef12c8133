/* Messages to the user.
 *
 * A message is one line on standard error, made on the stack and written by one call: lines do not mix. It uses neither
 * malloc nor stdio, so that it works under any lock. Control characters become '?'; a longer line than BZ_MESSAGE_MAX ends
 * in "...". Formats have no floating point. */
#ifndef BZ_ERROR_H
#define BZ_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/atomic.h"

/* 1: the verbs of blitz.h also detect wrong use whose detection takes time. */
#ifndef BLITZ_DEBUG
#    define BLITZ_DEBUG 0
#endif

/* Bytes of a message, prefix and newline included. */
#define BZ_MESSAGE_MAX 1024

/* Sets the prefix, at first "blitz: ". Keeps the string. For start-up. */
void bz_error_prefix(const char *prefix);

/* Suppresses messages that are not fatal, or ends that. Any thread. */
void bz_error_quiet(bool quiet);

/* Reports a bad value of a variable, option or argument: "<prefix><name>=<value>: <reason>; <the value used instead>",
 * where the format makes the text after the colon. Any thread; keeps errno. */
void bz_warn_value(const char *name, const char *value, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

#define bz_warn(...) bz_warn_value(NULL, NULL, __VA_ARGS__)

/* Calls exit(EXIT_FAILURE); from an exit handler, ends the process at once. Only the first thread reports; others
 * stop here. */
_Noreturn void bz_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

void bz_error_write(const char *line, size_t size);

/* Reports wrong use of a verb, "<prefix><verb>: <what> <object>: <rule>", where the rule is a format, and aborts. Several
 * threads: as bz_fatal. */
_Noreturn void bz_misuse(const char *verb, const char *what, const void *object, const char *rule, ...)
    __attribute__((format(printf, 4, 5), cold));

/* bz_warn at the first use of this flag (a struct bz_aflag *, at first zero). Cost later: a load. */
#define bz_warn_once(flag, ...) (bz_first_time(flag) ? bz_warn(__VA_ARGS__) : (void)0)

/* Whether this is the first call with the flag. Relaxed: a flag alone. */
static inline bool bz_first_time(struct bz_aflag *flag) {
    return !bz_load_relaxed(flag) && !bz_exchange_relaxed(flag, true);
}

#endif
