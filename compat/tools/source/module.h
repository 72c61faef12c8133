/* module.h: a loaded object, and information about its addresses from its files, which are read at the first request. */
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

/* Limit of loaded segments of an object. */
#define BOMP_MODULE_PARTS 8

/* Limit of build-ids; 20 bytes are usual. */
#define BOMP_BUILD_ID 64

struct bomp_module {
    char path[4096]; /* of its file, for reports */
    bool is_program;
    uintptr_t base; /* added to the addresses of its file */
    struct {
        uintptr_t first;
        size_t size;
        bool is_code, is_readable;
    } parts[BOMP_MODULE_PARTS];
    unsigned part_count;
    unsigned char build_id[BOMP_BUILD_ID];
    size_t build_id_size;  /* 0: none */
    const void *in_memory; /* the whole file, if it is the kernel's own; else NULL */
    size_t in_memory_size;
    bool is_read;                   /* the fields below are filled in */
    bool is_compressed;             /* its line table, which is not read then */
    struct bomp_image image, debug; /* its file, and its separate debug file */
    struct bomp_symbols symbols;
    struct bomp_lines lines;
    struct bomp_functions functions;
};

/* Without reading its file. */
void bomp_module_init(struct bomp_module *module, const struct dl_phdr_info *info);

/* Whether the object contains the address; with is_code, in its code. */
bool bomp_module_holds(const struct bomp_module *module, uintptr_t address, bool is_code);

/* Reads its files, the first time. */
void bomp_module_read(struct bomp_module *module);
void bomp_module_close(struct bomp_module *module);

#endif
