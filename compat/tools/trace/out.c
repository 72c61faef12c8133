/* out.c: see out.h. */
#include "tools/trace/out.h"

#include <string.h>

#include "tools/common/base.h"
#include "tools/common/text.h"

void bomp_trace_out_flush(struct bomp_trace_out *out) {
    if (!out->failed)
        out->failed = bomp_write_all(out->file, out->bytes, out->length);
    out->length = 0;
}

BZ_INLINE void add(struct bomp_trace_out *out, const void *bytes, size_t length) {
    const char *at = bytes;
    while (sizeof out->bytes - out->length < length) {
        size_t room = sizeof out->bytes - out->length;
        memcpy(out->bytes + out->length, at, room);
        out->length = sizeof out->bytes;
        bomp_trace_out_flush(out);
        at += room;
        length -= room;
    }
    memcpy(out->bytes + out->length, at, length);
    out->length += length;
}

void bomp_trace_out_bytes(struct bomp_trace_out *out, const void *bytes, size_t length) {
    add(out, bytes, length);
}

void bomp_trace_out_text(struct bomp_trace_out *out, const char *text) {
    add(out, text, strlen(text));
}

void bomp_trace_out_number(struct bomp_trace_out *out, const char *before, uint64_t number) {
    char digits[20];
    size_t at = sizeof digits;
    bomp_trace_out_text(out, before);
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    add(out, digits + at, sizeof digits - at);
}

void bomp_trace_out_us(struct bomp_trace_out *out, const char *before, uint64_t ns) {
    bomp_trace_out_number(out, before, ns / 1000);
    unsigned rest = (unsigned)(ns % 1000);
    if (rest == 0)
        return;
    char decimals[4] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10), (char)('0' + rest % 10)};
    add(out, decimals, rest % 10 ? 4 : rest % 100 ? 3 : 2);
}

void bomp_trace_out_string(struct bomp_trace_out *out, const char *before, const char *text) {
    static const char hex[] = "0123456789abcdef";
    bomp_trace_out_text(out, before);
    add(out, "\"", 1);
    size_t length;
    for (const char *at = text; *at; at += length > 0 ? length : 1) {
        unsigned char c = (unsigned char)*at;
        length = bomp_text_character(at);
        if (length == 0) { /* for example a name that was cut */
            bomp_trace_out_text(out, "\\ufffd");
        } else if (c < ' ' || c == '"' || c == '\\' || c == '<' || c == 127) {
            char code[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            add(out, code, sizeof code);
        } else {
            add(out, at, length);
        }
    }
    add(out, "\"", 1);
}

static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void bomp_trace_out_byte64(struct bomp_trace_out *out, unsigned byte) {
    out->bits = out->bits << 8 | (byte & 255u);
    if (++out->held < 3)
        return;
    if (sizeof out->bytes - out->length < 4)
        bomp_trace_out_flush(out);
    char *to = out->bytes + out->length;
    for (unsigned i = 0; i < 4; i++)
        to[i] = digits64[out->bits >> (18 - 6 * i) & 63u];
    out->length += 4;
    out->held = 0;
    out->bits = 0;
}

void bomp_trace_out_end64(struct bomp_trace_out *out) {
    unsigned missing = (3 - out->held) % 3;
    for (unsigned i = 0; i < missing; i++)
        bomp_trace_out_byte64(out, 0);
    if (missing > 0)
        memset(out->bytes + out->length - missing, '=', missing);
}

void bomp_trace_out_number64(struct bomp_trace_out *out, uint64_t number) {
    while (number > 127) {
        bomp_trace_out_byte64(out, (unsigned)(number & 127) | 128u);
        number >>= 7;
    }
    bomp_trace_out_byte64(out, (unsigned)number);
}
