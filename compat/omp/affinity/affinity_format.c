/* affinity_format.c: see affinity_format.h. */
#include "omp/affinity/affinity_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "omp/affinity/affinity.h"
#include "omp/omp_decl.h"
#include "omp/team/lock.h"
#include "omp/team/team.h"

/* Text in the making: what has no room is counted. */
struct out {
    char *text;
    size_t size, length;
};

static void put(struct out *out, const char *bytes, size_t count) {
    if (out->length < out->size) {
        size_t room = out->size - out->length;
        memcpy(out->text + out->length, bytes, count < room ? count : room);
    }
    out->length += count;
}

static void put_times(struct out *out, char c, size_t times) {
    if (out->length < out->size) {
        size_t room = out->size - out->length;
        memset(out->text + out->length, c, times < room ? times : room);
    }
    out->length += times;
}

/* How a field is written: %[0][.][width]. */
struct shape {
    size_t width;
    bool zeros, right;
};

static void put_text(struct out *out, struct shape shape, const char *text, size_t length) {
    size_t fill = shape.width > length ? shape.width - length : 0;
    if (shape.right) {
        put_times(out, ' ', fill);
    }
    put(out, text, length);
    if (!shape.right) {
        put_times(out, ' ', fill);
    }
}

/* A number of so many characters before its digits: a sign, or 0x. */
static void put_digits(struct out *out, struct shape shape, const char *number, size_t before) {
    size_t length = strlen(number);
    if (!shape.zeros || shape.width <= length) {
        put_text(out, shape, number, length);
        return;
    }
    put(out, number, before);
    put_times(out, '0', shape.width - length);
    put(out, number + before, length - before);
}

static void put_int(struct out *out, struct shape shape, int value) {
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    put_digits(out, shape, number, value < 0);
}

static void put_hex(struct out *out, struct shape shape, uintptr_t value) {
    char number[24];
    snprintf(number, sizeof number, "0x%" PRIxPTR, value);
    put_digits(out, shape, number, 2);
}

/* Ranges, as 0-3,8. Twice: for the length, and to be written. */
static void put_ranges(struct out *out, const uint64_t *set, size_t words) {
    for (unsigned first = bz_cpus_next(set, words, 0); first != UINT_MAX;) {
        unsigned end = first + 1;
        unsigned next = bz_cpus_next(set, words, end);
        while (next == end) {
            next = bz_cpus_next(set, words, ++end);
        }
        char range[32];
        int length = end == first + 1 ? snprintf(range, sizeof range, "%u", first)
                                      : snprintf(range, sizeof range, "%u-%u", first, end - 1);
        put(out, range, (size_t)length);
        if (next != UINT_MAX) {
            put(out, ",", 1);
        }
        first = next;
    }
}

static void put_cpus(struct out *out, struct shape shape, const uint64_t *set, size_t words) {
    struct out measure = {NULL, 0, 0};
    put_ranges(&measure, set, words);
    size_t fill = shape.width > measure.length ? shape.width - measure.length : 0;
    put_times(out, ' ', shape.right ? fill : 0);
    put_ranges(out, set, words);
    put_times(out, ' ', shape.right ? 0 : fill);
}

static const struct {
    char letter;
    const char *name;
} fields[] = {{'t', "team_num"},         {'T', "num_teams"},      {'L', "nesting_level"}, {'n', "thread_num"},
              {'N', "num_threads"},      {'a', "ancestor_tnum"},  {'H', "host"},          {'P', "process_id"},
              {'i', "native_thread_id"}, {'A', "thread_affinity"}};

static void put_field(struct out *out, struct shape shape, char letter,
                      const struct bomp_affinity_facts *facts) {
    switch (letter) {
    case 't':
        put_int(out, shape, facts->team_num);
        break;
    case 'T':
        put_int(out, shape, facts->num_teams);
        break;
    case 'L':
        put_int(out, shape, facts->level);
        break;
    case 'n':
        put_int(out, shape, facts->num);
        break;
    case 'N':
        put_int(out, shape, facts->threads);
        break;
    case 'a':
        put_int(out, shape, facts->ancestor);
        break;
    case 'H':
        put_text(out, shape, facts->host, strlen(facts->host));
        break;
    case 'P':
        put_int(out, shape, facts->process);
        break;
    case 'i':
        put_hex(out, shape, facts->thread);
        break;
    case 'A':
        put_cpus(out, shape, facts->cpus, facts->words);
        break;
    default:
        bz_fatal("unsupported type %c in affinity format", letter);
    }
}

/* The letter of the field that is named at *at, which is behind the opening brace. */
static char take_name(const char **at, const char *end) {
    const char *name = *at;
    const char *close = memchr(name, '}', (size_t)(end - name));
    if (close == NULL) {
        bz_fatal("unterminated long type name '%.*s' in affinity format", (int)(end - name), name);
    }
    size_t length = (size_t)(close - name);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strlen(fields[i].name) == length && memcmp(fields[i].name, name, length) == 0) {
            *at = close + 1;
            return fields[i].letter;
        }
    }
    bz_fatal("unsupported long type name '%.*s' in affinity format", (int)length, name);
}

