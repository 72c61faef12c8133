/* bz_os_is_missing of objects.h. */
#include <stdio.h>
#include <string.h>

#include "os/elf.h"
#include "os/objects.h"

struct import {
    const char *name;
    const char *version; /* NULL: any */
};

static bool has(const struct bz_elf *object, const struct import *import) {
    return bz_elf_find(object, import->name, import->version);
}

/* Import number `at` of the object. */
static struct import import_of(const struct bz_elf *object, size_t at) {
    unsigned index = object->version_of ? object->version_of[at] & BZ_ELF_VERSION_INDEX : 0;
    return (struct import){object->strings + object->symbols[at].st_name,
                           index > VER_NDX_GLOBAL ? bz_elf_imported_version(object, NULL, index) : NULL};
}

/* Whether it is an import with a name of the library's kind. */
static bool is_of_kind(const struct bz_elf *object, const struct bz_wanted *wanted, size_t at) {
    const ElfW(Sym) *symbol = &object->symbols[at];
    return symbol->st_shndx == SHN_UNDEF && (bz_elf_begins(object, symbol->st_name, wanted->reserved) ||
                                             bz_elf_begins(object, symbol->st_name, wanted->shared));
}

/* The objects that define an import. */
struct owners {
    const struct bz_wanted *wanted;
    const struct import *import;
    bool alike, other; /* one of our kind does; another one does */
};

static bool is_alike(const struct bz_elf *object, const struct bz_wanted *wanted) {
    return bz_elf_find(object, wanted->mark, NULL);
}

static int find_owner(struct dl_phdr_info *info, size_t size, void *arg) {
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

/* Whether an import that our library lacks is missing. Nested in a walk, as dl_iterate_phdr allows. */
static bool is_not_there(const struct bz_wanted *wanted, const struct import *import, bool reserved) {
    struct owners owners = {.wanted = wanted, .import = import};
    (void)bz_elf_walk(find_owner, &owners);
    return !owners.other && (owners.alike || import->version || reserved);
}

/* The library that serves an object's imports so far; only imports that ours defines count. */
enum served {
    NOWHERE, /* none has been called yet */
    HERE,
    ELSEWHERE /* another library of our kind */
};

struct place {
    const struct bz_wanted *wanted;
    uintptr_t address;
    enum served served;
};

static int find_place(struct dl_phdr_info *info, size_t size, void *arg) {
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

/* ELSEWHERE also if both serve it. */
static enum served where_served(const struct dl_phdr_info *info, const struct bz_elf *object,
                                const struct bz_wanted *wanted, const struct bz_elf *ours) {
    struct place place = {.wanted = wanted, .served = NOWHERE};
    for (int i = 0; i < 2; i++)
        for (size_t n = 0; n < object->relocations[i].count; n++) {
            const ElfW(Rela) *entry = &object->relocations[i].first[n];
            size_t at = ELF64_R_SYM(entry->r_info);
            if (at == 0 || !is_of_kind(object, wanted, at))
                continue;
            struct import import = import_of(object, at);
            memcpy(&place.address, (const void *)(info->dlpi_addr + entry->r_offset), sizeof place.address);
            if (has(ours, &import) && bz_elf_walk(find_place, &place) != 0 && place.served == ELSEWHERE)
                return ELSEWHERE;
        }
    return place.served;
}

/* Whether the object expects its import number `at`, with a name of the kind, of a library of our kind. */
static bool asks(const struct bz_elf *object, const struct bz_wanted *wanted, size_t at,
                 struct import *import) {
    const ElfW(Sym) *symbol = &object->symbols[at];
    if (ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL ||
        bz_elf_begins(object, symbol->st_name, wanted->exempt))
        return false;
    *import = import_of(object, at);
    return !import->version ||
           bz_elf_begins(object, (size_t)(import->version - object->strings), wanted->versions);
}

struct question {
    const struct bz_wanted *kinds;
    struct bz_missing *missing;
    struct bz_elf ours;
    bool first;         /* ours precedes the C library: it was preloaded, or the program is linked with it */
    bool open;          /* for some object it is too early to know which library serves it */
    uint64_t seen, now; /* bz_elf_changes at the last search, and now */
};

/* Whether an import of the object that is of this kind is missing. */
static bool lacks(const struct dl_phdr_info *info, const struct bz_elf *object,
                  const struct bz_wanted *wanted, struct question *question) {
    struct bz_missing *missing = question->missing;
    struct import import;
    size_t end = bz_elf_end_of_imports(object);
    for (size_t i = 1; i < end; i++) {
        if (!is_of_kind(object, wanted, i))
            continue;
        missing->noted |= bz_elf_begins(object, object->symbols[i].st_name, wanted->noted);
        if (object->hashes && asks(object, wanted, i, &import) && !has(&question->ours, &import) &&
            is_not_there(wanted, &import,
                         bz_elf_begins(object, object->symbols[i].st_name, wanted->reserved))) {
            enum served served = where_served(info, object, wanted, &question->ours);
            if (served == ELSEWHERE || (served == NOWHERE && !question->first)) {
                question->open |= served == NOWHERE;
                return false;
            }
            (void)snprintf(missing->name, sizeof missing->name, "%s", import.name);
            (void)snprintf(missing->version, sizeof missing->version, "%s",
                           import.version ? import.version : "");
            (void)snprintf(missing->object, sizeof missing->object, "%s", info->dlpi_name);
            return true;
        }
    }
    return false;
}

static int check_imports(struct dl_phdr_info *info, size_t size, void *arg) {
    struct question *question = arg;
    question->now = bz_elf_changes(info, size);
    struct bz_elf object = bz_elf_of(info);
    for (const struct bz_wanted *wanted = question->kinds; wanted->mark; wanted++)
        if (!is_alike(&object, wanted) && lacks(info, &object, wanted, question))
            return 2;
    return 0;
}

static int find_us(struct dl_phdr_info *info, size_t size, void *arg) {
    struct question *question = arg;
    bool ours = bz_elf_holds(info, (uintptr_t)question->kinds->us);
    if (ours)
        question->ours = bz_elf_of(info);
    else if (bz_elf_holds(info, (uintptr_t)dl_iterate_phdr))
        question->first = false;
    question->now = bz_elf_changes(info, size);
    return ours || question->now == question->seen;
}

bool bz_os_is_missing(const struct bz_wanted *kinds, uint64_t *seen, struct bz_missing *missing) {
    struct question question = {.kinds = kinds, .missing = missing, .first = true, .seen = *seen};
    *missing = (struct bz_missing){0};
    (void)bz_elf_walk(find_us, &question);
    missing->changed = question.now != *seen;
    int found = missing->changed ? bz_elf_walk(check_imports, &question) : 0;
    *seen = question.open ? *seen : question.now;
    return found == 2;
}
