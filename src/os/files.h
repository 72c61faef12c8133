/* files.h: small files of the system's as text, in the runtime's own memory: stdio would take malloc's; and whole files as
 * bytes. Part of the contract of os.h, whose conventions hold here. */
#ifndef BZ_OS_FILES_H
#define BZ_OS_FILES_H

#include <stddef.h>

/* The text that printf would write, to be freed by bz_free; NULL: no memory. */
__attribute__((format(printf, 1, 2))) char *bz_os_format(const char *format, ...);

/* All that the file has, up to a null byte if there is one, to be freed by bz_free; NULL: it cannot be read. The path is
 * made as by printf. Cost: some system calls. */
__attribute__((format(printf, 1, 2))) char *bz_os_read(const char *format, ...);

/* All bytes of a file, to be read until bz_os_unmap_file; NULL: it cannot be read, or has none. Whoever shortens the file
 * meanwhile has the reader end by SIGBUS. Cost: some system calls, and a fault for each page that is looked at. */
const void *bz_os_map_file(const char *path, size_t *size);
void bz_os_unmap_file(const void *bytes, size_t size);

/* The path of the file that is mapped at an address, without links and from the root, to be freed by bz_free; NULL: there
 * is none, or the system does not say. Cost: some system calls. */
char *bz_os_mapped_file(const void *address);

/* Ends the line that `text` begins with, in place. Returns the text behind it; NULL: there is none. */
char *bz_os_cut_line(char *text);

#endif