static struct shape take_shape(const char **at, const char *end) {
    struct shape shape = {0, false, false};
    if (*at < end && **at == '0') {
        shape.zeros = true;
        ++*at;
        if (*at == end || **at != '.') {
            bz_fatal("leading zero not followed by dot in affinity format");
        }
    }
    if (*at < end && **at == '.') {
        shape.right = true;
        ++*at;
    }
    if (*at < end && **at >= '1' && **at <= '9') {
        for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
            shape.width = shape.width * 10 + (size_t)(**at - '0');
            shape.width = shape.width < SIZE_MAX / 32 ? shape.width : SIZE_MAX / 32;
        }
    } else if (shape.zeros || shape.right) {
        bz_fatal("leading zero or right justification in affinity format requires size");
    }
    return shape;
}

size_t bomp_affinity_print(char *text, size_t size, const char *format, size_t length,
                           const struct bomp_affinity_facts *facts) {
    struct out out = {text, size > 0 ? size - 1 : 0, 0};
    for (const char *at = format, *end = format + length; at < end;) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        put(&out, at, (size_t)((percent != NULL ? percent : end) - at));
        if (percent == NULL) {
            break;
        }
        at = percent + 1;
        if (at < end && *at == '%') {
            put(&out, at++, 1);
            continue;
        }
        struct shape shape = take_shape(&at, end);
        char letter = at < end ? *at++ : '\0';
        put_field(&out, shape, letter == '{' ? take_name(&at, end) : letter, facts);
    }
    if (size > 0) {
        text[out.length < size ? out.length : size - 1] = '\0';
    }
    return out.length;
}

/* ---- the format of the process ---- */

static uint32_t format_lock; /* an owned lock: guards the next */
static char *format_set;     /* by omp_set_affinity_format; NULL: that of the environment holds */

void bomp_affinity_format_set(const char *format, size_t length) {
    char *copy = bz_alloc(length + 1);
    if (copy == NULL) {
        bz_fatal("out of memory for an affinity format");
    }
    memcpy(copy, format, length);
    copy[length] = '\0';
    bomp_owned_lock(&format_lock);
    char *old = format_set;
    format_set = copy;
    bomp_owned_unlock(&format_lock);
    bz_free(old);
}

size_t bomp_affinity_format_get(char *text, size_t size) {
    const char *initial = bomp_global()->affinity_format;
    bomp_owned_lock(&format_lock);
    const char *format = format_set != NULL ? format_set : initial;
    size_t length = strlen(format);
    if (size > 0) {
        size_t part = length < size ? length : size - 1;
        memcpy(text, format, part);
        text[part] = '\0';
    }
    bomp_owned_unlock(&format_lock);
    return length;
}

/* ---- the calling thread ---- */

/* Those that the system lets it use, which may be others than its place's. To be freed. */
static uint64_t *find_cpus(size_t words) {
    uint64_t *cpus = bz_alloc_zero(words, sizeof *cpus);
    if (cpus == NULL) {
        bz_fatal("out of memory for a set of CPUs");
    }
    (void)bz_cpus_of_thread(cpus);
    return cpus;
}

static size_t capture(char *text, size_t size, const char *format, size_t length) {
    char host[256];
    struct bomp_affinity_facts facts = {
        .team_num = omp_get_team_num(),
        .num_teams = omp_get_num_teams(),
        .level = bomp_level(),
        .num = bomp_thread_num(),
        .threads = bomp_num_threads(),
        .ancestor = bomp_ancestor_thread_num(bomp_level() - 1),
        .process = (int)bz_os_process_id(),
        .thread = bz_os_thread_handle(),
        .host = host,
        .words = bz_cpus_words(),
    };
    bz_os_host_name(host, sizeof host);
    uint64_t *cpus = find_cpus(facts.words);
    facts.cpus = cpus;
    size_t written = bomp_affinity_print(text, size, format, length, &facts);
    bz_free(cpus);
    return written;
}

size_t bomp_affinity_capture(char *text, size_t size, const char *format, size_t length) {
    if (format != NULL) {
        return capture(text, size, format, length);
    }
    size_t written = 0;
    size_t room = bomp_affinity_format_get(NULL, 0) + 1;
    char *copy = bz_alloc(room);
    if (copy == NULL) {
        bz_fatal("out of memory for an affinity format");
    }
    size_t now = bomp_affinity_format_get(copy, room); /* may be another one by now, which has room in part */
    written = capture(text, size, copy, now < room ? now : room - 1);
    bz_free(copy);
    return written;
}

void bomp_affinity_display(const char *format, size_t length) {
    char small[512];
    char *line = small;
    size_t written = bomp_affinity_capture(small, sizeof small, format, length);
    if (written >= sizeof small) {
        line = bz_alloc(written + 1);
        if (line == NULL) {
            line = small;
            written = sizeof small - 1;
        } else {
            size_t again = bomp_affinity_capture(line, written + 1, format, length);
            written = again < written ? again : written;
        }
    }
    int held = bz_os_cancel_hold();
    fprintf(stderr, "%.*s\n", (int)(written < INT_MAX ? written : INT_MAX), line);
    bz_os_cancel_allow(held);
    if (line != small) {
        bz_free(line);
    }
}
