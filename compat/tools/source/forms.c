/* forms.c: see forms.h. Written from section 7 of the DWARF standards. */
#include "tools/source/forms.h"

#include "tools/source/image.h"

uint64_t bomp_form_length(struct bomp_cursor *from, unsigned *offset_size) {
    uint64_t length = bomp_cursor_number(from, 4);
    *offset_size = 4;
    if (length == 0xffffffff) {
        length = bomp_cursor_number(from, 8);
        *offset_size = 8;
    } else if (length >= 0xfffffff0) {
        bomp_cursor_fail(from);
    }
    return length;
}

/* Bytes of a form of fixed size; 0: another form. */
static unsigned size_of(const struct bomp_encoding *encoding, uint64_t form) {
    static const uint8_t sizes[] = {
        [BOMP_FORM_DATA2] = 2,
        [BOMP_FORM_DATA4] = 4,
        [BOMP_FORM_DATA8] = 8,
        [BOMP_FORM_DATA1] = 1,
        [BOMP_FORM_FLAG] = 1,
        [BOMP_FORM_REF1] = 1,
        [BOMP_FORM_REF2] = 2,
        [BOMP_FORM_REF4] = 4,
        [BOMP_FORM_REF8] = 8,
        [BOMP_FORM_SUP4] = 4,
        [BOMP_FORM_SIGNATURE] = 8,
        [BOMP_FORM_SUP8] = 8,
        [BOMP_FORM_STRING_INDEX1] = 1,
        [BOMP_FORM_STRING_INDEX1 + 1] = 2,
        [BOMP_FORM_STRING_INDEX1 + 2] = 3,
        [BOMP_FORM_STRING_INDEX1 + 3] = 4,
        [BOMP_FORM_ADDRESS_INDEX1] = 1,
        [BOMP_FORM_ADDRESS_INDEX1 + 1] = 2,
        [BOMP_FORM_ADDRESS_INDEX1 + 2] = 3,
        [BOMP_FORM_ADDRESS_INDEX4] = 4,
    };
    bool is_old_reference = form == BOMP_FORM_REF_ANY && encoding->version == 2;
    if (form == BOMP_FORM_ADDRESS || is_old_reference)
        return encoding->address_size;
    if (form == BOMP_FORM_REF_ANY || form == BOMP_FORM_OFFSET || form == BOMP_FORM_STRP ||
        form == BOMP_FORM_LINE_STRP || form == BOMP_FORM_STRP_SUP || form == BOMP_FORM_REF_ALT ||
        form == BOMP_FORM_STRP_ALT)
        return encoding->offset_size;
    return form < sizeof sizes / sizeof *sizes ? sizes[form] : 0;
}

uint64_t bomp_form_number(const struct bomp_encoding *encoding, struct bomp_cursor *from, uint64_t form) {
    unsigned size = size_of(encoding, form);
    if (size > 0)
        return bomp_cursor_number(from, size);
    switch (form) {
    case BOMP_FORM_UNSIGNED:
    case BOMP_FORM_REF:
    case BOMP_FORM_STRING_INDEX:
    case BOMP_FORM_ADDRESS_INDEX:
    case BOMP_FORM_LOCATIONS_INDEX:
    case BOMP_FORM_RANGES_INDEX:
        return bomp_cursor_unsigned(from);
    case BOMP_FORM_SIGNED:
        return (uint64_t)bomp_cursor_signed(from);
    case BOMP_FORM_PRESENT:
        return 1;
    case BOMP_FORM_STRING:
        (void)bomp_cursor_text(from);
        return 0;
    case BOMP_FORM_BLOCK1:
        bomp_cursor_skip(from, bomp_cursor_byte(from));
        return 0;
    case BOMP_FORM_BLOCK2:
        bomp_cursor_skip(from, bomp_cursor_number(from, 2));
        return 0;
    case BOMP_FORM_BLOCK4:
        bomp_cursor_skip(from, bomp_cursor_number(from, 4));
        return 0;
    case BOMP_FORM_BLOCK:
    case BOMP_FORM_EXPRESSION:
        bomp_cursor_skip(from, bomp_cursor_unsigned(from));
        return 0;
    case BOMP_FORM_DATA16:
        bomp_cursor_skip(from, 16);
        return 0;
    default: /* an unknown form has an unknown length */
        bomp_cursor_fail(from);
        return 0;
    }
}

const char *bomp_form_text(uint64_t form, uint64_t number, const char *inside, struct bomp_cursor strings,
                           struct bomp_cursor line_strings) {
    return form == BOMP_FORM_STRING      ? inside
           : form == BOMP_FORM_STRP      ? bomp_image_string(strings, number)
           : form == BOMP_FORM_LINE_STRP ? bomp_image_string(line_strings, number)
                                         : "";
}
