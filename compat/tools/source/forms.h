/* forms.h: how values are written in debug information: the forms of DWARF 2 to 5. */
#ifndef BOMP_FORMS_H
#define BOMP_FORMS_H

#include "tools/source/cursor.h"

enum {
    BOMP_FORM_ADDRESS = 0x01,
    BOMP_FORM_BLOCK2 = 0x03,
    BOMP_FORM_BLOCK4,
    BOMP_FORM_DATA2,
    BOMP_FORM_DATA4,
    BOMP_FORM_DATA8,
    BOMP_FORM_STRING,
    BOMP_FORM_BLOCK,
    BOMP_FORM_BLOCK1,
    BOMP_FORM_DATA1,
    BOMP_FORM_FLAG,
    BOMP_FORM_SIGNED,
    BOMP_FORM_STRP,
    BOMP_FORM_UNSIGNED,
    BOMP_FORM_REF_ANY,
    BOMP_FORM_REF1,
    BOMP_FORM_REF2,
    BOMP_FORM_REF4,
    BOMP_FORM_REF8,
    BOMP_FORM_REF,
    BOMP_FORM_INDIRECT,
    BOMP_FORM_OFFSET,
    BOMP_FORM_EXPRESSION,
    BOMP_FORM_PRESENT,
    BOMP_FORM_STRING_INDEX,
    BOMP_FORM_ADDRESS_INDEX,
    BOMP_FORM_SUP4,
    BOMP_FORM_STRP_SUP,
    BOMP_FORM_DATA16,
    BOMP_FORM_LINE_STRP,
    BOMP_FORM_SIGNATURE,
    BOMP_FORM_IMPLICIT,
    BOMP_FORM_LOCATIONS_INDEX,
    BOMP_FORM_RANGES_INDEX,
    BOMP_FORM_SUP8,
    BOMP_FORM_STRING_INDEX1, /* of 1 byte, and so on to 4 */
    BOMP_FORM_ADDRESS_INDEX1 = 0x29,
    BOMP_FORM_ADDRESS_INDEX4 = 0x2c,
    BOMP_FORM_REF_ALT = 0x1f20,
    BOMP_FORM_STRP_ALT = 0x1f21
};

/* Of a unit. */
struct bomp_encoding {
    unsigned version, offset_size, address_size;
};

/* The length that a unit begins with, and the size of its offsets. */
uint64_t bomp_form_length(struct bomp_cursor *from, unsigned *offset_size);

/* Reads a value: a number, an offset or an index; skips others. Fails for an unknown form, whose length is unknown. */
uint64_t bomp_form_number(const struct bomp_encoding *encoding, struct bomp_cursor *from, uint64_t form);

/* The text of a value that was read as `number`, at `inside`; "": it is not in these sections. */
const char *bomp_form_text(uint64_t form, uint64_t number, const char *inside, struct bomp_cursor strings,
                           struct bomp_cursor line_strings);

#endif
