/* objects.c: objects.h on Linux with glibc, for ELF objects of 64 bits. Imports are the symbols before those in the hash
 * table; of an object that has none, what relocations refer to. What an object has itself is found by the hash table. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/objects.h"

#include <string.h>

#include "os/elf.h"

struct search {
    const char *const *names;
    uint64_t seen;  /* objects loaded before */
    uint64_t loads; /* and now */
    bool found;
};

static bool is_import(const struct bz_elf *object, size_t i, const char *const *names) {
    const ElfW(Sym) *symbol = &object->symbols[i];
    if (symbol->st_shndx != SHN_UNDEF || symbol->st_name >= object->strings_size)
        return false;
    const char *name = object->strings + symbol->st_name;
    for (; *names; names++)
        if (name[0] == (*names)[0] && strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool imports(const struct bz_elf *object, const char *const *names) {
    if (!object->strings || !object->symbols)
        return false;
    size_t end = bz_elf_end_of_imports(object);
    for (size_t i = 1; i < end; i++)
        if (is_import(object, i, names))
            return true;
    for (int i = 0; i < 2 && !object->hashes; i++) {
        const ElfW(Rela) *entry = object->tables[i].first;
        for (size_t n = entry ? object->tables[i].bytes / sizeof *entry : 0; n > 0; n--, entry++)
            if (ELF64_R_SYM(entry->r_info) != 0 && is_import(object, ELF64_R_SYM(entry->r_info), names))
                return true;
    }
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *arg) {
    struct search *search = arg;
    if (size < offsetof(struct dl_phdr_info, dlpi_subs))
        return 1; /* an older C library: it does not count what it loads */
    search->loads = info->dlpi_adds;
    if (search->loads == search->seen)
        return 1;
    struct bz_elf object = bz_elf_of(info);
    search->found = imports(&object, search->names);
    return search->found;
}

bool bz_os_imports(const char *const *names, uint64_t *seen) {
    struct search search = {.names = names, .seen = *seen};
    (void)bz_elf_walk(look_at, &search);
    *seen = search.loads;
    return search.found;
}

/* ---- what an object is linked with ---- */

static bool needs_library(const struct bz_elf *object, const char *const *names) {
    for (const ElfW(Dyn) *entry = object->entries; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_NEEDED && bz_elf_begins(object, entry->d_un.d_val, names))
            return true;
    return false;
}

static bool needs_version(const struct bz_elf *object, const char *const *names) {
    const char *file = (const char *)object->versions;
    for (size_t files = file ? object->version_files : 0; files > 0; files--) {
        const ElfW(Verneed) *need = (const void *)file;
        const char *version = file + need->vn_aux;
        for (size_t left = need->vn_cnt; left > 0; left--) {
            const ElfW(Vernaux) *aux = (const void *)version;
            if (bz_elf_begins(object, aux->vna_name, names))
                return true;
            version += aux->vna_next;
        }
        file += need->vn_next;
    }
    return false;
}

/* An object without a hash table is not looked at. */
static bool needs_function(const struct bz_elf *object, const char *const *names) {
    size_t end = bz_elf_end_of_imports(object);
    for (size_t i = 1; i < end; i++) {
        const ElfW(Sym) *symbol = &object->symbols[i];
        if (symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
            (!object->version_of || object->version_of[i] <= VER_NDX_GLOBAL) &&
            bz_elf_begins(object, symbol->st_name, names))
            return true;
    }
    return false;
}

static int look_at_links(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct bz_links *links = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    return object.strings && object.symbols &&
           (needs_library(&object, links->libraries) || needs_version(&object, links->versions) ||
            needs_function(&object, links->functions));
}

bool bz_os_is_linked(const struct bz_links *links) {
    return bz_elf_walk(look_at_links, (void *)links) != 0;
}

/* ---- what an object has ---- */

/* What is looked for: in the library that calls itself so, or, NULL, in any without one of the marks. */
struct definition {
    const char *library, *name;
    const char *const *marks;
    uintptr_t address; /* 0: not found yet */
};

static const char *name_of(const struct bz_elf *object) {
    return object->strings && object->soname < object->strings_size ? object->strings + object->soname : "";
}

static int look_for(struct dl_phdr_info *info, size_t size, void *arg) {
    struct definition *wanted = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    if (!object.symbols || !object.hashes ||
        (wanted->library && strcmp(name_of(&object), wanted->library) != 0))
        return 0;
    const ElfW(Sym) *symbol = bz_elf_find(&object, wanted->name);
    for (const char *const *mark = wanted->marks; symbol && *mark; mark++)
        if (bz_elf_find(&object, *mark))
            symbol = NULL;
    wanted->address = symbol ? info->dlpi_addr + symbol->st_value : 0;
    return wanted->address != 0;
}

static const char *const no_marks[] = {NULL};

void *bz_os_defined(const char *library, const char *name) {
    struct definition wanted = {.library = library, .name = name, .marks = no_marks};
    (void)bz_elf_walk(look_for, &wanted);
    return (void *)wanted.address;
}

void *bz_os_defined_by_any(const char *name, const char *const *marks) {
    struct definition wanted = {.name = name, .marks = marks};
    (void)bz_elf_walk(look_for, &wanted);
    return (void *)wanted.address;
}

/* ---- the functions of a library that others may have, too ---- */

/* The lock that the C library holds for a walk guards what a provider knows, and no library goes meanwhile. ThreadSanitizer
 * does not see that lock, which is internal to the C library. */
#define UNDER_WALK __attribute__((no_sanitize("thread")))

struct provider_look {
    struct bz_provider *provider;
    const char *name;
    struct bz_provided now;
    bool is_known, is_asked;
    uintptr_t address;
};

/* 0 also from an older C library, which does not count. */
static uint64_t changes_of(const struct dl_phdr_info *info, size_t size) {
    return size > offsetof(struct dl_phdr_info, dlpi_subs) ? info->dlpi_adds + info->dlpi_subs : 0;
}

/* The library is the object with the known base. */
UNDER_WALK static int look_in_known(const struct dl_phdr_info *info, struct provider_look *look) {
    const struct bz_provided *known = &look->provider->known;
    look->is_known = true;
    if (!known->is_there || info->dlpi_addr != known->base)
        return !known->is_there;
    struct bz_elf object = bz_elf_of(info);
    const ElfW(Sym) *symbol = bz_elf_find(&object, look->name);
    look->address = symbol ? info->dlpi_addr + symbol->st_value : 0;
    return 1;
}

UNDER_WALK static int look_for_provider(struct dl_phdr_info *info, size_t size, void *arg) {
    struct provider_look *look = arg;
    const char *const names[] = {look->provider->mark, NULL};
    look->now.changes = changes_of(info, size);
    if (look->now.changes == look->provider->known.changes)
        return look_in_known(info, look);
    struct bz_elf object = bz_elf_of(info);
    if (!look->now.is_there && object.symbols && object.hashes && bz_elf_find(&object, names[0])) {
        look->now.is_there = true;
        look->now.base = info->dlpi_addr;
    }
    look->is_asked = look->is_asked || imports(&object, names);
    return 0;
}

/* Unless more has changed since that look. */
UNDER_WALK static int keep(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct provider_look *look = arg;
    if (changes_of(info, size) == look->now.changes)
        look->provider->known = look->now;
    return 1;
}

void *bz_os_provided(struct bz_provider *provider, const char *name) {
    for (;;) {
        struct provider_look look = {.provider = provider, .name = name};
        (void)bz_elf_walk(look_for_provider, &look);
        if (look.is_known)
            return (void *)look.address;
        look.now.is_there = look.now.is_there && look.is_asked;
        (void)bz_elf_walk(keep, &look);
    }
}

/* ---- which libraries there are ---- */

struct neighbour {
    const char *library;
    uintptr_t us;
};

static int look_for_other(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct neighbour *wanted = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    return strncmp(name_of(&object), wanted->library, strlen(wanted->library)) == 0 &&
           !bz_elf_holds(info, wanted->us);
}

bool bz_os_is_loaded_too(const char *library, const void *us) {
    struct neighbour wanted = {library, (uintptr_t)us};
    return bz_elf_walk(look_for_other, &wanted) != 0;
}

/* ---- thread-local variables ---- */

static int add_variables(struct dl_phdr_info *info, size_t size, void *arg) {
    size_t *bytes = arg;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS)
            *bytes += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
    return 0;
}

size_t bz_os_thread_local_bytes(void) {
    size_t bytes = 0;
    (void)bz_elf_walk(add_variables, &bytes);
    return bytes;
}

struct pair {
    uintptr_t one, other;
    bool together;
};

static int look_for_one(struct dl_phdr_info *info, size_t size, void *arg) {
    struct pair *pair = arg;
    (void)size;
    bool found = bz_elf_holds(info, pair->one);
    pair->together = found && bz_elf_holds(info, pair->other);
    return found;
}

bool bz_os_are_together(const void *one, const void *other) {
    struct pair pair = {(uintptr_t)one, (uintptr_t)other, false};
    (void)bz_elf_walk(look_for_one, &pair);
    return pair.together;
}
