/* The dynamic section of a loaded ELF object of 64 bits. For the files of objects.h only. */
#ifndef BZ_OS_ELF_H
#define BZ_OS_ELF_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/objects.h"

struct bz_elf {
    const char *strings;
    size_t strings_size;
    const ElfW(Sym) * symbols;
    struct {
        const ElfW(Rela) * first;
        size_t count;
    } relocations[2];       /* of the procedure linkage table; all others that refer to symbols */
    const uint32_t *hashes; /* GNU's hash table */
    size_t soname;          /* among the strings; 0: none */
    const ElfW(Dyn) * entries;
    const ElfW(Verneed) * versions; /* of imports, by file */
    const ElfW(Half) * version_of;  /* each symbol */
    const ElfW(Verdef) * defined;   /* versions of definitions */
};

struct bz_elf bz_elf_of(const struct dl_phdr_info *info);

/* The undefined symbols from 1 to this one are the imports. */
size_t bz_elf_end_of_imports(const struct bz_elf *object);

/* Whether the string at this place among the object's begins with one of the names, which NULL ends. */
bool bz_elf_begins(const struct bz_elf *object, size_t at, const char *const *names);

/* A version of the object's imports: the first that begins with one of the names; or, `names` NULL, that with this index. */
const char *bz_elf_imported_version(const struct bz_elf *object, const char *const *names, unsigned index);

/* The symbol that the object defines with this name; one without a version serves all. `version` NULL: any. */
const ElfW(Sym) * bz_elf_find(const struct bz_elf *object, const char *name, const char *version);

/* In version_of; bit 15 hides a symbol from linkers. */
#define BZ_ELF_VERSION_INDEX 0x7fff

/* Objects loaded and unloaded so far, of a walk's visit; 0: an older C library does not count. */
uint64_t bz_elf_changes(const struct dl_phdr_info *info, size_t size);

bool bz_elf_holds(const struct dl_phdr_info *info, uintptr_t address);

#endif
