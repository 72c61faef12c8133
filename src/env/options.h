/* The settings that Blitz reads from its environment, and parsers for settings of other layers. These ignore the
 * locale, letter case, and blanks around the parts of a value, and print nothing. Numbers are decimal. */
#ifndef BZ_OPTIONS_H
#define BZ_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- settings ---- */

/* workers: as many as the process has CPUs at that time. */
#define BZ_WORKERS_AUTO UINT_MAX
/* spin_ns: the policy decides, by measured waits; never sleep. */
#define BZ_SPIN_AUTO (UINT64_MAX - 1)
#define BZ_SPIN_INFINITE UINT64_MAX

/* A field for each row of options.def, which explains them. */
struct bz_options {
#define BZ_OPTION(variable, field, type, kind, default_value) type field;
#include "env/options.def"
};

/* The settings of this process, read once. Prints a line for each bad value, whose default then counts, and for each unknown
 * variable. Cost: some 100 us at first. */
const struct bz_options *bz_options_get(void);

/* Reads the settings if any variable of ours is set: reports errors early. */
void bz_options_check(void);

/* With each value as the variable would have it. */
void bz_options_show(void (*show)(const char *variable, const char *value, void *arg), void *arg);

/* Reads the present environment, with a line for each bad value. Not concurrent with setenv. */
void bz_options_read(struct bz_options *options);

/* ---- whole values: the text holds one value only ---- */

/* Each returns 0 and sets the result; else leaves it: EINVAL for a text of another form, ERANGE for a number outside of
 * [min, max] or its type. */

/* Negative numbers are out of range. */
int bz_parse_uint(const char *text, uint64_t min, uint64_t max, uint64_t *result);

/* Bytes, with a suffix b, k, m or g (powers of 1024), or in units of `unit` bytes without one. */
int bz_parse_size(const char *text, size_t unit, size_t *result);

/* true, yes and 1, or false, no and 0. */
int bz_parse_bool(const char *text, bool *result);

/* An index of `words`. */
int bz_parse_word(const char *text, const char *const *words, size_t count, size_t *result);

/* ---- parts of a value ---- */

/* Each skips blanks at *at and, if the part is there, the part. False, or an error: *at is as before. */

bool bz_scan_char(const char **at, char c);

/* A whole word of letters, digits and underscores. */
bool bz_scan_word(const char **at, const char *word);

bool bz_scan_end(const char **at);

/* Numbers, with the results of bz_parse_uint. ERANGE also skips the number. */
int bz_scan_uint(const char **at, uint64_t min, uint64_t max, uint64_t *result);
int bz_scan_int(const char **at, int64_t min, int64_t max, int64_t *result);

#endif
