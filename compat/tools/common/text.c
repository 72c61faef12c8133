/* text.c: see text.h. */
#include "tools/common/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/base.h"

#define FIRST_ROOM ((size_t)4096)
#define PRINTED_MAX 1000

static bool make_room(struct bomp_text *text, size_t length) {
    size_t room = text->room > 0 ? text->room : FIRST_ROOM;
    while (room - text->length <= length)
        room *= 2;
    if (room == text->room)
        return true;
    char *grown = bz_realloc(text->bytes, room);
    if (!grown) {
        text->is_cut = true;
        return false;
    }
    text->bytes = grown;
    text->room = room;
    return true;
}

void bomp_text_add(struct bomp_text *text, const char *bytes, size_t length) {
    if (!make_room(text, length))
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void bomp_text_printf(struct bomp_text *text, const char *format, ...) {
    char printed[PRINTED_MAX + 1];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(printed, sizeof printed, format, args);
    va_end(args);
    if (length > 0)
        bomp_text_add(text, printed, (size_t)length > PRINTED_MAX ? PRINTED_MAX : (size_t)length);
}

void bomp_text_fixed(struct bomp_text *text, uint64_t value, unsigned shift, unsigned decimals) {
    uint64_t cut = 1, scale = 1;
    for (unsigned i = decimals; i < shift; i++)
        cut *= 10;
    for (unsigned i = 0; i < decimals; i++)
        scale *= 10;
    value = value / cut + (value % cut >= (cut + 1) / 2 && cut > 1);
    bomp_text_printf(text, "%llu", (unsigned long long)(value / scale));
    if (decimals > 0)
        bomp_text_printf(text, ".%0*llu", (int)decimals, (unsigned long long)(value % scale));
}

static bool continues(unsigned char c) {
    return (c & 0xc0) == 0x80;
}

static size_t width_of_line(const struct bomp_text *text) {
    size_t width = 0;
    for (size_t i = text->length; i > 0 && text->bytes[i - 1] != '\n'; i--)
        width += !continues((unsigned char)text->bytes[i - 1]);
    return width;
}

void bomp_text_column(struct bomp_text *text, size_t column) {
    size_t width = width_of_line(text);
    size_t blanks = width < column ? column - width : width > 0;
    for (; blanks > 0; blanks--)
        bomp_text_add(text, " ", 1);
}

/* Overlong forms, surrogates, and numbers beyond Unicode. */
static bool is_refused(unsigned char first, unsigned char second) {
    return (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
           (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
}

size_t bomp_text_character(const char *at) {
    unsigned char first = (unsigned char)*at;
    size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (!continues((unsigned char)at[i]) || (i == 1 && is_refused(first, (unsigned char)at[1])))
            return 0;
    return length;
}

void bomp_text_json(struct bomp_text *text, const char *string) {
    bomp_text_add(text, "\"", 1);
    for (const char *at = string; *at;) {
        size_t length = bomp_text_character(at);
        if (length == 0)
            bomp_text_printf(text, "\\ufffd");
        else if (*at == '"' || *at == '\\')
            bomp_text_printf(text, "\\%c", *at);
        else if (length == 1 && *at < ' ')
            bomp_text_printf(text, "\\u%04x", *at);
        else
            bomp_text_add(text, at, length);
        at += length > 0 ? length : 1;
    }
    bomp_text_add(text, "\"", 1);
}

int bomp_write_all(int file, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t done = write(file, bytes, length);
        if (done == 0)
            return EIO; /* else it would loop forever */
        if (done < 0 && errno != EINTR)
            return errno;
        bytes += done > 0 ? done : 0;
        length -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

int bomp_text_write(const struct bomp_text *text, int file) {
    return text->is_cut ? ENOMEM : bomp_write_all(file, text->bytes, text->length);
}

void bomp_text_free(struct bomp_text *text) {
    bz_free(text->bytes);
    *text = (struct bomp_text){0};
}
