/* image.c: see image.h. Headers are copied out: they need not be aligned. */
#include "tools/source/image.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/base.h"

/* Copies `size` bytes at this place of the file. */
static bool copy(const struct bomp_image *image, uint64_t at, void *to, size_t size) {
    if (at > image->size || size > image->size - at)
        return false;
    memcpy(to, image->bytes + at, size);
    return true;
}

bool bomp_image_section_at(const struct bomp_image *image, uint64_t number, Elf64_Shdr *section) {
    return number < image->section_count &&
           copy(image, image->sections + number * sizeof *section, section, sizeof *section);
}

/* Numbers that do not fit into the file's header are in the first section's. */
static void find_sections(struct bomp_image *image, const Elf64_Ehdr *header) {
    Elf64_Shdr first;
    if (header->e_shoff == 0 || header->e_shoff > image->size || header->e_shentsize != sizeof first)
        return;
    image->sections = header->e_shoff;
    image->section_count = 1;
    if (!bomp_image_section_at(image, 0, &first)) {
        image->section_count = 0;
        return;
    }
    uint64_t most = (image->size - header->e_shoff) / sizeof first;
    uint64_t count = header->e_shnum != 0 ? header->e_shnum : first.sh_size;
    image->section_count = count < most ? count : most;
    image->names = header->e_shstrndx != SHN_XINDEX ? header->e_shstrndx : first.sh_link;
}

bool bomp_image_init(struct bomp_image *image, const void *bytes, size_t size) {
    Elf64_Ehdr header;
    *image = (struct bomp_image){.bytes = bytes, .size = size};
    if (copy(image, 0, &header, sizeof header) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
        header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB) {
        find_sections(image, &header);
        return true;
    }
    *image = (struct bomp_image){0};
    return false;
}

/* All bytes of a file; NULL: it is empty or cannot be read. A reader gets SIGBUS if the file is shortened meanwhile. */
static const void *map(const char *path, size_t *size) {
    struct stat status;
    const void *bytes = MAP_FAILED;
    int held = bz_os_cancel_hold();
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, *size = (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (file >= 0)
        (void)close(file);
    bz_os_cancel_allow(held);
    return bytes != MAP_FAILED ? bytes : NULL;
}

bool bomp_image_open(struct bomp_image *image, const char *path) {
    BZ_KEEP_ERRNO;
    size_t size;
    const void *bytes = map(path, &size);
    *image = (struct bomp_image){0};
    if (!bytes)
        return false;
    if (bomp_image_init(image, bytes, size))
        return true;
    (void)munmap((void *)(uintptr_t)bytes, size);
    return false;
}

void bomp_image_close(struct bomp_image *image) {
    if (image->bytes)
        (void)munmap((void *)(uintptr_t)image->bytes, image->size);
    *image = (struct bomp_image){0};
}

struct bomp_cursor bomp_image_content(const struct bomp_image *image, const Elf64_Shdr *section) {
    struct bomp_cursor nothing = {0};
    if (section->sh_type == SHT_NOBITS || section->sh_flags & SHF_COMPRESSED ||
        section->sh_offset > image->size || section->sh_size > image->size - section->sh_offset)
        return nothing;
    const unsigned char *first = image->bytes + section->sh_offset;
    return (struct bomp_cursor){.at = first, .end = first + section->sh_size};
}

const char *bomp_image_string(struct bomp_cursor strings, uint64_t at) {
    bomp_cursor_skip(&strings, at);
    return bomp_cursor_text(&strings);
}

bool bomp_image_section(const struct bomp_image *image, const char *name, uint32_t type,
                        Elf64_Shdr *section) {
    Elf64_Shdr names = {.sh_type = SHT_NOBITS};
    (void)bomp_image_section_at(image, image->names, &names);
    struct bomp_cursor strings = bomp_image_content(image, &names);
    for (uint64_t i = 1; bomp_image_section_at(image, i, section); i++)
        if (name ? strcmp(bomp_image_string(strings, section->sh_name), name) == 0 : section->sh_type == type)
            return true;
    return false;
}

bool bomp_image_program(const struct bomp_image *image, unsigned number, Elf64_Phdr *program) {
    Elf64_Ehdr header;
    return image->bytes && copy(image, 0, &header, sizeof header) && header.e_phentsize == sizeof *program &&
           number < header.e_phnum && header.e_phoff <= image->size &&
           copy(image, header.e_phoff + number * sizeof *program, program, sizeof *program);
}

/* A note is three numbers, a name and its content, both filled up to 4 bytes. */
size_t bomp_image_build_id(struct bomp_cursor notes, const unsigned char **id) {
    while (bomp_cursor_left(&notes) >= 12) {
        uint64_t name_size = bomp_cursor_number(&notes, 4);
        uint64_t size = bomp_cursor_number(&notes, 4);
        uint64_t type = bomp_cursor_number(&notes, 4);
        const unsigned char *name = bomp_cursor_take(&notes, (name_size + 3) & ~UINT64_C(3));
        const unsigned char *content = bomp_cursor_take(&notes, size);
        if (name && content && type == NT_GNU_BUILD_ID && name_size == 4 && memcmp(name, "GNU", 4) == 0) {
            *id = content;
            return size;
        }
        if (bomp_cursor_left(&notes) >= (-size & 3))
            bomp_cursor_skip(&notes, -size & 3);
    }
    return 0;
}
