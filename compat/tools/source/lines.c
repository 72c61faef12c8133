/* lines.c: see lines.h. Written from section 6.2 of the DWARF standards. The line program of a unit is run twice: to find
 * the ranges of all units, and again for an address in one of them. Instructions are of one operation each, as on all
 * processors that we run on. */
#include "tools/source/lines.h"

#include "tools/common/grow.h"
#include "tools/source/forms.h"
#include "tools/source/sort.h"

enum { CONTENT_PATH = 1, CONTENT_FOLDER }; /* what a field of an entry of version 5 is about */

enum { /* opcodes */
       EXTENDED,
       COPY,
       ADVANCE_PC,
       ADVANCE_LINE,
       SET_FILE,
       SET_COLUMN,
       NEGATE_STMT,
       SET_BASIC_BLOCK,
       CONST_ADD_PC,
       FIXED_ADVANCE_PC,
       LAST_OPCODE = 255,
       END_SEQUENCE = 1, /* extended ones */
       SET_ADDRESS = 2
};

/* The header of a unit's table. */
struct unit {
    struct bomp_cursor names, program;
    struct bomp_encoding encoding; /* of names, which have no addresses */
    unsigned instruction, line_range, opcode_base;
    int line_base;
    unsigned char lengths[256]; /* arguments of standard opcodes */
};

/* ---- headers ---- */

/* The bytes that follow a length. */
static struct bomp_cursor part_of(struct bomp_cursor *from, uint64_t length) {
    const unsigned char *first = bomp_cursor_take(from, length);
    return first ? (struct bomp_cursor){first, first + length, false}
                 : (struct bomp_cursor){NULL, NULL, true};
}

/* Reads a unit's header, and skips the unit. False: an unknown version, or damaged. */
static bool read_unit(struct bomp_cursor *section, struct unit *unit) {
    *unit = (struct unit){0};
    uint64_t length = bomp_form_length(section, &unit->encoding.offset_size);
    struct bomp_cursor body = part_of(section, length);
    unit->encoding.version = (unsigned)bomp_cursor_number(&body, 2);
    if (unit->encoding.version < 2 || unit->encoding.version > 5)
        return false;
    if (unit->encoding.version == 5)
        bomp_cursor_skip(&body, 2); /* sizes of an address and of a segment number */
    struct bomp_cursor header = part_of(&body, bomp_cursor_number(&body, unit->encoding.offset_size));
    unit->program = body;
    unit->instruction = bomp_cursor_byte(&header);
    if (unit->encoding.version >= 4)
        bomp_cursor_skip(&header, 1); /* operations per instruction */
    bomp_cursor_skip(&header, 1);     /* whether rows are statements at first */
    unit->line_base = (int8_t)bomp_cursor_byte(&header);
    unit->line_range = bomp_cursor_byte(&header);
    unit->opcode_base = bomp_cursor_byte(&header);
    for (unsigned i = 1; i < unit->opcode_base; i++)
        unit->lengths[i] = bomp_cursor_byte(&header);
    unit->names = header;
    return !header.failed && unit->line_range > 0 && unit->opcode_base > 0;
}

/* ---- the line program ---- */

struct row {
    uint64_t address, file;
    uint64_t line;
    bool is_end; /* the first address behind a range */
};

struct machine {
    const struct unit *unit;
    struct bomp_cursor code;
    struct row row;
};

static void begin_range(struct machine *machine) {
    machine->row = (struct row){.file = 1, .line = 1};
}

static void start(struct machine *machine, const struct unit *unit) {
    machine->unit = unit;
    machine->code = unit->program;
    begin_range(machine);
}

static void advance(struct machine *machine, uint64_t operations) {
    machine->row.address += operations * machine->unit->instruction;
}

static void run_extended(struct machine *machine) {
    struct bomp_cursor code = part_of(&machine->code, bomp_cursor_unsigned(&machine->code));
    unsigned opcode = bomp_cursor_byte(&code);
    if (opcode == SET_ADDRESS && bomp_cursor_left(&code) <= 8)
        machine->row.address = bomp_cursor_number(&code, (unsigned)bomp_cursor_left(&code));
    machine->row.is_end = opcode == END_SEQUENCE && !code.failed;
}

static void run_standard(struct machine *machine, unsigned opcode) {
    const struct unit *unit = machine->unit;
    switch (opcode) {
    case ADVANCE_PC:
        advance(machine, bomp_cursor_unsigned(&machine->code));
        break;
    case ADVANCE_LINE:
        machine->row.line += (uint64_t)bomp_cursor_signed(&machine->code);
        break;
    case SET_FILE:
        machine->row.file = bomp_cursor_unsigned(&machine->code);
        break;
    case CONST_ADD_PC:
        advance(machine, (LAST_OPCODE - unit->opcode_base) / unit->line_range);
        break;
    case FIXED_ADVANCE_PC:
        machine->row.address += bomp_cursor_number(&machine->code, 2);
        break;
    default: /* columns, flags, newer opcodes: the header has the number of arguments */
        for (unsigned i = 0; i < unit->lengths[opcode]; i++)
            (void)bomp_cursor_unsigned(&machine->code);
        break;
    }
}

