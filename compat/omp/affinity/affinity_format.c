#include "omp/affinity/affinity_format.h"

#include <string.h>

#include "omp/base/text.h"
#include "runtime.h"

#define NONE SIZE_MAX

/* The greatest width of a field that counts. */
#define WIDTH_MOST (1 << 24)

/* How a field is written: %[0][.][width]. */
struct shape {
    int width;
    bool zeros, right;
};

static void put_text(struct bomp_text *out, struct shape shape, const char *text) {
    bomp_text_put(out, shape.right ? "%*s" : "%-*s", shape.width, text);
}

static void put_int(struct bomp_text *out, struct shape shape, int value) {
    bomp_text_put(out, shape.zeros ? "%0*d" : shape.right ? "%*d" : "%-*d", shape.width, value);
}

static void put_hex(struct bomp_text *out, struct shape shape, unsigned long value) {
    bomp_text_put(out, shape.zeros ? "%#0*lx" : shape.right ? "%#*lx" : "%-#*lx", shape.width, value);
}

static void put_cpus(struct bomp_text *out, struct shape shape, const uint64_t *set, size_t words) {
    struct bomp_text measure = {.size = 0};
    bomp_text_put_cpus(&measure, set, words, false);
    int fill = measure.length < (size_t)shape.width ? shape.width - (int)measure.length : 0;
    bomp_text_put(out, "%*s", shape.right ? fill : 0, "");
    bomp_text_put_cpus(out, set, words, false);
    bomp_text_put(out, "%*s", shape.right ? 0 : fill, "");
}

/* A field, and where its number is among the facts. */
static const struct field {
    char letter;
    const char *name;
    size_t number; /* NONE: it is no int */
} fields[] = {
    {'t', "team_num", offsetof(struct bomp_affinity_facts, team_num)},
    {'T', "num_teams", offsetof(struct bomp_affinity_facts, num_teams)},
    {'L', "nesting_level", offsetof(struct bomp_affinity_facts, level)},
    {'n', "thread_num", offsetof(struct bomp_affinity_facts, num)},
    {'N', "num_threads", offsetof(struct bomp_affinity_facts, threads)},
    {'a', "ancestor_tnum", offsetof(struct bomp_affinity_facts, ancestor)},
    {'P', "process_id", offsetof(struct bomp_affinity_facts, process)},
    {'H', "host", NONE},
    {'i', "native_thread_id", NONE},
    {'A', "thread_affinity", NONE},
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void put_field(struct bomp_text *out, struct shape shape, const struct field *field,
                      const struct bomp_affinity_facts *facts) {
    if (!field)
        put_text(out, shape, "undefined");
    else if (field->number != NONE)
        put_int(out, shape, *(const int *)((const char *)facts + field->number));
    else if (field->letter == 'H')
        put_text(out, shape, facts->host);
    else if (field->letter == 'A')
        put_cpus(out, shape, facts->cpus, facts->words);
    else if (facts->as_llvm)
        put_int(out, shape, (int)facts->thread);
    else
        put_hex(out, shape, facts->thread);
}

/* The field with the name after an opening brace; NULL: as libomp, none. */
static const struct field *take_name(const char **at, const char *end, bool as_llvm) {
    const char *name = *at;
    const char *close = memchr(name, '}', (size_t)(end - name));
    if (!close && as_llvm)
        close = end - 1;
    if (!close)
        bz_fatal("unterminated long type name '%.*s' in affinity format", (int)(end - name), name);
    size_t length = (size_t)(close - name);
    *at = close + 1;
    for (int i = 0; i < FIELDS; i++)
        if (strlen(fields[i].name) == length && memcmp(fields[i].name, name, length) == 0)
            return &fields[i];
    if (!as_llvm)
        bz_fatal("unsupported long type name '%.*s' in affinity format", (int)length, name);
    return NULL;
}

static const struct field *take_field(const char **at, const char *end, bool as_llvm) {
    char letter = *at < end ? *(*at)++ : '\0';
    if (letter == '{')
        return take_name(at, end, as_llvm);
    for (int i = 0; i < FIELDS; i++)
        if (fields[i].letter == letter)
            return &fields[i];
    if (!as_llvm)
        bz_fatal("unsupported type %c in affinity format", letter);
    return NULL;
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
            shape.width = shape.width * 10 + (**at - '0');
            shape.width = shape.width < WIDTH_MOST ? shape.width : WIDTH_MOST;
        }
    } else if (!as_llvm && (shape.zeros || shape.right)) {
        bz_fatal("leading zero or right justification in affinity format requires size");
    }
    return shape;
}

size_t bomp_affinity_print(char *text, size_t size, const char *format, size_t length,
                           const struct bomp_affinity_facts *facts) {
    struct bomp_text out = {.text = text, .size = size};
    bomp_text_put(&out, "%s", "");
    for (const char *at = format, *end = format + length; at < end;) {
        const char *percent = memchr(at, '%', (size_t)(end - at));
        bomp_text_put(&out, "%.*s", (int)((percent ? percent : end) - at), at);
        if (!percent)
            break;
        at = percent + 1;
        if (at < end && *at == '%') {
            bomp_text_put(&out, "%c", *at++);
            continue;
        }
        struct shape shape = take_shape(&at, end, facts->as_llvm);
        shape.zeros = shape.zeros && shape.right;
        put_field(&out, shape, take_field(&at, end, facts->as_llvm), facts);
    }
    return out.length;
}
