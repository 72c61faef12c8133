/* affinity_format.c: see affinity_format.h. */
#include "omp/affinity/affinity_format.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime.h"

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
    if (shape.right)
        put_times(out, ' ', fill);
    put(out, text, length);
    if (!shape.right)
        put_times(out, ' ', fill);
}

/* A number of that many characters before its digits: a sign, or 0x. */
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
        while (next == end)
            next = bz_cpus_next(set, words, ++end);
        char range[32];
        int length = end == first + 1 ? snprintf(range, sizeof range, "%u", first)
                                      : snprintf(range, sizeof range, "%u-%u", first, end - 1);
        put(out, range, (size_t)length);
        if (next != UINT_MAX)
            put(out, ",", 1);
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
        if (facts->as_llvm)
            put_int(out, shape, (int)facts->thread);
        else
            put_hex(out, shape, facts->thread);
        break;
    case 'A':
        put_cpus(out, shape, facts->cpus, facts->words);
        break;
    default:
        if (!facts->as_llvm)
            bz_fatal("unsupported type %c in affinity format", letter);
        put_text(out, shape, "undefined", strlen("undefined"));
    }
}

/* The letter of the field that is named at *at, which is behind the opening brace; of one that does not exist 0. */
static char take_name(const char **at, const char *end, bool as_llvm) {
    const char *name = *at;
    const char *close = memchr(name, '}', (size_t)(end - name));
    if (!close && as_llvm)
        close = end - 1;
    if (!close)
        bz_fatal("unterminated long type name '%.*s' in affinity format", (int)(end - name), name);
    size_t length = (size_t)(close - name);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (strlen(fields[i].name) == length && memcmp(fields[i].name, name, length) == 0) {
            *at = close + 1;
            return fields[i].letter;
        }
    }
    if (!as_llvm)
        bz_fatal("unsupported long type name '%.*s' in affinity format", (int)length, name);
    *at = close + 1;
    return '\0';
}

static struct shape take_shape(const char **at, const char *end, bool as_llvm) {
    struct shape shape = {0, false, false};
    if (*at < end && **at == '0') {
        shape.zeros = true;
        ++*at;
        if (!as_llvm && (*at == end || **at != '.'))
            bz_fatal("leading zero not followed by dot in affinity format");
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
    } else if (!as_llvm && (shape.zeros || shape.right)) {
        bz_fatal("leading zero or right justification in affinity format requires size");
    }
    return shape;
}

size_t bomp_affinity_print(char *text, size_t size, const char *format, size_t length,
                           const struct bomp_affinity_facts *facts) {
    struct out out = {text, size > 0 ? size - 1 : 0, 0};
    for (const char *at = format, *end = format + length; at < end;) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        put(&out, at, (size_t)((percent ? percent : end) - at));
        if (!percent)
            break;
        at = percent + 1;
        if (at < end && *at == '%') {
            put(&out, at++, 1);
            continue;
        }
        struct shape shape = take_shape(&at, end, facts->as_llvm);
        shape.zeros = shape.zeros && shape.right;
        char letter = at < end ? *at++ : '\0';
        put_field(&out, shape, letter == '{' ? take_name(&at, end, facts->as_llvm) : letter, facts);
    }
    if (size > 0)
        text[out.length < size ? out.length : size - 1] = '\0';
    return out.length;
}
