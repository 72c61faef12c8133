/* Small files of the system as text, which bz_free frees. os.h's conventions hold. */
#ifndef BZ_OS_FILES_H
#define BZ_OS_FILES_H

#include <stdint.h>

__attribute__((format(printf, 1, 2))) char *bz_os_format(const char *format, ...);

/* A file up to its first null byte; NULL: it cannot be read. The path is made as by printf. */
__attribute__((format(printf, 1, 2))) char *bz_os_read(const char *format, ...);

/* The absolute path, without links, of the file that is mapped at an address; NULL: none, or unknown. */
char *bz_os_mapped_file(const void *address);

/* Ends the first line of `text` in place. Returns the text after it, or NULL. */
char *bz_os_cut_line(char *text);

/* The decimal number that begins the text, ended by a blank, a newline or the end; 0 for other text, and NULL. */
uint64_t bz_os_number(const char *text);

#endif
