/* object.c: see object.h. Finds symbols by the section headers; without these, a file has no symbols. */
#include "run/object.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/say.h"

#define LINE_MAX_OF_SCRIPT 255

/* ---- parts of a file: as a whole, or nothing ---- */

static const void *part(const struct run_object *object, uint64_t at, uint64_t size) {
    return at <= object->size && size <= object->size - at && at % 4 == 0 ? object->bytes + at : NULL;
}

/* Copies, because a header may have any alignment. */
static bool read_part(const struct run_object *object, uint64_t at, void *to, size_t size) {
    bool there = at <= object->size && size <= object->size - at;
    if (there)
        memcpy(to, object->bytes + at, size);
    return there;
}

/* A text that ends before `end`. */
static const char *text_at(const struct run_object *object, uint64_t at, uint64_t end) {
    end = end < object->size ? end : object->size;
    return at < end && memchr(object->bytes + at, '\0', end - at) ? (const char *)object->bytes + at : NULL;
}

/* ---- the kind ---- */

/* The header of this command; defined by the linker. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

static const char *name_of_machine(const Elf64_Ehdr *header) {
    static const struct {
        int machine;
        const char *name;
    } names[] = {{EM_X86_64, "x86-64"},  {EM_386, "32-bit x86"},       {EM_AARCH64, "AArch64"},
                 {EM_ARM, "32-bit ARM"}, {EM_PPC64, "64-bit PowerPC"}, {EM_RISCV, "RISC-V"},
                 {EM_S390, "S/390"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].machine == header->e_machine)
            return header->e_ident[EI_CLASS] == ELFCLASS32 && header->e_machine == EM_X86_64 ? "x32"
                                                                                             : names[i].name;
    return run_text("machine %d", header->e_machine);
}

static bool segment(const struct run_object *object, const Elf64_Ehdr *header, uint32_t type,
                    Elf64_Phdr *found) {
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (read_part(object, header->e_phoff + (uint64_t)i * sizeof *found, found, sizeof *found) &&
            found->p_type == type)
            return true;
    return false;
}

static enum run_kind kind_of_elf(struct run_object *object) {
    const ElfW(Ehdr) *own = &__ehdr_start;
    Elf64_Ehdr header;
    if (!read_part(object, 0, &header, sizeof header))
        return RUN_UNREADABLE;
    if (header.e_machine != own->e_machine || header.e_ident[EI_CLASS] != own->e_ident[EI_CLASS] ||
        header.e_ident[EI_DATA] != own->e_ident[EI_DATA]) {
        object->machine = name_of_machine(&header);
        return RUN_OTHER_MACHINE;
    }
    Elf64_Phdr found;
    if (header.e_phnum == 0 ||
        !read_part(object, header.e_phoff + (header.e_phnum - 1) * sizeof found, &found, sizeof found))
        return RUN_UNREADABLE;
    if (segment(object, &header, PT_INTERP, &found)) {
        object->interpreter = text_at(object, found.p_offset, found.p_offset + found.p_filesz);
        return object->interpreter ? RUN_DYNAMIC : RUN_UNREADABLE;
    }
    if (header.e_type != ET_DYN || !segment(object, &header, PT_DYNAMIC, &found))
        return RUN_STATIC;
    /* A static position-independent program has no SONAME. */
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= found.p_filesz; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        if (!read_part(object, found.p_offset + at, &entry, sizeof entry) || entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_SONAME)
            return RUN_LIBRARY;
    }
    return RUN_STATIC;
}

static enum run_kind kind_of(struct run_object *object) {
    if (object->size >= SELFMAG && memcmp(object->bytes, ELFMAG, SELFMAG) == 0)
        return kind_of_elf(object);
    if (object->size < 2 || memcmp(object->bytes, "#!", 2) != 0)
        return RUN_OTHER;
    size_t length = object->size - 2 < LINE_MAX_OF_SCRIPT ? object->size - 2 : LINE_MAX_OF_SCRIPT;
    const unsigned char *end = memchr(object->bytes + 2, '\n', length);
    length = end ? (size_t)(end - object->bytes - 2) : length;
    object->interpreter = run_text("%.*s", (int)length, (const char *)object->bytes + 2);
    return RUN_SCRIPT;
}

struct run_object run_object_open(const char *path) {
    struct run_object object = {.kind = RUN_UNREADABLE};
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    if (file < 0)
        return object;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode)) {
        object.size = (size_t)about.st_size;
        void *bytes = object.size > 0 ? mmap(NULL, object.size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
        if (bytes != MAP_FAILED) {
            object.bytes = bytes;
            object.kind = kind_of(&object);
        } else if (object.size == 0) {
            object.kind = RUN_OTHER;
        }
    }
    (void)close(file);
    return object;
}

void run_object_close(struct run_object *object) {
    if (object->bytes)
        (void)munmap((void *)(uintptr_t)object->bytes, object->size);
    object->bytes = NULL;
    object->size = 0;
}

/* ---- names ---- */

const char *run_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *run_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return !slash ? "." : slash == path ? "/" : run_text("%.*s", (int)(slash - path), path);
}

bool run_names_have(run_names names, const char *name) {
    for (; *names; names++) {
        size_t length = strlen(*names);
        bool whole = length > 0 && (*names)[length - 1] == ' ';
        if (whole ? strncmp(name, *names, length - 1) == 0 && name[length - 1] == '\0'
                  : strncmp(name, *names, length) == 0)
            return true;
    }
    return false;
}

static bool exports(const struct run_object *object, const char *name);

/* The first name of the list in a symbol table, of imports or of definitions, that `lacking` does not export; NULL:
 * none. */
static const char *table_find(const struct run_object *object, uint32_t type, bool import, run_names names,
                              const struct run_object *lacking) {
    Elf64_Ehdr header;
    Elf64_Shdr table, strings;
    if (!read_part(object, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    for (unsigned i = 0; i < header.e_shnum; i++) {
        if (!read_part(object, header.e_shoff + (uint64_t)i * sizeof table, &table, sizeof table) ||
            table.sh_type != type || table.sh_link >= header.e_shnum ||
            !read_part(object, header.e_shoff + (uint64_t)table.sh_link * sizeof strings, &strings,
                       sizeof strings))
            continue;
        const Elf64_Sym *symbols = part(object, table.sh_offset, table.sh_size);
        for (size_t n = symbols ? table.sh_size / sizeof *symbols : 0; n > 1; n--) {
            const Elf64_Sym *symbol = &symbols[n - 1];
            const char *name = (symbol->st_shndx == SHN_UNDEF) == import && symbol->st_name < strings.sh_size
                                   ? text_at(object, strings.sh_offset + symbol->st_name,
                                             strings.sh_offset + strings.sh_size)
                                   : NULL;
            if (name && run_names_have(names, name) && !(lacking && exports(lacking, name)))
                return name;
        }
    }
    return NULL;
}

static bool exports(const struct run_object *object, const char *name) {
    const char *whole[] = {run_text("%s ", name), NULL};
    return run_object_has(object, whole, false);
}

const char *run_object_lacks(const struct run_object *object, const struct run_object *other,
                             run_names names) {
    return table_find(other, SHT_DYNSYM, true, names, object);
}

bool run_object_imports(const struct run_object *object, run_names names) {
    return table_find(object, SHT_DYNSYM, true, names, NULL);
}

bool run_object_has(const struct run_object *object, run_names names, bool inside) {
    return table_find(object, SHT_DYNSYM, false, names, NULL) ||
           (inside && table_find(object, SHT_SYMTAB, false, names, NULL));
}
