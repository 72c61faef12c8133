/* image.h: an ELF file of 64 bits as bytes in memory, which may be damaged in any way. */
#ifndef BOMP_IMAGE_H
#define BOMP_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/source/cursor.h"

struct bomp_image {
    const unsigned char *bytes; /* NULL: none */
    size_t size;
    uint64_t sections; /* offset of their headers */
    uint64_t section_count;
    uint64_t names; /* the section with the names of sections */
};

/* False: not such a file. */
bool bomp_image_init(struct bomp_image *image, const void *bytes, size_t size);

/* Maps a file, until bomp_image_close. False: not readable. */
bool bomp_image_open(struct bomp_image *image, const char *path);
void bomp_image_close(struct bomp_image *image);

/* A section of that name, or of that type if the name is NULL. False: not found. */
bool bomp_image_section(const struct bomp_image *image, const char *name, uint32_t type, Elf64_Shdr *section);
bool bomp_image_section_at(const struct bomp_image *image, uint64_t number, Elf64_Shdr *section);

/* Its content; empty if it is compressed, or not inside the file. */
struct bomp_cursor bomp_image_content(const struct bomp_image *image, const Elf64_Shdr *section);

/* The n-th program header. */
bool bomp_image_program(const struct bomp_image *image, unsigned number, Elf64_Phdr *program);

/* The string at an offset of a section of strings; "": none. */
const char *bomp_image_string(struct bomp_cursor strings, uint64_t at);

/* The GNU build-id among notes; its size, or 0. */
size_t bomp_image_build_id(struct bomp_cursor notes, const unsigned char **id);

#endif
