/* cursor.h: reads untrusted bytes, never beyond their end. A read beyond it makes the cursor fail: it stays at its end and
 * gives zeroes. */
#ifndef BOMP_CURSOR_H
#define BOMP_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bomp_cursor {
    const unsigned char *at, *end;
    bool failed;
};

static inline size_t bomp_cursor_left(const struct bomp_cursor *cursor) {
    return (size_t)(cursor->end - cursor->at);
}

static inline void bomp_cursor_fail(struct bomp_cursor *cursor) {
    cursor->at = cursor->end;
    cursor->failed = true;
}

/* The next `size` bytes, or NULL. */
static inline const unsigned char *bomp_cursor_take(struct bomp_cursor *cursor, uint64_t size) {
    const unsigned char *taken = cursor->at;
    if (size > bomp_cursor_left(cursor)) {
        bomp_cursor_fail(cursor);
        return NULL;
    }
    if (size > 0) /* an empty cursor has no address to add to */
        cursor->at += size;
    return taken;
}

static inline void bomp_cursor_skip(struct bomp_cursor *cursor, uint64_t size) {
    (void)bomp_cursor_take(cursor, size);
}

/* A little-endian number of `size` bytes, at most 8. */
static inline uint64_t bomp_cursor_number(struct bomp_cursor *cursor, unsigned size) {
    const unsigned char *bytes = bomp_cursor_take(cursor, size);
    uint64_t number = 0;
    for (unsigned i = 0; bytes && i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
}

static inline uint8_t bomp_cursor_byte(struct bomp_cursor *cursor) {
    return (uint8_t)bomp_cursor_number(cursor, 1);
}

/* LEB128. Bits beyond 64 are lost. *bits: how many it has. */
static inline uint64_t bomp_cursor_leb(struct bomp_cursor *cursor, unsigned *bits) {
    uint64_t number = 0;
    uint8_t byte;
    *bits = 0;
    do {
        byte = bomp_cursor_byte(cursor);
        number |= *bits < 64 ? (uint64_t)(byte & 0x7f) << *bits : 0;
        *bits += *bits < 64 ? 7 : 0;
    } while (byte & 0x80);
    return number;
}

static inline uint64_t bomp_cursor_unsigned(struct bomp_cursor *cursor) {
    unsigned bits;
    return bomp_cursor_leb(cursor, &bits);
}

static inline int64_t bomp_cursor_signed(struct bomp_cursor *cursor) {
    unsigned bits;
    uint64_t number = bomp_cursor_leb(cursor, &bits);
    bool is_negative = bits < 64 && number >> (bits - 1) & 1;
    return (int64_t)(is_negative ? number | UINT64_MAX << bits : number);
}

/* The text up to a null byte, which is skipped; "" if missing. */
static inline const char *bomp_cursor_text(struct bomp_cursor *cursor) {
    size_t left = bomp_cursor_left(cursor);
    const unsigned char *end = left > 0 ? memchr(cursor->at, '\0', left) : NULL;
    const char *text = (const char *)cursor->at;
    if (!end) {
        bomp_cursor_fail(cursor);
        return "";
    }
    cursor->at = end + 1;
    return text;
}

#endif
