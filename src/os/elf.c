/* elf.c: see elf.h. */
#include "os/elf.h"

#include <string.h>

/* An address of the dynamic section: the linker has relocated it, but for that of an object of the kernel's. */
static const void *address(const struct dl_phdr_info *info, ElfW(Addr) value) {
    return (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
}

static void read_dynamic(const struct dl_phdr_info *info, const ElfW(Dyn) * entry, struct bz_elf *object) {
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
        case DT_VERDEF:
            object->defined = address(info, entry->d_un.d_ptr);
            break;
        case DT_VERDEFNUM:
            object->defined_count = entry->d_un.d_val;
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
        case DT_RELACOUNT:
            object->relative = entry->d_un.d_val;
            break;
        case DT_RELASZ:
            object->tables[1].bytes = entry->d_un.d_val;
            break;
        default:
            break;
        }
    }
}

struct bz_elf bz_elf_of(const struct dl_phdr_info *info) {
    struct bz_elf object = {0};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_dynamic(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &object);
    return object;
}

/* A table of nothing says nothing of imports: then they are what relocations refer to. */
size_t bz_elf_end_of_imports(const struct bz_elf *object) {
    const uint32_t *table = object->hashes;
    const uint32_t *bucket = table ? table + 4 + table[2] * (sizeof(ElfW(Addr)) / sizeof *table) : NULL;
    size_t end = 1;
    for (uint32_t i = 0; table && i < table[0]; i++)
        if (bucket[i] != 0)
            return table[1];
    for (int i = 0; table && i < 2; i++) {
        const ElfW(Rela) *entry = object->tables[i].first;
        size_t count = entry ? object->tables[i].bytes / sizeof *entry : 0;
        for (size_t n = i == 1 ? object->relative : 0; n < count; n++) {
            size_t symbol = ELF64_R_SYM(entry[n].r_info);
            end = symbol >= end ? symbol + 1 : end;
        }
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

static uint32_t hash_of(const char *name) {
    uint32_t hash = 5381;
    for (; *name != '\0'; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

const ElfW(Sym) * bz_elf_find(const struct bz_elf *object, const char *name) {
    const uint32_t *table = object->hashes;
    uint32_t buckets = table[0], first = table[1], filter = table[2], hash = hash_of(name);
    const uint32_t *bucket = table + 4 + filter * sizeof(ElfW(Addr)) / sizeof *table;
    const uint32_t *chain = bucket + buckets;
    uint32_t at = buckets > 0 ? bucket[hash % buckets] : 0;
    for (bool last = at < first; !last; at++) {
        const ElfW(Sym) *symbol = &object->symbols[at];
        if ((chain[at - first] | 1) == (hash | 1) && symbol->st_shndx != SHN_UNDEF &&
            strcmp(object->strings + symbol->st_name, name) == 0)
            return symbol;
        last = chain[at - first] & 1;
    }
    return NULL;
}

bool bz_elf_holds(const struct dl_phdr_info *info, uintptr_t address) {
    bool held = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        held |= part->p_type == PT_LOAD && address - (info->dlpi_addr + part->p_vaddr) < part->p_memsz;
    }
    return held;
}
