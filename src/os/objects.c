/*
 * objects.c: objects.h on Linux with glibc, for ELF objects of 64 bits. An import is a relocation that refers to a
 * symbol of that name. Most objects do not even have the name among their strings. What an object has itself is found by
 * the hash table of its symbols.
 */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include "os/objects.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* What the dynamic section of an object says. */
struct object {
    const char *strings;
    size_t strings_size;
    const ElfW(Sym) * symbols;
    struct {
        const ElfW(Rela) * first;
        size_t bytes;
    } tables[2];                    /* of the procedure linkage table, and all others */
    const uint32_t *hashes;         /* of its symbols' names */
    size_t soname;                  /* among the strings; 0, which is none, if it has none */
    const ElfW(Dyn) * entries;      /* the section itself */
    const ElfW(Verneed) * versions; /* of what it imports */
    size_t version_files;           /* entries of that */
    const ElfW(Half) * version_of;  /* each symbol */
};

struct search {
    const char *name;
    uint64_t seen;  /* objects loaded before */
    uint64_t loads; /* and now */
    bool found;
};

/* An address of the dynamic section: the linker has relocated it, but for that of an object of the kernel's. */
static const void *address(const struct dl_phdr_info *info, ElfW(Addr) value) {
    return (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

static void read_dynamic(const struct dl_phdr_info *info, const ElfW(Dyn) * entry, struct object *object) {
    object->entries = entry;
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_STRTAB:
            object->strings = address(info, entry->d_un.d_ptr);
            break;
        case DT_STRSZ:
            object->strings_size = entry->d_un.d_val;
            break;
        case DT_SYMTAB:
            object->symbols = address(info, entry->d_un.d_ptr);
            break;
        case DT_GNU_HASH:
            object->hashes = address(info, entry->d_un.d_ptr);
            break;
        case DT_SONAME:
            object->soname = entry->d_un.d_val;
            break;
        case DT_VERNEED:
            object->versions = address(info, entry->d_un.d_ptr);
            break;
        case DT_VERNEEDNUM:
            object->version_files = entry->d_un.d_val;
            break;
        case DT_VERSYM:
            object->version_of = address(info, entry->d_un.d_ptr);
            break;
        case DT_JMPREL:
            object->tables[0].first = address(info, entry->d_un.d_ptr);
            break;
        case DT_PLTRELSZ:
            object->tables[0].bytes = entry->d_un.d_val;
            break;
        case DT_RELA:
            object->tables[1].first = address(info, entry->d_un.d_ptr);
            break;
        case DT_RELASZ:
            object->tables[1].bytes = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
}

static struct object object_of(const struct dl_phdr_info *info) {
    struct object object = {0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            read_dynamic(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &object);
        }
    }
    return object;
}

static bool imports(const struct object *object, const char *name) {
    if (!object->strings || !object->symbols ||
        !memmem(object->strings, object->strings_size, name, strlen(name) + 1)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        const ElfW(Rela) *entry = object->tables[i].first;
        for (size_t n = entry ? object->tables[i].bytes / sizeof *entry : 0; n > 0; n--, entry++) {
            const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(entry->r_info)];
            if (symbol != object->symbols && strcmp(object->strings + symbol->st_name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *arg) {
    struct search *search = arg;
    if (size < offsetof(struct dl_phdr_info, dlpi_subs)) {
        return 1; /* an older C library: it does not count what it loads */
    }
    search->loads = info->dlpi_adds;
    if (search->loads == search->seen) {
        return 1;
    }
    struct object object = object_of(info);
    search->found = imports(&object, search->name);
    return search->found;
}

bool bz_os_imports(const char *name, uint64_t *seen) {
    struct search search = {.name = name, .seen = *seen};
    (void)dl_iterate_phdr(look_at, &search);
    *seen = search.loads;
    return search.found;
}

/* ---- what an object is linked with ---- */

static bool begins(const struct object *object, size_t at, const char *const *names) {
    for (; at < object->strings_size && *names; names++) {
        size_t i = 0;
        while ((*names)[i] != '\0' && object->strings[at + i] == (*names)[i]) {
            i++;
        }
        if ((*names)[i] == '\0') {
            return true;
        }
    }
    return false;
}

static bool needs_library(const struct object *object, const char *const *names) {
    for (const ElfW(Dyn) *entry = object->entries; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_NEEDED && begins(object, entry->d_un.d_val, names)) {
            return true;
        }
    }
    return false;
}

static bool needs_version(const struct object *object, const char *const *names) {
    const char *file = (const char *)object->versions;
    for (size_t files = file ? object->version_files : 0; files > 0; files--) {
        const ElfW(Verneed) *need = (const void *)file;
        const char *version = file + need->vn_aux;
        for (size_t left = need->vn_cnt; left > 0; left--) {
            const ElfW(Vernaux) *aux = (const void *)version;
            if (begins(object, aux->vna_name, names)) {
                return true;
            }
            version += aux->vna_next;
        }
        file += need->vn_next;
    }
    return false;
}

/* What is imported stands before all that the hash table has. An object without such a table is not looked at. */
static bool needs_function(const struct object *object, const char *const *names) {
    uint32_t imports = object->hashes ? object->hashes[1] : 0;
    for (uint32_t i = 1; i < imports; i++) {
        const ElfW(Sym) *symbol = &object->symbols[i];
        if (symbol->st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol->st_info) == STB_GLOBAL &&
            begins(object, symbol->st_name, names) &&
            (!object->version_of || object->version_of[i] <= VER_NDX_GLOBAL)) {
            return true;
        }
    }
    return false;
}

static int look_at_links(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct bz_links *links = arg;
    struct object object = object_of(info);
    (void)size;
    return object.strings && object.symbols &&
           (needs_library(&object, links->libraries) || needs_version(&object, links->versions) ||
            needs_function(&object, links->functions));
}

bool bz_os_is_linked(const struct bz_links *links) {
    return dl_iterate_phdr(look_at_links, (void *)links) != 0;
}

/* ---- what an object has ---- */

struct definition {
    const char *library, *name;
    uintptr_t address; /* 0: not found yet */
};

static uint32_t hash_of(const char *name) {
    uint32_t hash = 5381;
    for (; *name != '\0'; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return hash;
}

/* The symbol of that name that the object defines, by the hash table that GNU's linkers write; NULL: it has none. */
static const ElfW(Sym) * find_symbol(const struct object *object, const char *name) {
    const uint32_t *table = object->hashes;
    uint32_t buckets = table[0], first = table[1], filter = table[2], hash = hash_of(name);
    const uint32_t *bucket = table + 4 + filter * sizeof(ElfW(Addr)) / sizeof *table;
    const uint32_t *chain = bucket + buckets;
    uint32_t at = buckets > 0 ? bucket[hash % buckets] : 0;
    for (bool last = at < first; !last; at++) {
        const ElfW(Sym) *symbol = &object->symbols[at];
        if ((chain[at - first] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            strcmp(object->strings + symbol->st_name, name) == 0) {
            return symbol;
        }
        last = chain[at - first] & 1;
    }
    return NULL;
}

static const char *name_of(const struct object *object) {
    return object->strings && object->soname < object->strings_size ? object->strings + object->soname : "";
}

static int look_for(struct dl_phdr_info *info, size_t size, void *arg) {
    struct definition *wanted = arg;
    struct object object = object_of(info);
    (void)size;
    if (!object.symbols || !object.hashes || strcmp(name_of(&object), wanted->library) != 0) {
        return 0;
    }
    const ElfW(Sym) *symbol = find_symbol(&object, wanted->name);
    wanted->address = symbol ? info->dlpi_addr + symbol->st_value : 0;
    return wanted->address != 0;
}

void *bz_os_defined(const char *library, const char *name) {
    struct definition wanted = {.library = library, .name = name};
    (void)dl_iterate_phdr(look_for, &wanted);
    return (void *)wanted.address;
}

/* ---- which libraries there are ---- */

struct neighbour {
    const char *library;
    uintptr_t us;
};

static bool holds(const struct dl_phdr_info *info, uintptr_t address) {
    bool held = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        held |= part->p_type == PT_LOAD && address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz;
    }
    return held;
}

static int look_beside(struct dl_phdr_info *info, size_t size, void *arg) {
    const struct neighbour *wanted = arg;
    struct object object = object_of(info);
    (void)size;
    return strncmp(name_of(&object), wanted->library, strlen(wanted->library)) == 0 &&
           !holds(info, wanted->us);
}

bool bz_os_is_beside(const char *library, const void *us) {
    struct neighbour wanted = {library, (uintptr_t)us};
    return dl_iterate_phdr(look_beside, &wanted) != 0;
}
