/* functions.c: see functions.h. Written from sections 2 and 7 of the DWARF standards. The abbreviation of an entry lists its
 * attributes and their forms. Each step consumes bytes or ends, so that reading a unit takes linear time. */
#include "tools/source/functions.h"

#include <string.h>

#include "tools/common/grow.h"

enum { /* tags of entries, and attributes */
       TAG_INLINED = 0x1d,
       TAG_SUBPROGRAM = 0x2e,
       AT_NAME = 0x03,
       AT_LINES = 0x10,
       AT_LOW = 0x11,
       AT_HIGH = 0x12,
       AT_ORIGIN = 0x31,
       AT_FILE = 0x3a,
       AT_LINE = 0x3b,
       AT_SPECIFICATION = 0x47,
       AT_RANGES = 0x55,
       AT_CALL_FILE = 0x58,
       AT_CALL_LINE = 0x59,
       AT_LINKAGE_NAME = 0x6e,
       AT_STRINGS_BASE = 0x72,
       AT_ADDRESSES_BASE = 0x73,
       AT_RANGES_BASE = 0x74,
       AT_LINKAGE_NAME_GNU = 0x2007
};

enum { /* forms of attributes; kinds of range list entries */
       FORM_ADDRESS = 0x01,
       FORM_BLOCK2 = 0x03,
       FORM_BLOCK4,
       FORM_DATA2,
       FORM_DATA4,
       FORM_DATA8,
       FORM_STRING,
       FORM_BLOCK,
       FORM_BLOCK1,
       FORM_DATA1,
       FORM_FLAG,
       FORM_SIGNED,
       FORM_STRP,
       FORM_UNSIGNED,
       FORM_REF_ANY,
       FORM_REF1,
       FORM_REF2,
       FORM_REF4,
       FORM_REF8,
       FORM_REF,
       FORM_INDIRECT,
       FORM_OFFSET,
       FORM_EXPRESSION,
       FORM_PRESENT,
       FORM_STRING_INDEX,
       FORM_ADDRESS_INDEX,
       FORM_SUP4,
       FORM_STRP_SUP,
       FORM_DATA16,
       FORM_LINE_STRP,
       FORM_SIGNATURE,
       FORM_IMPLICIT,
       FORM_LOCATIONS_INDEX,
       FORM_RANGES_INDEX,
       FORM_SUP8,
       FORM_STRING_INDEX1, /* of 1 byte, and so on to 4 */
       FORM_ADDRESS_INDEX1 = 0x29,
       FORM_ADDRESS_INDEX4 = 0x2c,
       FORM_REF_ALT = 0x1f20,
       FORM_STRP_ALT = 0x1f21,
       RANGES_END = 0,
       RANGES_BASE_INDEX,
       RANGES_INDEX_INDEX,
       RANGES_INDEX_LENGTH,
       RANGES_OFFSETS,
       RANGES_BASE,
       RANGES_START_END,
       RANGES_START_LENGTH
};

/* Limit of references from an entry to the one with its name. */
#define ORIGINS_MOST 4

struct abbrev {
    uint64_t code, tag;
    struct bomp_cursor attributes;
};

struct unit {
    const struct bomp_functions *of;
    size_t at, end; /* in its section */
    struct bomp_cursor entries;
    unsigned version, offset_size, address_size;
    struct abbrev *abbrevs;
    size_t abbrev_count, abbrev_room;
    uint64_t strings_base, addresses_base, ranges_base, low;
};

struct entry {
    uint64_t tag; /* 0: the end of a list */
    uint64_t low, high, ranges, origin, file, line, lines, call_file, call_line;
    bool high_is_size, has_range, has_ranges, ranges_are_indexed, has_origin, has_lines;
    const char *name, *symbol;
};

static struct bomp_cursor from_offset(struct bomp_cursor section, uint64_t at) {
    bomp_cursor_skip(&section, at);
    return section;
}

/* ---- units ---- */

static void add_abbrev(struct unit *unit, const struct abbrev *abbrev) {
    if (bomp_grow(&unit->abbrevs, sizeof *abbrev, unit->abbrev_count, &unit->abbrev_room))
        unit->abbrevs[unit->abbrev_count++] = *abbrev;
}

static void skip_attributes(struct bomp_cursor *from) {
    for (uint64_t name = 1, form = 1; (name != 0 || form != 0) && !from->failed;) {
        name = bomp_cursor_unsigned(from);
        form = bomp_cursor_unsigned(from);
        if (form == FORM_IMPLICIT)
            (void)bomp_cursor_signed(from);
    }
}

