/* symbols.h: the functions and variables of a symbol table, sorted by address. */
#ifndef BOMP_SYMBOLS_H
#define BOMP_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source/image.h"

struct bomp_symbol {
    uint64_t address, size; /* as in the file, address first; size 0: not known */
    const char *name;       /* in the mapped file */
    bool is_function;
};

struct bomp_symbols {
    struct bomp_symbol *list; /* sorted */
    size_t count, room;
};

/* Replaces the content by the table of that type, SHT_SYMTAB or SHT_DYNSYM. Empty if missing, or out of memory. */
void bomp_symbols_read(struct bomp_symbols *symbols, const struct bomp_image *image, uint32_t type);
void bomp_symbols_free(struct bomp_symbols *symbols);

/* The function or variable that contains the address, or begins before it and has no size; NULL: none. */
const struct bomp_symbol *bomp_symbols_find(const struct bomp_symbols *symbols, uint64_t address,
                                            bool is_function);

#endif
