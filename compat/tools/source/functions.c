/* functions.c: see functions.h. Written from sections 2 and 7 of the DWARF standards. The abbreviation of an entry lists its
 * attributes and their forms. Each step consumes bytes or ends, so that reading a unit takes linear time. */
#include "tools/source/functions.h"

#include <string.h>

#include "tools/common/grow.h"
#include "tools/source/forms.h"

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

enum { /* kinds of range list entries */
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
    struct bomp_encoding encoding;
    struct abbrev *abbrevs;
    size_t abbrev_count, abbrev_room;
    uint64_t strings_base, addresses_base, ranges_base, low;
};

#define NONE UINT64_MAX

struct entry {
    uint64_t tag;                   /* 0: the end of a list */
    uint64_t ranges, origin, lines; /* offsets, or NONE */
    uint64_t low, high, file, line, call_file, call_line;
    bool high_is_size, ranges_are_indexed;
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

/* Of an abbreviation. */
struct attribute {
    uint64_t name, form;
    int64_t implicit; /* its value, for BOMP_FORM_IMPLICIT */
};

/* False: the list is over. */
static bool next_attribute(struct bomp_cursor *from, struct attribute *attribute) {
    attribute->name = bomp_cursor_unsigned(from);
    attribute->form = bomp_cursor_unsigned(from);
    attribute->implicit = attribute->form == BOMP_FORM_IMPLICIT ? bomp_cursor_signed(from) : 0;
    return (attribute->name != 0 || attribute->form != 0) && !from->failed;
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
        for (struct attribute skipped; next_attribute(&from, &skipped);)
            continue;
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
    *unit = (struct unit){.of = functions, .at = at};
    uint64_t length = bomp_form_length(&from, &unit->encoding.offset_size);
    if (from.failed || length > bomp_cursor_left(&from) || length == 0)
        return false;
    from.end = from.at + length;
    unit->end = (size_t)(from.end - functions->info.at);
    unit->encoding.version = (unsigned)bomp_cursor_number(&from, 2);
    unsigned kind = unit->encoding.version >= 5 ? bomp_cursor_byte(&from) : 1;
    unit->encoding.address_size = unit->encoding.version >= 5 ? bomp_cursor_byte(&from) : 0;
    *abbrevs = bomp_cursor_number(&from, unit->encoding.offset_size);
    if (unit->encoding.version < 5)
        unit->encoding.address_size = bomp_cursor_byte(&from);
    unit->entries = from;
    if (kind != 1 || unit->encoding.version < 2 || unit->encoding.version > 5 ||
        unit->encoding.address_size > 8)
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
    return indexed(unit->of->addresses, unit->addresses_base, index, unit->encoding.address_size);
}

static const char *string_at(const struct unit *unit, uint64_t index) {
    return bomp_image_string(unit->of->strings, indexed(unit->of->string_offsets, unit->strings_base, index,
                                                        unit->encoding.offset_size));
}

/* "": unknown, as text in another file. */
static const char *text_of(const struct unit *unit, uint64_t form, uint64_t number, const char *inside) {
    if (form == BOMP_FORM_STRING_INDEX ||
        (form >= BOMP_FORM_STRING_INDEX1 && form < BOMP_FORM_ADDRESS_INDEX1))
        return string_at(unit, number);
    return bomp_form_text(form, number, inside, unit->of->strings, unit->of->line_strings);
}

static bool is_address_index(uint64_t form) {
    return form == BOMP_FORM_ADDRESS_INDEX ||
           (form >= BOMP_FORM_ADDRESS_INDEX1 && form <= BOMP_FORM_ADDRESS_INDEX4);
}

static uint64_t address_of(const struct unit *unit, uint64_t form, uint64_t number) {
    return is_address_index(form) ? address_at(unit, number) : number;
}

/* The offset of the referenced entry in the section; NONE: in another file. */
static uint64_t reference_of(const struct unit *unit, uint64_t form, uint64_t number) {
    if (form >= BOMP_FORM_REF1 && form <= BOMP_FORM_REF)
        return unit->at + number;
    return form == BOMP_FORM_REF_ANY ? number : NONE;
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
        entry->high_is_size = form != BOMP_FORM_ADDRESS && !is_address_index(form);
        break;
    case AT_RANGES:
        entry->ranges = number;
        entry->ranges_are_indexed = form == BOMP_FORM_RANGES_INDEX;
        break;
    case AT_ORIGIN:
    case AT_SPECIFICATION:
        entry->origin = reference_of(unit, form, number);
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
    *entry = (struct entry){.name = "", .symbol = "", .ranges = NONE, .origin = NONE, .lines = NONE};
    if (bomp_cursor_left(from) == 0)
        return false;
    uint64_t code = bomp_cursor_unsigned(from);
    const struct abbrev *abbrev = code != 0 ? abbrev_of(unit, code) : NULL;
    if (!abbrev)
        return code == 0;
    entry->tag = abbrev->tag;
    struct bomp_cursor attributes = abbrev->attributes;
    for (struct attribute attribute; !from->failed && next_attribute(&attributes, &attribute);) {
        uint64_t form = attribute.form == BOMP_FORM_INDIRECT ? bomp_cursor_unsigned(from) : attribute.form;
        const char *inside = form == BOMP_FORM_STRING ? (const char *)from->at : "";
        uint64_t number = form == BOMP_FORM_IMPLICIT ? (uint64_t)attribute.implicit
                                                     : bomp_form_number(&unit->encoding, from, form);
        if (!from->failed)
            take(unit, entry, attribute.name, form, number, inside);
    }
    return !from->failed;
}

/* Opens the unit at an offset, and reads its first entry. The next unit is at its end, also if this returns false. */
static bool open_unit(const struct bomp_functions *functions, size_t at, struct unit *unit,
                      struct entry *root) {
    uint64_t abbrevs;
    if (!read_header(functions, at, unit, &abbrevs)) {
        unit->end = SIZE_MAX;
        return false;
    }
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
    unsigned size = unit->encoding.address_size;
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
    unsigned kind = bomp_cursor_byte(from), size = unit->encoding.address_size;
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
        at = unit->ranges_base +
             indexed(unit->of->range_lists, unit->ranges_base, at, unit->encoding.offset_size);
    struct bomp_cursor from = from_offset(unit->of->range_lists, at);
    while (next_range(unit, &from, &base, &low, &high))
        if (is_in(address, low, high))
            return true;
    return false;
}

static bool has_address(const struct unit *unit, const struct entry *entry, uint64_t address) {
    if (entry->ranges != NONE)
        return unit->encoding.version >= 5 ? is_in_list(unit, entry, address)
                                           : is_in_old_ranges(unit, entry->ranges, address);
    return is_in(address, entry->low, entry->high_is_size ? entry->low + entry->high : entry->high);
}

/* ---- names ---- */

static bool read_entry_at(const struct bomp_functions *functions, uint64_t at, struct entry *entry) {
    struct unit unit = {.end = 0};
    struct entry root;
    uint64_t unused;
    while (unit.end <= at)
        if (!read_header(functions, unit.end, &unit, &unused))
            return false;
    if (!open_unit(functions, unit.at, &unit, &root))
        return false;
    struct bomp_cursor from = from_offset(functions->info, at);
    bool found = from.at >= unit.entries.at && from.at < unit.entries.end;
    from.end = unit.entries.end;
    found = found && read_entry(&unit, &from, entry);
    close_unit(&unit);
    return found;
}

/* The name of the entry, or of the entry that it copies or defines. */
static const char *name_of(const struct bomp_functions *functions, const struct entry *entry) {
    struct entry origin = *entry;
    for (unsigned i = 0; i < ORIGINS_MOST; i++) {
        if (origin.symbol[0] != '\0' || origin.name[0] != '\0')
            return origin.symbol[0] != '\0' ? origin.symbol : origin.name;
        if (origin.origin == NONE || !read_entry_at(functions, origin.origin, &origin))
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
    bool is_found = false;
    for (size_t at = 0; !is_found && at < bomp_cursor_left(&functions->info); at = unit.end) {
        if (!open_unit(functions, at, &unit, &root))
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
    for (size_t at = 0; at < bomp_cursor_left(&functions->info); at = unit.end) {
        if (!open_unit(functions, at, &unit, &root))
            continue;
        while (root.lines == lines && read_entry(&unit, &unit.entries, &entry))
            if (entry.tag == TAG_SUBPROGRAM && entry.line != 0)
                take_one(arg, name_of(functions, &entry), entry.file, entry.line);
        close_unit(&unit);
    }
}