static void read_abbrevs(struct unit *unit, uint64_t at) {
    struct bomp_cursor from = from_offset(unit->of->abbrevs, at);
    for (;;) {
        struct abbrev abbrev = {.code = bomp_cursor_unsigned(&from)};
        if (abbrev.code == 0)
            return;
        abbrev.tag = bomp_cursor_unsigned(&from);
        bomp_cursor_skip(&from, 1); /* whether it has children */
        abbrev.attributes = from;
        skip_attributes(&from);
        if (from.failed)
            return;
        add_abbrev(unit, &abbrev);
    }
}

/* Compilers number them from 1 on, in their order. */
static const struct abbrev *abbrev_of(const struct unit *unit, uint64_t code) {
    if (code - 1 < unit->abbrev_count && unit->abbrevs[code - 1].code == code)
        return &unit->abbrevs[code - 1];
    for (size_t i = 0; i < unit->abbrev_count; i++)
        if (unit->abbrevs[i].code == code)
            return &unit->abbrevs[i];
    return NULL;
}

/* Reads the header of the unit at an offset. False: missing, or of an unknown kind. */
static bool read_header(const struct bomp_functions *functions, size_t at, struct unit *unit,
                        uint64_t *abbrevs) {
    struct bomp_cursor from = from_offset(functions->info, at);
    *unit = (struct unit){.of = functions, .at = at, .offset_size = 4};
    uint64_t length = bomp_cursor_number(&from, 4);
    if (length == 0xffffffff) {
        unit->offset_size = 8;
        length = bomp_cursor_number(&from, 8);
    }
    if (from.failed || length > bomp_cursor_left(&from) || length == 0)
        return false;
    from.end = from.at + length;
    unit->end = (size_t)(from.end - functions->info.at);
    unit->version = (unsigned)bomp_cursor_number(&from, 2);
    unsigned kind = unit->version >= 5 ? bomp_cursor_byte(&from) : 1;
    unit->address_size = unit->version >= 5 ? bomp_cursor_byte(&from) : 0;
    *abbrevs = bomp_cursor_number(&from, unit->offset_size);
    if (unit->version < 5)
        unit->address_size = bomp_cursor_byte(&from);
    unit->entries = from;
    if (kind != 1 || unit->version < 2 || unit->version > 5 || unit->address_size > 8)
        unit->entries.at = unit->entries.end; /* it has no code */
    return true;
}

static void close_unit(struct unit *unit) {
    bz_free(unit->abbrevs);
}

/* ---- attributes ---- */

static uint64_t indexed(struct bomp_cursor section, uint64_t base, uint64_t index, unsigned size) {
    if (index > bomp_cursor_left(&section))
        return 0;
    struct bomp_cursor from = from_offset(section, base + index * size);
    return bomp_cursor_number(&from, size);
}

static uint64_t address_at(const struct unit *unit, uint64_t index) {
    return indexed(unit->of->addresses, unit->addresses_base, index, unit->address_size);
}

static const char *string_at(const struct unit *unit, uint64_t index) {
    return bomp_image_string(unit->of->strings,
                             indexed(unit->of->string_offsets, unit->strings_base, index, unit->offset_size));
}

/* Bytes of a form of fixed size; 0: another form. */
static unsigned size_of(const struct unit *unit, uint64_t form) {
    static const uint8_t sizes[] = {
        [FORM_DATA2] = 2,
        [FORM_DATA4] = 4,
        [FORM_DATA8] = 8,
        [FORM_DATA1] = 1,
        [FORM_FLAG] = 1,
        [FORM_REF1] = 1,
        [FORM_REF2] = 2,
        [FORM_REF4] = 4,
        [FORM_REF8] = 8,
        [FORM_SUP4] = 4,
        [FORM_SIGNATURE] = 8,
        [FORM_SUP8] = 8,
        [FORM_STRING_INDEX1] = 1,
        [FORM_STRING_INDEX1 + 1] = 2,
        [FORM_STRING_INDEX1 + 2] = 3,
        [FORM_STRING_INDEX1 + 3] = 4,
        [FORM_ADDRESS_INDEX1] = 1,
        [FORM_ADDRESS_INDEX1 + 1] = 2,
        [FORM_ADDRESS_INDEX1 + 2] = 3,
        [FORM_ADDRESS_INDEX4] = 4,
    };
    bool is_old_reference = form == FORM_REF_ANY && unit->version == 2;
    if (form == FORM_ADDRESS || is_old_reference)
        return unit->address_size;
    if (form == FORM_REF_ANY || form == FORM_OFFSET || form == FORM_STRP || form == FORM_LINE_STRP ||
        form == FORM_STRP_SUP || form == FORM_REF_ALT || form == FORM_STRP_ALT)
        return unit->offset_size;
    return form < sizeof sizes / sizeof *sizes ? sizes[form] : 0;
}

