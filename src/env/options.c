/* See options.h. It does not use strtoul, which accepts "-1" and follows the locale. */
#include "env/options.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/config.h"
#include "env/error.h"
#include "env/names.h"
#include "os/os.h"
#include "os/topology.h"

/* ---- parts of a value ---- */

static bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_word_char(char c) {
    return is_digit(c) || c == '_' || (lower(c) >= 'a' && lower(c) <= 'z');
}

static const char *skip_blanks(const char *text) {
    while (is_blank(*text))
        text++;
    return text;
}

bool bz_scan_char(const char **at, char c) {
    const char *text = skip_blanks(*at);
    if (c == '\0' || lower(*text) != lower(c))
        return false;
    *at = text + 1;
    return true;
}

bool bz_scan_word(const char **at, const char *word) {
    const char *text = skip_blanks(*at);
    for (; *word != '\0'; word++, text++)
        if (lower(*text) != lower(*word))
            return false;
    if (is_word_char(*text))
        return false;
    *at = text;
    return true;
}

bool bz_scan_end(const char **at) {
    return *skip_blanks(*at) == '\0';
}

/* A sign or none, and digits. EINVAL: no digits; ERANGE: more than 64 bits, skipped. */
static int scan_number(const char **at, bool *negative, uint64_t *magnitude) {
    const char *text = skip_blanks(*at);
    bool overflow = false;
    *negative = *text == '-';
    text += *text == '-' || *text == '+';
    if (!is_digit(*text))
        return EINVAL;
    for (*magnitude = 0; is_digit(*text); text++)
        overflow |= __builtin_mul_overflow(*magnitude, 10, magnitude) ||
                    __builtin_add_overflow(*magnitude, (uint64_t)(*text - '0'), magnitude);
    *at = text;
    return overflow ? ERANGE : 0;
}

int bz_scan_uint(const char **at, uint64_t min, uint64_t max, uint64_t *result) {
    bool negative;
    uint64_t value;
    int rc = scan_number(at, &negative, &value);
    if (rc != 0)
        return rc;
    if ((negative && value != 0) || value < min || value > max)
        return ERANGE;
    *result = value;
    return 0;
}

int bz_scan_int(const char **at, int64_t min, int64_t max, int64_t *result) {
    bool negative;
    uint64_t magnitude;
    int rc = scan_number(at, &negative, &magnitude);
    if (rc != 0)
        return rc;
    int64_t value = (int64_t)(negative ? 0 - magnitude : magnitude);
    if (magnitude > (uint64_t)INT64_MAX + negative || value < min || value > max)
        return ERANGE;
    *result = value;
    return 0;
}

/* ---- whole values ---- */

/* The result for a value that gave rc and must end at *at. EINVAL prevails over ERANGE. */
static int whole(int rc, const char **at) {
    return bz_scan_end(at) ? rc : EINVAL;
}

int bz_parse_uint(const char *text, uint64_t min, uint64_t max, uint64_t *result) {
    uint64_t value = 0;
    int rc = whole(bz_scan_uint(&text, min, max, &value), &text);
    if (rc == 0)
        *result = value;
    return rc;
}

int bz_parse_size(const char *text, size_t unit, size_t *result) {
    static const char *const suffixes[] = {"b", "k", "m", "g"};
    uint64_t number = 0;
    int rc = bz_scan_uint(&text, 0, SIZE_MAX, &number);
    if (rc == EINVAL)
        return EINVAL;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (bz_scan_word(&text, suffixes[i])) {
            unit = (size_t)1 << 10 * i;
            break;
        }
    }
    rc = whole(rc, &text);
    if (rc == 0 && number > SIZE_MAX / unit)
        rc = ERANGE;
    if (rc == 0)
        *result = (size_t)number * unit;
    return rc;
}

int bz_parse_word(const char *text, const char *const *words, size_t count, size_t *result) {
    for (size_t i = 0; i < count; i++) {
        const char *at = text;
        if (bz_scan_word(&at, words[i]) && bz_scan_end(&at)) {
            *result = i;
            return 0;
        }
    }
    return EINVAL;
}

int bz_parse_bool(const char *text, bool *result) {
    static const char *const words[] = {"false", "true", "no", "yes", "0", "1"};
    size_t index;
    int rc = bz_parse_word(text, words, sizeof words / sizeof words[0], &index);
    if (rc == 0)
        *result = index % 2 != 0;
    return rc;
}

