/* functions.h: the functions of a file from its debug information (DWARF 2 to 5, .debug_info), with inlined ones, which have
 * no symbol. */
#ifndef BOMP_FUNCTIONS_H
#define BOMP_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source/image.h"

/* Sections of the file; empty: missing. */
struct bomp_functions {
    struct bomp_cursor info, abbrevs, strings, line_strings, string_offsets, addresses, ranges, range_lists;
};

struct bomp_function {
    const char *name; /* its symbol, or else its name in the source; "": not known */
    bool is_inlined;
    /* For the code of a fork or sync of blitz/cilk.h: its place in the program, and `name` is the function there. File and
     * line as for bomp_functions_each. 0: other code. */
    uint64_t call_file, call_line;
};

/* Finds the innermost function around the instruction at the address. False: unknown. Reads one unit: some milliseconds for
 * each MB. */
bool bomp_functions_find(const struct bomp_functions *functions, uint64_t address,
                         struct bomp_function *found);

typedef void bomp_functions_take(void *arg, const char *name, uint64_t file, uint64_t line);

/* Calls `take` with each function that a unit defines or inlines, and where it begins: the number of the file in the unit's
 * line table, and the line. `lines`: the offset of that table in its section. */
void bomp_functions_each(const struct bomp_functions *functions, size_t lines, bomp_functions_take *take,
                         void *arg);

#endif
