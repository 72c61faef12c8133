/* objects.h on Linux with glibc, for ELF objects of 64 bits. */
#include "os/objects.h"

#include <string.h>

#include "os/elf.h"

/* ---- imports ---- */

/* Whether it imports, not weakly, something whose name begins with one of these; `plain`: without a version. */
static bool any_import(const struct bz_elf *object, const char *const *names, bool plain) {
    size_t end = bz_elf_end_of_imports(object);
    for (size_t i = 1; i < end; i++) {
        const ElfW(Sym) *symbol = &object->symbols[i];
        bool has_version = object->version_of && object->version_of[i] > VER_NDX_GLOBAL;
        if (symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
            !(plain && has_version) && bz_elf_begins(object, symbol->st_name, names))
            return true;
    }
    return false;
}

/* ---- links ---- */

static bool needs_library(const struct bz_elf *object, const char *const *names) {
    for (const ElfW(Dyn) *entry = object->entries; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && bz_elf_begins(object, entry->d_un.d_val, names))
            return true;
    return false;
}

static int is_linked(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct bz_links *links = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    return needs_library(&object, links->libraries) || bz_elf_imported_version(&object, links->versions, 0) ||
           any_import(&object, links->functions, *links->versions);
}

bool bz_os_is_linked(const struct bz_links *links) {
    return bz_elf_walk(is_linked, (void *)links) != 0;
}

/* ---- definitions ---- */

/* A function of an object: of the library, if any; which defines the mark, if any, and none of the others. */
struct definition {
    const char *name, *library, *mark;
    const char *const *others;
    uintptr_t address; /* 0: not found yet */
};

static const char *name_of(const struct bz_elf *object) {
    return object->strings && object->soname < object->strings_size ? object->strings + object->soname : "";
}

static int defines(struct dl_phdr_info *info, size_t size, void *arg) {
    struct definition *wanted = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    if ((wanted->library && strcmp(name_of(&object), wanted->library) != 0) ||
        (wanted->mark && !bz_elf_find(&object, wanted->mark, NULL)))
        return 0;
    for (const char *const *other = wanted->others; other && *other; other++)
        if (bz_elf_find(&object, *other, NULL))
            return 0;
    const ElfW(Sym) *symbol = bz_elf_find(&object, wanted->name, NULL);
    wanted->address = symbol ? info->dlpi_addr + symbol->st_value : 0;
    return wanted->address != 0;
}

static void *find(struct definition wanted) {
    (void)bz_elf_walk(defines, &wanted);
    return (void *)wanted.address;
}

void *bz_os_defined(const char *library, const char *name) {
    return find((struct definition){.name = name, .library = library});
}

void *bz_os_defined_by_any(const char *name, const char *const *marks) {
    return find((struct definition){.name = name, .others = marks});
}

/* ---- providers ---- */

struct provider {
    struct definition wanted;
    uint64_t none, changes; /* bz_elf_changes when there was no provider, and now */
    bool is_imported;
};

static int find_provider(struct dl_phdr_info *info, size_t size, void *arg) {
    struct provider *search = arg;
    const char *const names[] = {search->wanted.mark, NULL};
    search->changes = bz_elf_changes(info, size);
    if (search->changes == search->none)
        return 1;
    struct bz_elf object = bz_elf_of(info);
    search->is_imported = search->is_imported || any_import(&object, names, false);
    if (search->wanted.address == 0)
        (void)defines(info, size, &search->wanted);
    return 0;
}

void *bz_os_provided(const char *mark, const char *name, struct bz_a64 *none) {
    struct provider search = {.wanted = {.name = name, .mark = mark}, .none = bz_load_relaxed(none)};
    (void)bz_elf_walk(find_provider, &search);
    if (search.is_imported && search.wanted.address != 0)
        return (void *)search.wanted.address;
    bz_store_relaxed(none, search.changes); /* relaxed, both: the number alone counts */
    return NULL;
}

/* ---- loaded objects ---- */

struct other {
    const char *library;
    uintptr_t us;
};

static int is_other(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct other *wanted = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    return strncmp(name_of(&object), wanted->library, strlen(wanted->library)) == 0 &&
           !bz_elf_holds(info, wanted->us);
}

bool bz_os_is_loaded_too(const char *library, const void *us) {
    return bz_elf_walk(is_other, &(struct other){library, (uintptr_t)us}) != 0;
}
