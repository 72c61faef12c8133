/* symbols.c: see symbols.h. */
#include "tools/source/symbols.h"

#include "runtime.h"

/* Names of one address that are passed by to find the one that is best. */
#define LOOK_BACK 64

static bool comes_before(const struct bomp_symbol *one, const struct bomp_symbol *other) {
    return one->address < other->address;
}

/* Moves a symbol down to its place in the heap that begins at list[0]. */
static void sink(struct bomp_symbol *list, size_t at, size_t count) {
    struct bomp_symbol moved = list[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && comes_before(&list[child], &list[child + 1]))
            child++;
        if (!comes_before(&moved, &list[child]))
            break;
        list[at] = list[child];
    }
    list[at] = moved;
}

/* A heap sort: in place, and never slow. */
static void sort(struct bomp_symbols *symbols) {
    struct bomp_symbol *list = symbols->list;
    for (size_t i = symbols->count / 2; i > 0; i--)
        sink(list, i - 1, symbols->count);
    for (size_t left = symbols->count; left > 1; left--) {
        struct bomp_symbol last = list[left - 1];
        list[left - 1] = list[0];
        list[0] = last;
        sink(list, 0, left - 1);
    }
}

static bool is_of_use(const Elf64_Sym *symbol) {
    unsigned type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx != SHN_ABS &&
           (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT);
}

void bomp_symbols_read(struct bomp_symbols *symbols, const struct bomp_image *image, uint32_t type) {
    Elf64_Shdr table, strings;
    *symbols = (struct bomp_symbols){0};
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
    sort(symbols);
}

void bomp_symbols_free(struct bomp_symbols *symbols) {
    bz_os_free(symbols->list, symbols->room * sizeof *symbols->list);
    *symbols = (struct bomp_symbols){0};
}

/* How many begin at the address or before it. */
static size_t count_up_to(const struct bomp_symbols *symbols, uint64_t address) {
    size_t low = 0, high = symbols->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->list[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct bomp_symbol *bomp_symbols_find(const struct bomp_symbols *symbols, uint64_t address,
                                            bool is_function) {
    const struct bomp_symbol *found = NULL;
    size_t end = count_up_to(symbols, address);
    for (size_t looks = 0; looks < LOOK_BACK && looks < end; looks++) {
        const struct bomp_symbol *symbol = &symbols->list[end - 1 - looks];
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
