/* text.h: a growing text for reports, without malloc. Without memory it stays as it is, and is_cut says so. */
#ifndef BOMP_TEXT_H
#define BOMP_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: empty. For one thread. */
struct bomp_text {
    char *bytes; /* NULL, or a text that ends with a null byte */
    size_t length, room;
    bool is_cut; /* parts are missing, for lack of memory */
};

/* Append. No floating point, whose form depends on the locale; at most 1000 bytes at a time. */
__attribute__((format(printf, 2, 3))) void bomp_text_printf(struct bomp_text *text, const char *format, ...);
void bomp_text_add(struct bomp_text *text, const char *bytes, size_t length);

/* value / 10^shift, rounded to `decimals`, at most `shift`; with a dot in every locale. */
void bomp_text_fixed(struct bomp_text *text, uint64_t value, unsigned shift, unsigned decimals);

/* Blanks until the line is `column` characters wide, one at least unless the line is empty. */
void bomp_text_column(struct bomp_text *text, size_t column);

/* Bytes of the UTF-8 character at the start of the null-terminated `at`; 0: invalid. */
size_t bomp_text_character(const char *at);

/* A JSON string with its quotes. Invalid UTF-8 becomes U+FFFD. */
void bomp_text_json(struct bomp_text *text, const char *string);

/* Writes all bytes to a file. Returns 0 or an errno value. */
int bomp_write_all(int file, const char *bytes, size_t length);

/* The same of a text; ENOMEM if it is cut. */
int bomp_text_write(const struct bomp_text *text, int file);

void bomp_text_free(struct bomp_text *text);

#endif
