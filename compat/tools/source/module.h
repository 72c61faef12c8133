/* module.h: a loaded object, and the information of its files about its addresses. Files are read at the first request for
 * an address of the object. */
#ifndef BOMP_MODULE_H
#define BOMP_MODULE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source/functions.h"
#include "tools/source/image.h"
#include "tools/source/lines.h"
#include "tools/source/symbols.h"

/* Parts of an object that are loaded one by one; more of them are not read. */
#define BOMP_MODULE_PARTS 8

/* The longest build-id that is known: 20 bytes are usual. */
#define BOMP_BUILD_ID 64

struct bomp_module {
    char path[4096]; /* of its file, for people */
    bool is_program;
    uintptr_t base; /* what is added to the addresses of its file */
    struct {
        uintptr_t first;
        size_t size;
        bool is_code, is_readable;
    } parts[BOMP_MODULE_PARTS];
    unsigned part_count;
    unsigned char build_id[BOMP_BUILD_ID];
    size_t build_id_size;  /* 0: none */
    const void *in_memory; /* the whole file, if the kernel mapped it itself; else NULL */
    size_t in_memory_size;
    bool is_read;                   /* what follows is filled in */
    bool is_compressed;             /* its line table, in a way that is not known here */
    struct bomp_image image, debug; /* its file, and the separate one with what a debugger wants */
    struct bomp_symbols symbols;
    struct bomp_lines lines;
    struct bomp_functions functions;
};

/* What is known of the object without its file. */
void bomp_module_init(struct bomp_module *module, const struct dl_phdr_info *info);

/* Whether the address lies in it, in code if that is asked. */
bool bomp_module_holds(const struct bomp_module *module, uintptr_t address, bool is_code);

/* Reads its files, the first time. */
void bomp_module_read(struct bomp_module *module);
void bomp_module_close(struct bomp_module *module);

#endif
