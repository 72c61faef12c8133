/* functions.h: the functions of a file as its debug information has them (DWARF versions 2 to 5, section .debug_info): also
 * those that compilers have put into others, which have no symbol. */
#ifndef BOMP_FUNCTIONS_H
#define BOMP_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source/image.h"

/* Sections of the file; empty ones are not there. */
struct bomp_functions {
    struct bomp_cursor info, abbrevs, strings, line_strings, string_offsets, addresses, ranges, range_lists;
};

struct bomp_function {
    const char *name; /* as a symbol if it has one, else as in the source; "": not known */
    bool is_inlined;
    /* In the code of a spawn or sync of blitz/cilk.h: its place in the program, whose function `name` is then; file and line
     * as for bomp_functions_each. 0: other code. */
    uint64_t call_file, call_line;
    uint64_t end; /* where the run of its code that was asked for ends */
};

/* The innermost one that has the instruction at the address. False: none is known. Reads the unit that has it, once: some
 * milliseconds for each MB. */
bool bomp_functions_find(const struct bomp_functions *functions, uint64_t address,
                         struct bomp_function *found);

typedef void bomp_functions_take(void *arg, const char *name, uint64_t file, uint64_t line);

/* All functions that a unit defines or inlines, and where that begins: the number of the file in the unit's line table, and
 * the line. `lines`: where that table is in its section. */
void bomp_functions_each(const struct bomp_functions *functions, size_t lines, bomp_functions_take *take,
                         void *arg);

#endif
