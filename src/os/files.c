#include "os/files.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/os.h"

#define FIRST_ROOM ((size_t)1000) /* bytes, enough for most files */

__attribute__((format(printf, 1, 0))) static char *format_list(const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length >= 0 ? bz_alloc((size_t)length + 1) : NULL;
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, args);
    return text;
}

char *bz_os_format(const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = format_list(format, args);
    va_end(args);
    return text;
}

static char *read_all(int file) {
    char *text = NULL;
    size_t length = 0, room = 0;
    ssize_t got = -1;
    do {
        if (length == room) {
            room = 2 * room + FIRST_ROOM;
            char *grown = bz_realloc(text, room + 1);
            if (!grown)
                break;
            text = grown;
        }
        got = read(file, text + length, room - length);
        length += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    if (got == 0) {
        text[length] = '\0';
        return text;
    }
    bz_free(text);
    return NULL;
}

char *bz_os_read(const char *format, ...) {
    va_list args;
    va_start(args, format);
    BZ_FREED char *path = format_list(format, args);
    va_end(args);
    int held = bz_os_cancel_hold();
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    char *text = file >= 0 ? read_all(file) : NULL;
    if (file >= 0)
        (void)close(file);
    bz_os_cancel_allow(held);
    return text;
}

char *bz_os_cut_line(char *text) {
    char *end = strchr(text, '\n');
    if (!end)
        return NULL;
    *end = '\0';
    return end[1] != '\0' ? end + 1 : NULL;
}

uint64_t bz_os_number(const char *text) {
    uint64_t value = 0;
    for (; text && *text >= '0' && *text <= '9'; text++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
            return 0;
    return text && strchr(" \n", *text) ? value : 0; /* or the end */
}

/* A line is "FIRST-END ... PATH": hexadecimal addresses, and no slash before the path. */
char *bz_os_mapped_file(const void *address) {
    BZ_FREED char *maps = bz_os_read("/proc/self/maps");
    char *line = maps, *next, *path = NULL;
    for (; line && !path; line = next) {
        next = bz_os_cut_line(line);
        char *end = line;
        bool follows = (uintptr_t)address >= strtoull(line, &end, 16);
        const char *found = strchr(line, '/');
        if (follows && *end == '-' && (uintptr_t)address < strtoull(end + 1, NULL, 16) && found)
            path = bz_os_format("%s", found);
    }
    return path;
}