static uint64_t read_number(const struct unit *unit, struct bomp_cursor *from, uint64_t form) {
    unsigned size = size_of(unit, form);
    if (size > 0)
        return bomp_cursor_number(from, size);
    switch (form) {
    case FORM_UNSIGNED:
    case FORM_REF:
    case FORM_STRING_INDEX:
    case FORM_ADDRESS_INDEX:
    case FORM_LOCATIONS_INDEX:
    case FORM_RANGES_INDEX:
        return bomp_cursor_unsigned(from);
    case FORM_SIGNED:
        return (uint64_t)bomp_cursor_signed(from);
    case FORM_PRESENT:
        return 1;
    case FORM_STRING:
        (void)bomp_cursor_text(from);
        return 0;
    case FORM_BLOCK1:
        bomp_cursor_skip(from, bomp_cursor_byte(from));
        return 0;
    case FORM_BLOCK2:
        bomp_cursor_skip(from, bomp_cursor_number(from, 2));
        return 0;
    case FORM_BLOCK4:
        bomp_cursor_skip(from, bomp_cursor_number(from, 4));
        return 0;
    case FORM_BLOCK:
    case FORM_EXPRESSION:
        bomp_cursor_skip(from, bomp_cursor_unsigned(from));
        return 0;
    case FORM_DATA16:
        bomp_cursor_skip(from, 16);
        return 0;
    default: /* an unknown form has an unknown length */
        bomp_cursor_fail(from);
        return 0;
    }
}

/* "": unknown, as text in another file. */
static const char *text_of(const struct unit *unit, uint64_t form, uint64_t number, const char *inside) {
    if (form == FORM_STRING)
        return inside;
    if (form == FORM_STRP)
        return bomp_image_string(unit->of->strings, number);
    if (form == FORM_LINE_STRP)
        return bomp_image_string(unit->of->line_strings, number);
    bool is_indexed = form == FORM_STRING_INDEX || (form >= FORM_STRING_INDEX1 && form < FORM_ADDRESS_INDEX1);
    return is_indexed ? string_at(unit, number) : "";
}

static bool is_address_index(uint64_t form) {
    return form == FORM_ADDRESS_INDEX || (form >= FORM_ADDRESS_INDEX1 && form <= FORM_ADDRESS_INDEX4);
}

static uint64_t address_of(const struct unit *unit, uint64_t form, uint64_t number) {
    return is_address_index(form) ? address_at(unit, number) : number;
}

/* The offset of the referenced entry in the section; UINT64_MAX: in another file. */
static uint64_t reference_of(const struct unit *unit, uint64_t form, uint64_t number) {
    if (form >= FORM_REF1 && form <= FORM_REF)
        return unit->at + number;
    return form == FORM_REF_ANY ? number : UINT64_MAX;
}

static void take(struct unit *unit, struct entry *entry, uint64_t attribute, uint64_t form, uint64_t number,
                 const char *inside) {
    switch (attribute) {
    case AT_NAME:
        entry->name = text_of(unit, form, number, inside);
        break;
    case AT_LINKAGE_NAME:
    case AT_LINKAGE_NAME_GNU:
        entry->symbol = text_of(unit, form, number, inside);
        break;
    case AT_LOW:
        entry->low = address_of(unit, form, number);
        break;
    case AT_HIGH:
        entry->high = address_of(unit, form, number);
        entry->has_range = true;
        entry->high_is_size = form != FORM_ADDRESS && !is_address_index(form);
        break;
    case AT_RANGES:
        entry->ranges = number;
        entry->has_ranges = true;
        entry->ranges_are_indexed = form == FORM_RANGES_INDEX;
        break;
    case AT_ORIGIN:
    case AT_SPECIFICATION:
        entry->origin = reference_of(unit, form, number);
        entry->has_origin = true;
        break;
    case AT_FILE:
        entry->file = number;
        break;
    case AT_LINE:
        entry->line = number;
        break;
    case AT_CALL_FILE:
        entry->call_file = number;
        break;
    case AT_CALL_LINE:
        entry->call_line = number;
        break;
    case AT_LINES:
        entry->lines = number;
        entry->has_lines = true;
        break;
    case AT_STRINGS_BASE:
        unit->strings_base = number;
        break;
    case AT_ADDRESSES_BASE:
        unit->addresses_base = number;
        break;
    case AT_RANGES_BASE:
        unit->ranges_base = number;
        break;
    default:
        break;
    }
}

