/* symbols.c: see symbols.h. */
#include "tools/source/symbols.h"

#include "tools/common/base.h"
#include "tools/source/sort.h"

/* Limit of symbols that a search skips. */
#define SKIPPED_MOST 64

static bool comes_before(const void *one, const void *other) {
    return ((const struct bomp_symbol *)one)->address < ((const struct bomp_symbol *)other)->address;
}

_Static_assert(sizeof(struct bomp_symbol) <= BOMP_SORT_MOST, "sorted");

static bool is_of_use(const Elf64_Sym *symbol) {
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
           (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT);
}

void bomp_symbols_read(struct bomp_symbols *symbols, const struct bomp_image *image, uint32_t type) {
    Elf64_Shdr table, strings;
    bomp_symbols_free(symbols);
    if (!bomp_image_section(image, NULL, type, &table) || table.sh_entsize != sizeof(Elf64_Sym) ||
        !bomp_image_section_at(image, table.sh_link, &strings))
        return;
    struct bomp_cursor from = bomp_image_content(image, &table);
    struct bomp_cursor names = bomp_image_content(image, &strings);
    size_t most = bomp_cursor_left(&from) / sizeof(Elf64_Sym);
    symbols->list = most > 0 ? bz_os_alloc(most * sizeof *symbols->list) : NULL;
    symbols->room = symbols->list ? most : 0;
    for (size_t i = 0; i < symbols->room; i++) {
        Elf64_Sym symbol;
        memcpy(&symbol, bomp_cursor_take(&from, sizeof symbol), sizeof symbol);
        if (is_of_use(&symbol))
            symbols->list[symbols->count++] =
                (struct bomp_symbol){.address = symbol.st_value,
                                     .size = symbol.st_size,
                                     .name = bomp_image_string(names, symbol.st_name),
                                     .is_function = ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT};
    }
    bomp_sort(symbols->list, symbols->count, sizeof *symbols->list, comes_before);
}

void bomp_symbols_free(struct bomp_symbols *symbols) {
    bz_os_free(symbols->list, symbols->room * sizeof *symbols->list);
    *symbols = (struct bomp_symbols){0};
}

const struct bomp_symbol *bomp_symbols_find(const struct bomp_symbols *symbols, uint64_t address,
                                            bool is_function) {
    const struct bomp_symbol *found = NULL;
    size_t end = bomp_sort_up_to(symbols->list, symbols->count, sizeof *symbols->list, address);
    for (size_t skipped = 0; skipped < SKIPPED_MOST && skipped < end; skipped++) {
        const struct bomp_symbol *symbol = &symbols->list[end - 1 - skipped];
        if (symbol->is_function != is_function || symbol->name[0] == '\0')
            continue;
        if (found && symbol->address != found->address)
            break;
        if (address - symbol->address < symbol->size)
            return symbol;
        if (!found && symbol->size == 0 && is_function)
            found = symbol;
    }
    return found;
}
