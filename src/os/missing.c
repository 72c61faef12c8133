/* missing.c: what objects ask of a library that it has not (objects.h). */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <string.h>

#include "os/elf.h"
#include "os/objects.h"

/* Bit 15 says that linkers do not bind to the symbol. */
#define VERSION_INDEX 0x7fff

/* The name of a version that the object imports things in; NULL: none. */
static const char *imported_version(const struct bz_elf *object, unsigned index) {
    const char *file = (const char *)object->versions;
    for (size_t files = file ? object->version_files : 0; files > 0 && index > VER_NDX_GLOBAL; files--) {
        const ElfW(Verneed) *need = (const void *)file;
        const char *version = file + need->vn_aux;
        for (size_t left = need->vn_cnt; left > 0; left--) {
            const ElfW(Vernaux) *aux = (const void *)version;
            if ((aux->vna_other & VERSION_INDEX) == index)
                return object->strings + aux->vna_name;
            version += aux->vna_next;
        }
        file += need->vn_next;
    }
    return NULL;
}

/* The same of one that the object has things in. */
static const char *defined_version(const struct bz_elf *object, unsigned index) {
    const char *at = (const char *)object->defined;
    for (size_t left = at ? object->defined_count : 0; left > 0 && index > VER_NDX_GLOBAL; left--) {
        const ElfW(Verdef) *version = (const void *)at;
        if (version->vd_ndx == index) {
            const ElfW(Verdaux) *aux = (const void *)(at + version->vd_aux);
            return object->strings + aux->vda_name;
        }
        at += version->vd_next;
    }
    return NULL;
}

/* One import. */
struct import {
    const char *name;
    const char *version; /* NULL: any */
};

/* Whether the linker would bind the import to a symbol of that name. What has no version serves all of them. */
static bool serves(const struct bz_elf *object, size_t symbol, const struct import *import) {
    const char *version =
        object->version_of ? defined_version(object, object->version_of[symbol] & VERSION_INDEX) : NULL;
    return !import->version || !version || strcmp(version, import->version) == 0;
}

static bool has(const struct bz_elf *object, const struct import *import) {
    const ElfW(Sym) *symbol =
        object->strings && object->symbols && object->hashes ? bz_elf_find(object, import->name) : NULL;
    if (!symbol)
        return false;
    /* Other versions of it follow in the same chain. */
    const uint32_t *chain = object->hashes + 4 + object->hashes[2] * (sizeof(ElfW(Addr)) / sizeof *chain) +
                            object->hashes[0] - object->hashes[1];
    for (size_t at = (size_t)(symbol - object->symbols);; at++) {
        symbol = &object->symbols[at];
        if (symbol->st_shndx != SHN_UNDEF && strcmp(object->strings + symbol->st_name, import->name) == 0 &&
            serves(object, at, import))
            return true;
        if (chain[at] & 1)
            return false;
    }
}

/* Who there is that has an import. */
struct owners {
    const struct bz_wanted *wanted;
    const struct import *import;
    bool alike, other; /* a library of the kind of ours; another one */
};

static bool is_alike(const struct bz_elf *object, const struct bz_wanted *wanted) {
    return has(object, &(struct import){wanted->mark, NULL});
}

static int look_for_owner(struct dl_phdr_info *info, size_t size, void *arg) {
    struct owners *owners = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    if (has(&object, owners->import)) {
        bool alike = is_alike(&object, owners->wanted);
        owners->alike |= alike;
        owners->other |= !alike;
    }
    return owners->other;
}

/* If our library has it not. Within dl_iterate_phdr, which may be called there. */
static bool is_not_there(const struct bz_wanted *wanted, const struct import *import, bool reserved) {
    struct owners owners = {.wanted = wanted, .import = import};
    (void)bz_elf_walk(look_for_owner, &owners);
    return !owners.other && (owners.alike || import->version || reserved);
}

/* Where the linker has found for an object what our library has, too. */
enum served {
    NOWHERE, /* nothing was called yet */
    HERE,
    ELSEWHERE /* in another library of the kind of ours */
};

struct place {
    const struct bz_wanted *wanted;
    uintptr_t address;
    enum served served;
};

static int look_at_place(struct dl_phdr_info *info, size_t size, void *arg) {
    struct place *place = arg;
    struct bz_elf object = bz_elf_of(info);
    (void)size;
    if (!bz_elf_holds(info, place->address))
        return 0;
    if (bz_elf_holds(info, (uintptr_t)place->wanted->us))
        place->served = HERE;
    else if (is_alike(&object, place->wanted))
        place->served = ELSEWHERE;
    return 1;
}

