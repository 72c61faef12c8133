/* objects.c: objects.h on Linux with glibc, for ELF objects of 64 bits. */
#include "os/objects.h"

#include <string.h>

#include "os/elf.h"

/* ---- imports ---- */

/* Whether it imports something whose name begins with one of these; `plain`: neither weak nor of a version. */
static bool any_import(const struct bz_elf *object, const char *const *names, bool plain) {
    size_t end = bz_elf_end_of_imports(object);
    for (size_t i = 1; i < end; i++) {
        const ElfW(Sym) *symbol = &object->symbols[i];
        bool is_plain = ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
                        (!object->version_of || object->version_of[i] <= VER_NDX_GLOBAL);
        if (symbol->st_shndx == SHN_UNDEF && (is_plain || !plain) &&
            bz_elf_begins(object, symbol->st_name, names))
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
           any_import(&object, links->functions, true);
}

bool bz_os_is_linked(const struct bz_links *links) {
    return bz_elf_walk(is_linked, (void *)links) != 0;
}

/* ---- definitions ---- */

/* A function of the library with this name; or, NULL, of any object without one of the marks. */
struct definition {
    const char *library, *name;
    const char *const *marks;
    uintptr_t address; /* 0: not found yet */
};

static const char *name_of(const struct bz_elf *object) {
    return object->strings && object->soname < object->strings_size ? object->strings + object->soname : "";
}

static uintptr_t function_of(const struct dl_phdr_info *info, const struct bz_elf *object, const char *name) {
    const ElfW(Sym) *symbol = bz_elf_find(object, name, NULL);
    return symbol ? info->dlpi_addr + symbol->st_value : 0;
}

static int defines(struct dl_phdr_info *info, size_t size, void *arg) {
    struct definition *wanted = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    if (wanted->library && strcmp(name_of(&object), wanted->library) != 0)
        return 0;
    for (const char *const *mark = wanted->marks; mark && *mark; mark++)
        if (bz_elf_find(&object, *mark, NULL))
            return 0;
    wanted->address = function_of(info, &object, wanted->name);
    return wanted->address != 0;
}

void *bz_os_defined(const char *library, const char *name) {
    struct definition wanted = {.library = library, .name = name};
    (void)bz_elf_walk(defines, &wanted);
    return (void *)wanted.address;
}

void *bz_os_defined_by_any(const char *name, const char *const *marks) {
    struct definition wanted = {.name = name, .marks = marks};
    (void)bz_elf_walk(defines, &wanted);
    return (void *)wanted.address;
}

/* ---- providers ---- */

struct provider_search {
    const char *mark, *name;
    uint64_t none, changes; /* bz_elf_changes when there was no provider, and now */
    bool is_there, is_imported;
    uintptr_t address;
};

static int find_provider(struct dl_phdr_info *info, size_t size, void *arg) {
    struct provider_search *search = arg;
    const char *const names[] = {search->mark, NULL};
    search->changes = bz_elf_changes(info, size);
    if (search->changes == search->none)
        return 1;
    struct bz_elf object = bz_elf_of(info);
    if (!search->is_there && bz_elf_find(&object, search->mark, NULL)) {
        search->is_there = true;
        search->address = function_of(info, &object, search->name);
    }
    search->is_imported = search->is_imported || any_import(&object, names, false);
    return 0;
}

void *bz_os_provided(const char *mark, const char *name, struct bz_a64 *none) {
    struct provider_search search = {.mark = mark, .name = name, .none = bz_load_relaxed(none)};
    (void)bz_elf_walk(find_provider, &search);
    if (search.is_there && search.is_imported)
        return (void *)search.address;
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

struct pair {
    uintptr_t one, other;
};

/* 1: both are in the object. */
static int holds_first(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct pair *pair = arg;
    (void)size;
    return !bz_elf_holds(info, pair->one) ? 0 : bz_elf_holds(info, pair->other) ? 1 : 2;
}

bool bz_os_are_together(const void *one, const void *other) {
    return bz_elf_walk(holds_first, &(struct pair){(uintptr_t)one, (uintptr_t)other}) == 1;
}