/* Reads an entry. False: no readable one. */
static bool read_entry(struct unit *unit, struct bomp_cursor *from, struct entry *entry) {
    *entry = (struct entry){.name = "", .symbol = ""};
    if (bomp_cursor_left(from) == 0)
        return false;
    uint64_t code = bomp_cursor_unsigned(from);
    const struct abbrev *abbrev = code != 0 ? abbrev_of(unit, code) : NULL;
    if (!abbrev)
        return code == 0;
    entry->tag = abbrev->tag;
    struct bomp_cursor attributes = abbrev->attributes;
    while (!from->failed && !attributes.failed) {
        uint64_t name = bomp_cursor_unsigned(&attributes), form = bomp_cursor_unsigned(&attributes);
        if (name == 0 && form == 0)
            break;
        int64_t implicit = form == FORM_IMPLICIT ? bomp_cursor_signed(&attributes) : 0;
        if (form == FORM_INDIRECT)
            form = bomp_cursor_unsigned(from);
        const char *inside = form == FORM_STRING ? (const char *)from->at : "";
        uint64_t number = form == FORM_IMPLICIT ? (uint64_t)implicit : read_number(unit, from, form);
        if (!from->failed)
            take(unit, entry, name, form, number, inside);
    }
    return !from->failed;
}

/* Opens the unit at an offset, and reads its first entry. *next: the offset of the next unit. */
static bool open_unit(const struct bomp_functions *functions, size_t at, struct unit *unit,
                      struct entry *root, size_t *next) {
    uint64_t abbrevs;
    if (!read_header(functions, at, unit, &abbrevs)) {
        *next = SIZE_MAX;
        return false;
    }
    *next = unit->end;
    read_abbrevs(unit, abbrevs);
    struct bomp_cursor again = unit->entries;
    /* Twice: the bases of its indices may follow them. */
    if (read_entry(unit, &again, root) && read_entry(unit, &unit->entries, root)) {
        unit->low = root->low;
        return true;
    }
    close_unit(unit);
    return false;
}

/* ---- addresses of its code ---- */

static bool is_in(uint64_t address, uint64_t low, uint64_t high) {
    return low <= address && address < high;
}

static bool is_in_old_ranges(const struct unit *unit, uint64_t at, uint64_t address) {
    struct bomp_cursor from = from_offset(unit->of->ranges, at);
    unsigned size = unit->address_size;
    uint64_t base = unit->low, last = size == 4 ? UINT32_MAX : UINT64_MAX;
    while (bomp_cursor_left(&from) > 0) {
        uint64_t low = bomp_cursor_number(&from, size), high = bomp_cursor_number(&from, size);
        if (from.failed || size == 0 || (low == 0 && high == 0))
            return false;
        if (low == last)
            base = high;
        else if (is_in(address, base + low, base + high))
            return true;
    }
    return false;
}

/* The next range of a list; false: the list is over. */
static bool next_range(const struct unit *unit, struct bomp_cursor *from, uint64_t *base, uint64_t *low,
                       uint64_t *high) {
    unsigned kind = bomp_cursor_byte(from), size = unit->address_size;
    bool starts_indexed = kind >= RANGES_BASE_INDEX && kind <= RANGES_INDEX_LENGTH;
    if (kind == RANGES_END || kind > RANGES_START_LENGTH || size == 0)
        return false;
    bool is_pair = kind == RANGES_OFFSETS;
    uint64_t first = starts_indexed ? address_at(unit, bomp_cursor_unsigned(from))
                     : is_pair      ? *base + bomp_cursor_unsigned(from)
                                    : bomp_cursor_number(from, size);
    *low = *high = 0;
    if (kind == RANGES_BASE || kind == RANGES_BASE_INDEX) {
        *base = first;
        return !from->failed;
    }
    *low = first;
    if (kind == RANGES_INDEX_INDEX)
        *high = address_at(unit, bomp_cursor_unsigned(from));
    else if (kind == RANGES_START_END)
        *high = bomp_cursor_number(from, size);
    else
        *high = (is_pair ? *base : first) + bomp_cursor_unsigned(from);
    return !from->failed;
}

static bool is_in_list(const struct unit *unit, const struct entry *entry, uint64_t address) {
    uint64_t at = entry->ranges, base = unit->low, low, high;
    if (entry->ranges_are_indexed)
        at = unit->ranges_base + indexed(unit->of->range_lists, unit->ranges_base, at, unit->offset_size);
    struct bomp_cursor from = from_offset(unit->of->range_lists, at);
    while (next_range(unit, &from, &base, &low, &high))
        if (is_in(address, low, high))
            return true;
    return false;
}

