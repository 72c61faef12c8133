/* lines.h: the line tables of a file (DWARF versions 2 to 5, section .debug_line), which map instructions to source
 * lines. */
#ifndef BOMP_LINES_H
#define BOMP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source/image.h"

/* Contiguous instructions that one part of a line table describes. */
struct bomp_line_range {
    uint64_t low, high; /* low first */
    uint64_t reach;     /* the greatest `high` of this range and all before it */
    size_t unit;        /* the offset of the unit's table in the section */
};

struct bomp_lines {
    /* The sections .debug_line, .debug_str, .debug_line_str. */
    struct bomp_cursor tables, strings, line_strings;
    struct bomp_line_range *ranges; /* sorted by `low` */
    size_t count, room;
};

/* Finds the ranges of all units, and sorts them. */
void bomp_lines_read(struct bomp_lines *lines, struct bomp_cursor tables, struct bomp_cursor strings,
                     struct bomp_cursor line_strings);
void bomp_lines_free(struct bomp_lines *lines);

struct bomp_line {
    const char *folder; /* "": the file has its whole path */
    const char *file;
    unsigned line;
    size_t unit; /* as in the ranges */
};

/* The line of the instruction at the address. `begins`: the first of the lines that begin there, as inlined functions may
 * begin with the function around them. False: no table has it. */
bool bomp_lines_find(const struct bomp_lines *lines, uint64_t address, bool begins, struct bomp_line *line);

/* Folder and name of a unit's file. */
bool bomp_lines_name(const struct bomp_lines *lines, size_t unit, uint64_t file, struct bomp_line *line);

#endif