/* Runs to the next row. False: no more rows. */
static bool next_row(struct machine *machine) {
    const struct unit *unit = machine->unit;
    if (machine->row.is_end)
        begin_range(machine);
    while (bomp_cursor_left(&machine->code) > 0) {
        unsigned opcode = bomp_cursor_byte(&machine->code);
        if (opcode >= unit->opcode_base) {
            unsigned adjusted = opcode - unit->opcode_base;
            advance(machine, adjusted / unit->line_range);
            machine->row.line += (uint64_t)(unit->line_base + (int)(adjusted % unit->line_range));
            return true;
        }
        if (opcode == COPY)
            return true;
        if (opcode != EXTENDED)
            run_standard(machine, opcode);
        else
            run_extended(machine);
        if (machine->row.is_end)
            return true;
    }
    return false;
}

/* ---- ranges ---- */

static void add(struct bomp_lines *lines, const struct bomp_line_range *range) {
    if (bomp_grow(&lines->ranges, sizeof *range, lines->count, &lines->room))
        lines->ranges[lines->count++] = *range;
}

/* Discarded code begins at 0, or ends before it begins. */
static void add_ranges(struct bomp_lines *lines, const struct unit *unit, size_t at) {
    struct machine machine;
    struct bomp_line_range range = {.unit = at};
    bool is_first = true;
    start(&machine, unit);
    while (next_row(&machine)) {
        if (is_first)
            range.low = machine.row.address;
        is_first = machine.row.is_end;
        range.high = machine.row.address;
        if (machine.row.is_end && range.low > 0 && range.low < range.high)
            add(lines, &range);
    }
}

static bool comes_before(const void *one, const void *other) {
    const struct bomp_line_range *a = one, *b = other;
    return a->low != b->low ? a->low < b->low : a->unit < b->unit;
}

_Static_assert(sizeof(struct bomp_line_range) <= BOMP_SORT_MOST, "sorted");

static void sort_ranges(struct bomp_lines *lines) {
    uint64_t reach = 0;
    bomp_sort(lines->ranges, lines->count, sizeof *lines->ranges, comes_before);
    for (size_t i = 0; i < lines->count; i++) {
        reach = lines->ranges[i].high > reach ? lines->ranges[i].high : reach;
        lines->ranges[i].reach = reach;
    }
}

void bomp_lines_read(struct bomp_lines *lines, struct bomp_cursor tables, struct bomp_cursor strings,
                     struct bomp_cursor line_strings) {
    struct unit unit;
    *lines = (struct bomp_lines){.tables = tables, .strings = strings, .line_strings = line_strings};
    for (struct bomp_cursor left = tables; bomp_cursor_left(&left) > 0;) {
        size_t at = (size_t)(left.at - tables.at);
        if (read_unit(&left, &unit))
            add_ranges(lines, &unit, at);
    }
    sort_ranges(lines);
}

void bomp_lines_free(struct bomp_lines *lines) {
    bz_free(lines->ranges);
    *lines = (struct bomp_lines){0};
}

/* ---- names of files ---- */

/* An entry of the lists of folders and of files. */
struct entry {
    const char *path;
    uint64_t folder;
};

static void read_fields(const struct bomp_lines *lines, const struct unit *unit, struct bomp_cursor format,
                        struct bomp_cursor *from, struct entry *entry) {
    *entry = (struct entry){.path = ""};
    while (bomp_cursor_left(&format) > 0) {
        uint64_t content = bomp_cursor_unsigned(&format);
        uint64_t form = bomp_cursor_unsigned(&format);
        const char *inside = (const char *)from->at;
        uint64_t value = bomp_form_number(&unit->encoding, from, form);
        if (from->failed || form == BOMP_FORM_PRESENT) {
            bomp_cursor_fail(from); /* a list of entries without bytes may have any length */
            return;
        }
        if (content == CONTENT_PATH)
            entry->path = bomp_form_text(form, value, inside, lines->strings, lines->line_strings);
        else if (content == CONTENT_FOLDER)
            entry->folder = value;
    }
}

/* Skips one of the two lists of version 5, and reads its entry of that number. */
static bool read_list(const struct bomp_lines *lines, const struct unit *unit, struct bomp_cursor *from,
                      uint64_t number, struct entry *entry) {
    struct bomp_cursor format = *from;
    struct entry other;
    bool found = false;
    unsigned pairs = (unsigned)bomp_cursor_byte(&format);
    const unsigned char *first = format.at;
    for (unsigned i = 0; i < 2 * pairs; i++)
        (void)bomp_cursor_unsigned(&format);
    *from = format;
    format = (struct bomp_cursor){first, from->at, false};
    uint64_t count = bomp_cursor_unsigned(from);
    for (uint64_t i = 0; pairs > 0 && i < count && !from->failed; i++) {
        read_fields(lines, unit, format, from, i == number ? entry : &other);
        found |= i == number && !from->failed;
    }
    return found;
}

