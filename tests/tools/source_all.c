/* source_all.c: source_all LIBRARY STEP: loads the library, and prints source.h's result for each STEPth byte of its
 * code:
 *
 *   0x<offset> <path>:<line> <function>
 *
 * and then, for each variable named by a further argument, "variable <name> <name as found> <critical>". */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/source/source.h"

static void say(struct bomp_sources *sources, uintptr_t base, uintptr_t address) {
    struct bomp_source source;
    if (!bomp_source_of_code(sources, (const void *)address, &source)) {
        fprintf(stderr, "nothing known of %#lx\n", (unsigned long)(address - base));
        exit(1);
    }
    printf("0x%lx %s:%u %s%s\n", (unsigned long)(address - base), source.path, source.line,
           source.name[0] != '\0' ? source.name : "?", source.is_compressed ? " compressed" : "");
}

static void say_code(struct bomp_sources *sources, const struct link_map *map, size_t step) {
    const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)map->l_addr;
    const ElfW(Phdr) *program = (const ElfW(Phdr) *)(map->l_addr + header->e_phoff);
    for (int i = 0; i < header->e_phnum; i++)
        if (program[i].p_type == PT_LOAD && program[i].p_flags & PF_X)
            for (size_t at = 0; at < program[i].p_memsz; at += step)
                say(sources, map->l_addr, map->l_addr + program[i].p_vaddr + at);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fputs("usage: source_all LIBRARY STEP [VARIABLE...]\n", stderr);
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_LAZY);
    struct link_map *map;
    if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map) != 0) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    struct bomp_sources *sources = bomp_sources_open();
    say_code(sources, map, (size_t)atoi(argv[2]));
    for (int i = 3; i < argc; i++) {
        struct bomp_source source;
        bool found = bomp_source_of_data(sources, dlsym(library, argv[i]), &source);
        printf("variable %s %s %d\n", argv[i], found ? source.name : "?", source.is_critical);
    }
    bomp_sources_close(sources);
    return 0;
}
