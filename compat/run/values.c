/* values.c: see values.h. The grammar of places is that of compat/omp/affinity/places.c. Each take function consumes one
 * part at *at, with the blanks before it, and returns whether it was there. */
#include "run/values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/say.h"

/* The limit of the watchdog. */
#define SECONDS_MOST 3000000

static void skip_blanks(const char **at) {
    while (isspace((unsigned char)**at))
        ++*at;
}

static bool take_char(const char **at, char c) {
    skip_blanks(at);
    bool found = **at == c;
    *at += found;
    return found;
}

static bool take_end(const char **at) {
    skip_blanks(at);
    return **at == '\0';
}

static bool take_word(const char **at, const char *word) {
    skip_blanks(at);
    size_t length = strlen(word);
    bool found =
        strncasecmp(*at, word, length) == 0 && !isalnum((unsigned char)(*at)[length]) && (*at)[length] != '_';
    *at += found ? length : 0;
    return found;
}

static bool take_number(const char **at, long least, long most) {
    skip_blanks(at);
    char *end;
    errno = 0;
    long value = strtol(*at, &end, 10);
    bool good = end != *at && errno == 0 && value >= least && value <= most;
    *at = end;
    return good;
}

_Noreturn static void refuse(const char *option, const char *value, const char *wanted) {
    run_fail(RUN_FAILED, "%s=%s: not %s", option, value, wanted);
}

/* ---- numbers ---- */

const char *run_threads(const char *option, const char *value) {
    const char *at = value;
    bool good;
    do {
        good = take_number(&at, 1, INT_MAX);
    } while (good && take_char(&at, ','));
    if (!good || !take_end(&at))
        refuse(option, value, "a number of threads, or several with commas for nested regions");
    return value;
}

/* With or without decimals, of which three count. */
static bool take_seconds(const char **at) {
    skip_blanks(at);
    const char *begin = *at;
    if (!isdigit((unsigned char)*begin) || !take_number(at, 0, SECONDS_MOST))
        return false;
    bool is_some = strtol(begin, NULL, 10) > 0;
    if (!take_char(at, '.'))
        return is_some;
    size_t zeros = strspn(*at, "0"), digits = strspn(*at, "0123456789");
    *at += digits;
    return digits > 0 && (is_some || (zeros < digits && zeros < 3));
}

const char *run_watchdog(const char *option, const char *value) {
    const char *at = value;
    bool good = take_seconds(&at);
    if (good && take_char(&at, ',') && !take_word(&at, "abort"))
        good = take_word(&at, "exit") && take_char(&at, '=') && take_number(&at, 0, UCHAR_MAX);
    if (!good || !take_end(&at))
        refuse(option, value, "a number of seconds, 0.001 or more, perhaps with ,exit=CODE or ,abort");
    return value;
}

long run_number(const char *option, const char *value, long least, long most) {
    const char *at = value;
    if (!take_number(&at, least, most) || !take_end(&at))
        run_fail(RUN_FAILED, "%s=%s: not a number from %ld to %ld", option, value, least, most);
    return strtol(value, NULL, 10);
}

/* ---- places ---- */

/* [:count[:stride]] */
static bool take_repetition(const char **at, long most) {
    return !take_char(at, ':') ||
           (take_number(at, 1, most) && (!take_char(at, ':') || take_number(at, LONG_MIN + 1, LONG_MAX)));
}

/* {cpus, ...} or one CPU, where cpus are cpu[:count[:stride]] or !cpu. */
static bool take_place(const char **at) {
    if (!take_char(at, '{'))
        return take_number(at, 0, LONG_MAX);
    bool good;
    do {
        bool remove = take_char(at, '!');
        good = take_number(at, 0, LONG_MAX) && (remove || take_repetition(at, LONG_MAX));
    } while (good && take_char(at, ','));
    return good && take_char(at, '}');
}

/* place[:count[:stride]] or !place, ... */
static bool take_list(const char **at) {
    bool good;
    do {
        bool remove = take_char(at, '!');
        good = take_place(at) && (remove || take_repetition(at, USHRT_MAX));
    } while (good && take_char(at, ','));
    return good;
}

/* name[(count)] */
static bool take_named(const char **at) {
    static const char *const names[] = {"threads", "cores", "sockets", "ll_caches", "numa_domains"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (take_word(at, names[i]))
            return !take_char(at, '(') || (take_number(at, 1, LONG_MAX) && take_char(at, ')'));
    return false;
}

const char *run_places(const char *option, const char *value) {
    const char *named = value, *list = value;
    if (!(take_named(&named) && take_end(&named)) && !(take_list(&list) && take_end(&list)))
        refuse(option, value,
               "threads, cores, sockets, ll_caches, numa_domains, NAME(COUNT) or a list such as {0,1},{2,3}");
    return value;
}

const char *run_bind(const char *option, const char *value) {
    const char *at = value;
    bool good = take_word(&at, "true") || take_word(&at, "false");
    if (!good)
        do {
            good = take_word(&at, "primary") || take_word(&at, "master") || take_word(&at, "close") ||
                   take_word(&at, "spread");
        } while (good && take_char(&at, ','));
    if (!good || !take_end(&at))
        refuse(option, value, "true, false, or a list of primary, close and spread");
    return value;
}

/* ---- files ---- */

/* Escapes percent signs for a pattern. */
static char *escaped(const char *folder) {
    char *text = run_text("%s", "");
    for (; *folder; folder++)
        text = run_text("%s%c%s", text, *folder, *folder == '%' ? "%" : "");
    return text;
}

const char *run_file(const char *option, const char *value, const char *suffix) {
    const char *slash = strrchr(value, '/');
    const char *name = slash ? slash + 1 : value;
    size_t length = strlen(name), ending = strlen(suffix);
    if (length <= ending || strcasecmp(name + length - ending, suffix) != 0)
        run_fail(RUN_FAILED, "%s=%s: not the name of a file that ends with %s", option, value, suffix);
    const char *folder = !slash ? "." : slash == value ? "/" : run_text("%.*s", (int)(slash - value), value);
    char *whole = realpath(folder, NULL);
    char *path = whole ? run_text("%s%s%s", whole, strcmp(whole, "/") == 0 ? "" : "/", name) : NULL;
    struct stat about;
    bool exists = path && !strchr(name, '%') && stat(path, &about) == 0;
    int error = !path ? errno : exists && S_ISDIR(about.st_mode) ? EISDIR : 0;
    if (error == 0 && access(exists ? path : whole, W_OK) != 0)
        error = errno;
    if (error != 0)
        run_fail(RUN_FAILED, "%s=%s: cannot be written: %s", option, value, strerror(error));
    return run_text("%s%s%s", strcmp(whole, "/") == 0 ? "" : escaped(whole), "/", name);
}
