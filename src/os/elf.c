#include "os/elf.h"

#include <string.h>

/* A value of the dynamic section as an address: the loader has relocated it, except in objects of the kernel. */
static const void *address(const struct dl_phdr_info *info, ElfW(Addr) value) {
    return value == 0 ? NULL : (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

static struct bz_elf read_dynamic(const struct dl_phdr_info *info, const ElfW(Dyn) * entries) {
    ElfW(Addr) at[DT_NUM] = {0}, of_version[DT_VERSIONTAGNUM] = {0}, hashes = 0;
    for (const ElfW(Dyn) *entry = entries; entry->d_tag != DT_NULL; entry++) {
        size_t tag = (size_t)entry->d_tag;
        if (tag < DT_NUM)
            at[tag] = entry->d_un.d_ptr;
        else if (tag == DT_GNU_HASH)
            hashes = entry->d_un.d_ptr;
        else if (DT_VERSIONTAGIDX(tag) < DT_VERSIONTAGNUM)
            of_version[DT_VERSIONTAGIDX(tag)] = entry->d_un.d_ptr;
    }
#define VERSION(tag) of_version[DT_VERSIONTAGIDX(tag)]
    const ElfW(Rela) *jumps = address(info, at[DT_JMPREL]), *others = address(info, at[DT_RELA]);
    size_t count = others ? at[DT_RELASZ] / sizeof *others : 0;
    size_t relative =
        VERSION(DT_RELACOUNT) < count ? VERSION(DT_RELACOUNT) : count; /* first; without a symbol */
    return (struct bz_elf){
        .strings = address(info, at[DT_STRTAB]),
        .strings_size = at[DT_STRTAB] != 0 ? at[DT_STRSZ] : 0,
        .symbols = address(info, at[DT_SYMTAB]),
        .relocations = {{jumps, jumps ? at[DT_PLTRELSZ] / sizeof *jumps : 0},
                        {others ? others + relative : NULL, count - relative}},
        .hashes = address(info, hashes),
        .soname = at[DT_SONAME],
        .entries = entries,
        .versions = address(info, VERSION(DT_VERNEED)),
        .version_of = address(info, VERSION(DT_VERSYM)),
        .defined = address(info, VERSION(DT_VERDEF)),
    };
#undef VERSION
}

struct bz_elf bz_elf_of(const struct dl_phdr_info *info) {
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return read_dynamic(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    return (struct bz_elf){0};
}

/* GNU's hash table: the numbers of buckets, of symbols before the first hashed one, and of words of a filter; one more; the
 * filter, the buckets, and a chain of hashes. */
static const uint32_t *buckets_of(const uint32_t *table) {
    return table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table);
}

size_t bz_elf_end_of_imports(const struct bz_elf *object) {
    const uint32_t *table = object->hashes;
    size_t end = 0;
    if (!object->strings || !object->symbols)
        return 0;
    for (uint32_t i = 0; table && i < table[0]; i++)
        if (buckets_of(table)[i] != 0)
            return table[1];
    for (int i = 0; i < 2; i++)
        for (size_t n = 0; n < object->relocations[i].count; n++) {
            size_t symbol = ELF64_R_SYM(object->relocations[i].first[n].r_info);
            end = symbol >= end ? symbol + 1 : end;
        }
    return end;
}

bool bz_elf_begins(const struct bz_elf *object, size_t at, const char *const *names) {
    for (; at < object->strings_size && *names; names++) {
        size_t i = 0;
        while ((*names)[i] != '\0' && object->strings[at + i] == (*names)[i])
            i++;
        if ((*names)[i] == '\0')
            return true;
    }
    return false;
}

/* The part of a table of versions that lies so far behind another one; 0: none. */
static const void *after(const void *part, size_t bytes) {
    return bytes != 0 ? (const char *)part + bytes : NULL;
}

const char *bz_elf_imported_version(const struct bz_elf *object, const char *const *names, unsigned index) {
    for (const ElfW(Verneed) *file = object->versions; file; file = after(file, file->vn_next))
        for (const ElfW(Vernaux) *at = after(file, file->vn_aux); at; at = after(at, at->vna_next))
            if (names ? bz_elf_begins(object, at->vna_name, names)
                      : (at->vna_other & BZ_ELF_VERSION_INDEX) == index)
                return object->strings + at->vna_name;
    return NULL;
}

/* The name of the version of a definition; NULL: none. */
static const char *defined_version(const struct bz_elf *object, unsigned index) {
    const ElfW(Verdef) *at = index > VER_NDX_GLOBAL ? object->defined : NULL;
    while (at && at->vd_ndx != index)
        at = after(at, at->vd_next);
    const ElfW(Verdaux) *name = at ? after(at, at->vd_aux) : NULL;
    return name ? object->strings + name->vda_name : NULL;
}

static bool serves(const struct bz_elf *object, size_t symbol, const char *version) {
    const char *own = version && object->version_of
                          ? defined_version(object, object->version_of[symbol] & BZ_ELF_VERSION_INDEX)
                          : NULL;
    return !own || strcmp(own, version) == 0;
}

static uint32_t hash_of(const char *name) {
    uint32_t hash = 5381;
    for (; *name != '\0'; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Versions of one name follow each other in its chain. */
const ElfW(Sym) * bz_elf_find(const struct bz_elf *object, const char *name, const char *version) {
    const uint32_t *table = object->hashes;
    if (!table || !object->symbols || !object->strings || table[0] == 0)
        return NULL;
    uint32_t first = table[1], hash = hash_of(name), at = buckets_of(table)[hash % table[0]];
    const uint32_t *chain = buckets_of(table) + table[0];
    for (bool last = at < first; !last; at++) {
        const ElfW(Sym) *symbol = &object->symbols[at];
        if ((chain[at - first] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            strcmp(object->strings + symbol->st_name, name) == 0 && serves(object, at, version))
            return symbol;
        last = chain[at - first] & 1;
    }
    return NULL;
}

uint64_t bz_elf_changes(const struct dl_phdr_info *info, size_t size) {
    return size > offsetof(struct dl_phdr_info, dlpi_subs) ? info->dlpi_adds + info->dlpi_subs : 0;
}

bool bz_elf_holds(const struct dl_phdr_info *info, uintptr_t address) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}
