/* elf.h: what an object that is loaded says of itself: an ELF object of 64 bits, as dl_iterate_phdr() of glibc shows it. For
 * the files of objects.h alone. */
#ifndef BZ_OS_ELF_H
#define BZ_OS_ELF_H

#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/objects.h"

/* What the dynamic section of an object says. */
struct bz_elf {
    const char *strings;
    size_t strings_size;
    const ElfW(Sym) * symbols;
    struct {
        const ElfW(Rela) * first;
        size_t bytes;
    } tables[2];                    /* of the procedure linkage table, and all others */
    size_t relative;                /* of the others, those at the beginning that refer to no symbol */
    const uint32_t *hashes;         /* of its symbols' names */
    size_t soname;                  /* among the strings; 0, which is none, if it has none */
    const ElfW(Dyn) * entries;      /* the section itself */
    const ElfW(Verneed) * versions; /* of what it imports */
    size_t version_files;           /* entries of that */
    const ElfW(Half) * version_of;  /* each symbol */
    const ElfW(Verdef) * defined;   /* versions of what it has */
    size_t defined_count;
};

struct bz_elf bz_elf_of(const struct dl_phdr_info *info);

/* Imports are the symbols before this one, but for the first, as far as they are not defined: what the object has itself
 * stands behind. 1: there are none, or there is no hash table. */
size_t bz_elf_end_of_imports(const struct bz_elf *object);

/* Whether the string at this place among the object's begins with one of the names, which end with NULL. */
bool bz_elf_begins(const struct bz_elf *object, size_t at, const char *const *names);

/* The symbol of that name that the object defines, by the hash table that GNU's linkers write, which it has; NULL: it has
 * none. Those of other versions follow it in the chain of the table. */
const ElfW(Sym) * bz_elf_find(const struct bz_elf *object, const char *name);

/* Whether the address is in the object. */
bool bz_elf_holds(const struct dl_phdr_info *info, uintptr_t address);

#endif
