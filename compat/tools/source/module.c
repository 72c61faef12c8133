/* module.c: see module.h. A file counts only if it has the build-id of the loaded object: it may have been replaced. */
#include "tools/source/module.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "tools/common/base.h"

#define PROGRAM "/proc/self/exe"

/* ---- the loaded object ---- */

static void take_build_id(struct bomp_module *module, const unsigned char *notes, size_t size) {
    const unsigned char *id;
    size_t length = bomp_image_build_id((struct bomp_cursor){notes, notes + size, false}, &id);
    if (length == 0 || length > BOMP_BUILD_ID || module->build_id_size > 0)
        return;
    memcpy(module->build_id, id, length);
    module->build_id_size = length;
}

static void add_part(struct bomp_module *module, const ElfW(Phdr) * program) {
    if (module->part_count == BOMP_MODULE_PARTS)
        return;
    unsigned i = module->part_count++;
    module->parts[i].first = module->base + program->p_vaddr;
    module->parts[i].size = program->p_memsz;
    module->parts[i].is_code = program->p_flags & PF_X;
    module->parts[i].is_readable = program->p_flags & PF_R;
}

/* The kernel's own object (vDSO) has no file. It is in memory as a whole: a few pages. */
static void take_memory(struct bomp_module *module) {
    size_t page = bz_os_page_size();
    if (module->base == 0 || getauxval(AT_SYSINFO_EHDR) != module->base || module->part_count == 0)
        return;
    module->in_memory = (const void *)module->base;
    module->in_memory_size = (module->parts[0].size + page - 1) / page * page;
}

/* The program has no name there; the kernel's link leads to its file even if it was moved. */
static void take_path(struct bomp_module *module, const char *name) {
    module->is_program = !name || name[0] == '\0';
    ssize_t length = module->is_program ? readlink(PROGRAM, module->path, sizeof module->path - 1) : 0;
    if (!module->is_program)
        (void)snprintf(module->path, sizeof module->path, "%s", name);
    else
        module->path[length > 0 ? length : 0] = '\0';
}

/* Whether one readable segment contains all of it: notes may not be loaded. */
static bool is_loaded(const struct bomp_module *module, uintptr_t first, size_t size) {
    for (unsigned i = 0; i < module->part_count; i++) {
        uintptr_t before = first - module->parts[i].first;
        if (module->parts[i].is_readable && before < module->parts[i].size &&
            size <= module->parts[i].size - before)
            return true;
    }
    return false;
}

void bomp_module_init(struct bomp_module *module, const struct dl_phdr_info *info) {
    *module = (struct bomp_module){.base = info->dlpi_addr};
    take_path(module, info->dlpi_name);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *program = &info->dlpi_phdr[i];
        if (program->p_type == PT_LOAD)
            add_part(module, program);
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *program = &info->dlpi_phdr[i];
        uintptr_t notes = module->base + program->p_vaddr;
        if (program->p_type == PT_NOTE && is_loaded(module, notes, program->p_memsz))
            take_build_id(module, (const unsigned char *)notes, program->p_memsz);
    }
    take_memory(module);
}

bool bomp_module_holds(const struct bomp_module *module, uintptr_t address, bool is_code) {
    for (unsigned i = 0; i < module->part_count; i++)
        if (address - module->parts[i].first < module->parts[i].size &&
            (module->parts[i].is_code || !is_code))
            return true;
    return false;
}

/* ---- its files ---- */

/* Whether the file has the build-id that the object in memory has, or neither has one. */
static bool is_same(const struct bomp_module *module, const struct bomp_image *image) {
    Elf64_Shdr section;
    const unsigned char *id;
    if (!bomp_image_section(image, ".note.gnu.build-id", 0, &section))
        return module->build_id_size == 0 || image->section_count == 0;
    size_t size = bomp_image_build_id(bomp_image_content(image, &section), &id);
    return size == module->build_id_size && (size == 0 || memcmp(id, module->build_id, size) == 0);
}

static void open_if_same(const struct bomp_module *module, struct bomp_image *image, const char *path) {
    if (bomp_image_open(image, path) && !is_same(module, image))
        bomp_image_close(image);
}

/* /usr/lib/debug/.build-id/ab/cdef...debug */
static void open_debug(struct bomp_module *module) {
    char path[sizeof "/usr/lib/debug/.build-id/" + 2 * BOMP_BUILD_ID + sizeof "/.debug"];
    size_t length = 0;
    if (module->build_id_size < 2)
        return;
    length += (size_t)snprintf(path, sizeof path, "/usr/lib/debug/.build-id/%02x/", module->build_id[0]);
    for (size_t i = 1; i < module->build_id_size; i++)
        length += (size_t)snprintf(path + length, sizeof path - length, "%02x", module->build_id[i]);
    (void)snprintf(path + length, sizeof path - length, ".debug");
    open_if_same(module, &module->debug, path);
}

static void read_symbols(struct bomp_module *module) {
    bomp_symbols_read(&module->symbols, &module->image, SHT_SYMTAB);
    if (module->symbols.count == 0)
        bomp_symbols_read(&module->symbols, &module->debug, SHT_SYMTAB);
    if (module->symbols.count == 0)
        bomp_symbols_read(&module->symbols, &module->image, SHT_DYNSYM);
}

static struct bomp_cursor content(const struct bomp_image *image, const char *name, bool *is_compressed) {
    Elf64_Shdr section;
    if (!bomp_image_section(image, name, 0, &section))
        return (struct bomp_cursor){0};
    *is_compressed |= (section.sh_flags & SHF_COMPRESSED) != 0;
    return bomp_image_content(image, &section);
}

static void read_functions(struct bomp_module *module, const struct bomp_image *image) {
    bool is_compressed = false;
    module->functions = (struct bomp_functions){
        .info = content(image, ".debug_info", &is_compressed),
        .abbrevs = content(image, ".debug_abbrev", &is_compressed),
        .strings = content(image, ".debug_str", &is_compressed),
        .line_strings = content(image, ".debug_line_str", &is_compressed),
        .string_offsets = content(image, ".debug_str_offsets", &is_compressed),
        .addresses = content(image, ".debug_addr", &is_compressed),
        .ranges = content(image, ".debug_ranges", &is_compressed),
        .range_lists = content(image, ".debug_rnglists", &is_compressed),
    };
}

static void read_lines(struct bomp_module *module, const struct bomp_image *image) {
    struct bomp_cursor tables = content(image, ".debug_line", &module->is_compressed);
    struct bomp_cursor strings = content(image, ".debug_str", &module->is_compressed);
    struct bomp_cursor line_strings = content(image, ".debug_line_str", &module->is_compressed);
    bomp_lines_read(&module->lines, tables, strings, line_strings);
}

void bomp_module_read(struct bomp_module *module) {
    if (module->is_read)
        return;
    module->is_read = true;
    if (module->in_memory)
        (void)bomp_image_init(&module->image, module->in_memory, module->in_memory_size);
    else
        open_if_same(module, &module->image, module->is_program ? PROGRAM : module->path);
    open_debug(module);
    read_symbols(module);
    read_lines(module, &module->image);
    bool is_separate = module->lines.count == 0;
    if (is_separate)
        read_lines(module, &module->debug);
    read_functions(module, is_separate ? &module->debug : &module->image);
}

void bomp_module_close(struct bomp_module *module) {
    bomp_symbols_free(&module->symbols);
    bomp_lines_free(&module->lines);
    bomp_image_close(&module->debug);
    if (!module->in_memory)
        bomp_image_close(&module->image);
}
