/* options.h: the settings that Blitz takes from its environment, and the parsing that goes with such settings, for
 * everybody who has some of their own.
 *
 * Parsing here is plain ASCII, whatever the locale; letter case does not matter; blanks (isspace's in the C locale)
 * may stand before, between and after the parts of a value. Numbers are decimal. No function prints anything. */
#ifndef BZ_OPTIONS_H
#define BZ_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Settings. */

/* workers: as many as the process has CPUs, whenever that is asked. */
#define BZ_WORKERS_AUTO UINT_MAX
/* spin_ns: the policy decides, from how long waits turn out to be. */
#define BZ_SPIN_AUTO (UINT64_MAX - 1)
/* spin_ns: never sleep. */
#define BZ_SPIN_INFINITE UINT64_MAX

/* One field per row of options.def, which says what they mean. */
struct bz_options {
#define BZ_OPTION(variable, field, type, kind, default_value) type field;
#include "env/options.def"
};

/* The settings of this process, read from the environment at the first call and the same ever after. A variable with
 * a bad value has its default; one line on standard error said so, and one for each variable that looks like a setting
 * and is none (names.h). Any thread. Never NULL.
 * Cost: some 100 us at first, then a few ns. */
const struct bz_options *bz_options_get(void);

/* For whoever may never need the settings: reads them now if any is given, so that what is wrong with them is said. */
void bz_options_check(void);

/* show(variable, value, arg) for each setting as bz_options_get has it, in the spelling that the variable takes. */
void bz_options_show(void (*show)(const char *variable, const char *value, void *arg), void *arg);

/* Read the environment as it is now into *options, with a line for each bad value. Not against a setenv meanwhile. */
void bz_options_read(struct bz_options *options);

/* Whole values: the text must hold one value and nothing else. Return 0 and set the result; or EINVAL for a text
 * that is no such value, ERANGE for a number outside of [min, max] or too large for its type, the result untouched. */

/* A number. A minus sign is out of range, not a huge number. */
int bz_parse_uint(const char *text, uint64_t min, uint64_t max, uint64_t *result);

/* A number with a sign or none. */
int bz_parse_int(const char *text, int64_t min, int64_t max, int64_t *result);

/* A number of bytes with a suffix b, k, m or g (powers of 1024), or of units of `unit` bytes without one. */
int bz_parse_size(const char *text, size_t unit, size_t *result);

/* true, yes and 1, or false, no and 0. */
int bz_parse_bool(const char *text, bool *result);

/* One of count words; the result is its index. */
int bz_parse_word(const char *text, const char *const *words, size_t count, size_t *result);

/* A comma list of one or more numbers, each in [min, max]. *count becomes the length of the list, of which the first
 * capacity numbers go to values; on an error, values may be overwritten. */
int bz_parse_uint_list(const char *text, uint64_t min, uint64_t max, uint64_t *values, size_t capacity,
                       size_t *count);

/* Parts of a value, for grammars of one's own: each looks past blanks at *at, takes what it is named after if that
 * is there, and moves *at behind it. What is not there leaves *at alone. */

/* The character c. */
bool bz_scan_char(const char **at, char c);

/* The word (of letters, digits and underscores) up to its end: "guide" is not there in "guided". */
bool bz_scan_word(const char **at, const char *word);

/* The end of the text. */
bool bz_scan_end(const char **at);

/* A number. Returns as bz_parse_uint and bz_parse_int do; a number out of range is skipped all the same, so that the
 * caller can see whether anything is wrong beyond that. */
int bz_scan_uint(const char **at, uint64_t min, uint64_t max, uint64_t *result);
int bz_scan_int(const char **at, int64_t min, int64_t max, int64_t *result);

#endif