/* One that is served by both is served elsewhere. */
static enum served where_served(const struct dl_phdr_info *info, const struct bz_elf *object,
                                const struct bz_wanted *wanted, const struct bz_elf *ours) {
    struct place place = {.wanted = wanted, .served = NOWHERE};
    for (int i = 0; i < 2; i++) {
        const ElfW(Rela) *entry = object->tables[i].first;
        for (size_t n = entry ? object->tables[i].bytes / sizeof *entry : 0; n > 0; n--, entry++) {
            size_t at = ELF64_R_SYM(entry->r_info);
            const ElfW(Sym) *symbol = &object->symbols[at];
            if (at == 0 || symbol->st_shndx != SHN_UNDEF ||
                !(bz_elf_begins(object, symbol->st_name, wanted->reserved) ||
                  bz_elf_begins(object, symbol->st_name, wanted->shared)))
                continue;
            unsigned index = object->version_of ? object->version_of[at] & VERSION_INDEX : 0;
            struct import import = {object->strings + symbol->st_name, imported_version(object, index)};
            memcpy(&place.address, (const void *)(info->dlpi_addr + entry->r_offset), sizeof place.address);
            if (has(ours, &import) && bz_elf_walk(look_at_place, &place) != 0 && place.served == ELSEWHERE)
                return ELSEWHERE;
        }
    }
    return place.served;
}

/* Whether the object asks for its import number `at`, and for what. */
static bool asks(const struct bz_elf *object, const struct bz_wanted *wanted, size_t at,
                 struct import *import) {
    const ElfW(Sym) *symbol = &object->symbols[at];
    if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL ||
        !(bz_elf_begins(object, symbol->st_name, wanted->reserved) ||
          bz_elf_begins(object, symbol->st_name, wanted->shared)) ||
        bz_elf_begins(object, symbol->st_name, wanted->exempt))
        return false;
    unsigned index = object->version_of ? object->version_of[at] & VERSION_INDEX : 0;
    *import = (struct import){object->strings + symbol->st_name, imported_version(object, index)};
    return !import->version ||
           bz_elf_begins(object, (size_t)(import->version - object->strings), wanted->versions);
}

struct question {
    const struct bz_wanted *wanted;
    struct bz_missing *missing;
    struct bz_elf ours;
    bool first; /* ours comes before the C library: it was preloaded, or the program needs it itself */
    bool open;  /* of some object it is too early to say whom it asks */
    uint64_t seen, loads; /* as in struct search */
};

static void copy_text(char *to, size_t size, const char *from) {
    size_t length = from ? strnlen(from, size - 1) : 0;
    memcpy(to, from, length);
    to[length] = '\0';
}

static int look_at_imports(struct dl_phdr_info *info, size_t size, void *arg) {
    struct question *question = arg;
    const struct bz_wanted *wanted = question->wanted;
    struct bz_missing *missing = question->missing;
    (void)size;
    question->loads = info->dlpi_adds;
    struct bz_elf object = bz_elf_of(info);
    if (!object.strings || !object.symbols || !object.hashes || is_alike(&object, wanted))
        return 0;
    struct import import;
    size_t end = bz_elf_end_of_imports(&object);
    for (size_t i = 1; i < end; i++) {
        if (asks(&object, wanted, i, &import) && !has(&question->ours, &import) &&
            is_not_there(wanted, &import,
                         bz_elf_begins(&object, object.symbols[i].st_name, wanted->reserved))) {
            enum served served = where_served(info, &object, wanted, &question->ours);
            if (served == ELSEWHERE || (served == NOWHERE && !question->first)) {
                question->open |= served == NOWHERE;
                return 0;
            }
            copy_text(missing->name, sizeof missing->name, import.name);
            copy_text(missing->version, sizeof missing->version, import.version);
            copy_text(missing->object, sizeof missing->object, info->dlpi_name);
            return 2;
        }
    }
    return 0;
}

/* Also whether anything was loaded since. An older C library does not count what it loads: nothing is found. */
static int look_for_us(struct dl_phdr_info *info, size_t size, void *arg) {
    struct question *question = arg;
    bool ours = bz_elf_holds(info, (uintptr_t)question->wanted->us);
    if (ours)
        question->ours = bz_elf_of(info);
    else if (bz_elf_holds(info, (uintptr_t)dl_iterate_phdr))
        question->first = false;
    question->loads = size < offsetof(struct dl_phdr_info, dlpi_subs) ? question->seen : info->dlpi_adds;
    return ours || question->loads == question->seen;
}

bool bz_os_is_missing(const struct bz_wanted *wanted, uint64_t *seen, struct bz_missing *missing) {
    struct question question = {.wanted = wanted, .missing = missing, .first = true, .seen = *seen};
    (void)bz_elf_walk(look_for_us, &question);
    int found = question.loads != *seen ? bz_elf_walk(look_at_imports, &question) : 0;
    *seen = question.open ? *seen : question.loads;
    return found == 2;
}