/* The text of that number, from 1, in the list of folders of versions 2 to 4; "" if missing. Skips the list. */
static const char *read_folders(struct bomp_cursor *from, uint64_t number) {
    const char *found = "", *text;
    for (uint64_t i = 1; (text = bomp_cursor_text(from))[0] != '\0'; i++)
        found = i == number ? text : found;
    return found;
}

static bool read_file(struct bomp_cursor *from, uint64_t number, struct entry *entry) {
    for (uint64_t i = 1; (entry->path = bomp_cursor_text(from))[0] != '\0'; i++) {
        entry->folder = bomp_cursor_unsigned(from);
        (void)bomp_cursor_unsigned(from); /* time and size */
        (void)bomp_cursor_unsigned(from);
        if (i == number)
            return true;
    }
    return false;
}

/* Folder 0 is the compiler's working directory. */
static bool name_file(const struct bomp_lines *lines, const struct unit *unit, uint64_t number,
                      struct bomp_line *line) {
    struct bomp_cursor from = unit->names, again = unit->names;
    struct entry file = {.path = ""}, folder = {.path = ""};
    bool found;
    if (unit->encoding.version == 5) {
        (void)read_list(lines, unit, &from, UINT64_MAX, &folder);
        found = read_list(lines, unit, &from, number, &file);
        if (found && file.folder != 0)
            (void)read_list(lines, unit, &again, file.folder, &folder);
    } else {
        (void)read_folders(&from, 0);
        found = read_file(&from, number, &file);
        folder.path = found && file.folder != 0 ? read_folders(&again, file.folder) : "";
    }
    line->file = found ? file.path : "";
    line->folder = found && file.path[0] != '/' ? folder.path : "";
    return found && file.path[0] != '\0';
}

/* ---- one address ---- */

/* Instructions of one line: [low, high). */
struct span {
    uint64_t low, high;
    uint64_t file; /* its number in the unit */
    uint64_t line;
};

/* The instructions between two rows of a range. Code with line 0 has no source line: it gets the previous one. */
struct walk {
    struct machine machine;
    struct row last, known;
    bool is_inside; /* of a range, after its first row */
};

/* With line 0 the file has no meaning. */
static bool next_span(struct walk *walk, struct span *span) {
    for (bool found = false; !found;) {
        if (!next_row(&walk->machine))
            return false;
        struct row now = walk->machine.row;
        found = walk->is_inside && walk->last.address < now.address;
        *span = (struct span){walk->last.address, now.address, walk->known.file, walk->known.line};
        walk->is_inside = !now.is_end;
        walk->last = now;
        if (now.is_end)
            walk->known.line = 0;
        else if (now.line != 0)
            walk->known = now;
    }
    return true;
}

/* The first of the lines that begin there. */
static bool find_first(const struct unit *unit, uint64_t address, struct span *span) {
    struct machine machine = {0};
    start(&machine, unit);
    while (next_row(&machine)) {
        const struct row *now = &machine.row;
        if (now->address != address || now->is_end || now->line == 0)
            continue;
        *span = (struct span){address, address, now->file, now->line};
        return true;
    }
    return false;
}

static bool find_span(const struct unit *unit, uint64_t address, struct span *span) {
    struct walk walk = {0};
    start(&walk.machine, unit);
    while (next_span(&walk, span))
        if (span->low <= address && address < span->high)
            return span->line != 0;
    return false;
}

static bool unit_at(const struct bomp_lines *lines, size_t at, struct unit *unit) {
    struct bomp_cursor from = lines->tables;
    bomp_cursor_skip(&from, at);
    return read_unit(&from, unit);
}

bool bomp_lines_name(const struct bomp_lines *lines, size_t unit_offset, uint64_t file,
                     struct bomp_line *line) {
    struct unit unit;
    return unit_at(lines, unit_offset, &unit) && name_file(lines, &unit, file, line);
}

bool bomp_lines_find(const struct bomp_lines *lines, uint64_t address, bool begins, struct bomp_line *line) {
    size_t i = bomp_sort_up_to(lines->ranges, lines->count, sizeof *lines->ranges, address);
    for (; i > 0 && address < lines->ranges[i - 1].reach; i--) {
        const struct bomp_line_range *range = &lines->ranges[i - 1];
        struct span span;
        struct unit unit;
        if (address - range->low < range->high - range->low && unit_at(lines, range->unit, &unit) &&
            ((begins && find_first(&unit, address, &span)) || find_span(&unit, address, &span)) &&
            name_file(lines, &unit, span.file, line)) {
            line->unit = range->unit;
            line->line = span.line <= UINT32_MAX ? (unsigned)span.line : 0;
            return true;
        }
    }
    return false;
}