static bool has_address(const struct unit *unit, const struct entry *entry, uint64_t address) {
    if (entry->has_ranges)
        return unit->version >= 5 ? is_in_list(unit, entry, address)
                                  : is_in_old_ranges(unit, entry->ranges, address);
    return entry->has_range &&
           is_in(address, entry->low, entry->high_is_size ? entry->low + entry->high : entry->high);
}

/* ---- names ---- */

static bool read_entry_at(const struct bomp_functions *functions, uint64_t at, struct entry *entry) {
    struct unit unit;
    size_t next = 0;
    for (size_t begin = 0; begin <= at; begin = next) {
        uint64_t abbrevs;
        if (!read_header(functions, begin, &unit, &abbrevs))
            return false;
        next = unit.end;
        if (at >= next)
            continue;
        struct entry root;
        if (!open_unit(functions, begin, &unit, &root, &next))
            return false;
        struct bomp_cursor from = from_offset(functions->info, at);
        bool found = from.at >= unit.entries.at && from.at < unit.entries.end;
        from.end = unit.entries.end;
        found = found && read_entry(&unit, &from, entry);
        close_unit(&unit);
        return found;
    }
    return false;
}

/* The name of the entry, or of the entry that it copies or defines. */
static const char *name_of(const struct bomp_functions *functions, const struct entry *entry) {
    struct entry origin = *entry;
    for (unsigned i = 0; i < ORIGINS_MOST; i++) {
        if (origin.symbol[0] != '\0' || origin.name[0] != '\0')
            return origin.symbol[0] != '\0' ? origin.symbol : origin.name;
        if (!origin.has_origin || !read_entry_at(functions, origin.origin, &origin))
            break;
    }
    return "";
}

/* ---- questions ---- */

static bool is_function(const struct entry *entry) {
    return entry->tag == TAG_SUBPROGRAM || entry->tag == TAG_INLINED;
}

/* A spawn or sync of blitz/cilk.h is four functions, each inlined in the one around it: the program's, then fib_spawn,
 * fib_push and blitz_push_, where fib is the task. */
#define CHAIN 4

static bool is_of_cilk(const char *name) {
    return strcmp(name, "blitz_push_") == 0 || strcmp(name, "blitz_pop_") == 0;
}

/* Those inside come behind those around. */
static bool find_in(struct unit *unit, uint64_t address, struct bomp_function *found) {
    struct entry entry, chain[CHAIN] = {{.tag = 0}}; /* the innermost is the last */
    const struct entry *innermost = &chain[CHAIN - 1];
    while (read_entry(unit, &unit->entries, &entry))
        if (is_function(&entry) && has_address(unit, &entry, address)) {
            memmove(chain, chain + 1, sizeof chain - sizeof *chain);
            chain[CHAIN - 1] = entry;
        }
    found->call_line = found->call_file = 0;
    found->is_inlined = innermost->tag == TAG_INLINED;
    found->name = innermost->tag != 0 ? name_of(unit->of, innermost) : "";
    if (found->is_inlined && chain[0].tag != 0 && is_of_cilk(found->name)) {
        found->name = name_of(unit->of, &chain[0]);
        found->call_file = chain[1].call_file;
        found->call_line = chain[1].call_line;
    }
    return innermost->tag != 0;
}

bool bomp_functions_find(const struct bomp_functions *functions, uint64_t address,
                         struct bomp_function *found) {
    struct unit unit;
    struct entry root;
    size_t next = 0;
    bool is_found = false;
    for (size_t at = 0; !is_found && at < bomp_cursor_left(&functions->info); at = next) {
        if (!open_unit(functions, at, &unit, &root, &next))
            continue;
        is_found = has_address(&unit, &root, address) && find_in(&unit, address, found);
        close_unit(&unit);
    }
    return is_found;
}

void bomp_functions_each(const struct bomp_functions *functions, size_t lines, bomp_functions_take *take_one,
                         void *arg) {
    struct unit unit;
    struct entry root, entry;
    size_t next = 0;
    for (size_t at = 0; at < bomp_cursor_left(&functions->info); at = next) {
        if (!open_unit(functions, at, &unit, &root, &next))
            continue;
        while (root.has_lines && root.lines == lines && read_entry(&unit, &unit.entries, &entry))
            if (entry.tag == TAG_SUBPROGRAM && entry.line != 0)
                take_one(arg, name_of(functions, &entry), entry.file, entry.line);
        close_unit(&unit);
    }
}