/* ---- settings: one function per kind of options.def, which keeps the default if the text is bad ---- */

#define INVALID "invalid value; using "

static void read_workers(const char *variable, const char *text, unsigned *field) {
    uint64_t value = *field;
    if (bz_parse_uint(text, 0, BZ_DOMAIN_MAX, &value) != 0)
        bz_warn_value(variable, text, INVALID "%u", bz_topology_default_workers());
    *field = (unsigned)value;
}

static void read_size(const char *variable, const char *text, size_t *field) {
    size_t size;
    if (bz_parse_size(text, 1024, &size) != 0 || (size != 0 && size < BZ_STACK_LEAST))
        bz_warn_value(variable, text, INVALID "the system's default");
    else
        *field = size;
}

/* Microseconds to nanoseconds, below the special values of spin_ns. */
static void read_spin(const char *variable, const char *text, uint64_t *field) {
    static const char *const words[] = {"auto", "infinite", "infinity"};
    size_t index;
    uint64_t us;
    if (bz_parse_word(text, words, sizeof words / sizeof words[0], &index) == 0)
        *field = index == 0 ? BZ_SPIN_AUTO : BZ_SPIN_INFINITE;
    else if (bz_parse_uint(text, 0, (BZ_SPIN_AUTO - 1) / 1000, &us) == 0)
        *field = us * 1000;
    else
        bz_warn_value(variable, text, INVALID "auto");
}

static bool is_report(const char *text) {
    static const char ending[] = ".json";
    size_t length = strlen(text);
    return length >= sizeof ending && strcmp(text + length - (sizeof ending - 1), ending) == 0;
}

static void read_stats(const char *variable, const char *text, bool *field) {
    if (*text && !is_report(text) && bz_parse_bool(text, field) != 0)
        bz_warn_value(variable, text, INVALID "%s; a file's name must end in .json",
                      *field ? "true" : "false");
}

void bz_options_read(struct bz_options *options) {
    const char *text;
#define BZ_OPTION(variable, field, type, kind, default_value)                                                \
    options->field = default_value;                                                                          \
    if ((text = bz_os_getenv(variable)))                                                                     \
        read_##kind(variable, text, &options->field);
#include "env/options.def"
}

#define PREFIX "BLITZ_"

/* The last ones are for a layer above, or for a command. */
static void check_names(void) {
    static const char *const known[] = {
#define BZ_OPTION(variable, field, type, kind, default_value) variable,
#include "env/options.def"
        PREFIX "DETERMINISTIC", PREFIX "LIB", PREFIX "TRACE", PREFIX "TRACE_SIZE", PREFIX "WATCHDOG", NULL};
    bz_names_check(PREFIX, known, true);
}

/* Written under pthread_once, read after it. */
static struct bz_options the_options;

static void read_once(void) {
    bz_options_read(&the_options);
    check_names();
}

const struct bz_options *bz_options_get(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, read_once);
    return &the_options;
}

void bz_options_check(void) {
    if (bz_names_any(PREFIX))
        (void)bz_options_get();
}

/* ---- settings as text: one function per kind ---- */

#define SHOWN_SETTING_MAX 32 /* room for any of them */

static void show_workers(char *text, const unsigned *field) {
    snprintf(text, SHOWN_SETTING_MAX, "%u",
             *field == BZ_WORKERS_AUTO ? bz_topology_default_workers() : *field);
}

static void show_size(char *text, const size_t *field) {
    snprintf(text, SHOWN_SETTING_MAX, "%zub", *field);
}

static void show_spin(char *text, const uint64_t *field) {
    if (*field == BZ_SPIN_AUTO || *field == BZ_SPIN_INFINITE)
        snprintf(text, SHOWN_SETTING_MAX, "%s", *field == BZ_SPIN_AUTO ? "auto" : "infinite");
    else
        snprintf(text, SHOWN_SETTING_MAX, "%llu", (unsigned long long)*field / 1000);
}

static void show_stats(char *text, const bool *field) {
    snprintf(text, SHOWN_SETTING_MAX, "%s", *field ? "true" : "false");
}

void bz_options_show(void (*show)(const char *variable, const char *value, void *arg), void *arg) {
    const struct bz_options *options = bz_options_get();
    char text[SHOWN_SETTING_MAX];
#define BZ_OPTION(variable, field, type, kind, default_value)                                                \
    show_##kind(text, &options->field);                                                                      \
    show(variable, text, arg);
#include "env/options.def"
}
