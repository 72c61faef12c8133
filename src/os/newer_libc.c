/* Hidden definitions of functions that glibc added after 2.17, for libraries that run with older ones
 * (cmake/old_libc.cmake). */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN __attribute__((visibility("hidden")))

/* 2.33. The kernel's struct stat is the C library's, where longs have 64 bits. */

OWN int fstat(int file, struct stat *status) {
    return (int)syscall(SYS_fstat, file, status);
}

OWN int stat(const char *restrict path, struct stat *restrict status) {
    return (int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0);
}

/* 2.38: its headers use these for strtol and others. Binary numbers, which they also read, do not occur here. */
#define NEWER(type, name)                                                                                    \
    type old_##name(const char *text, char **end, int base) __asm__(#name);                                  \
    OWN type __isoc23_##name(const char *text, char **end, int base);                                        \
    OWN type __isoc23_##name(const char *text, char **end, int base) {                                       \
        return old_##name(text, end, base);                                                                  \
    }
NEWER(long, strtol) NEWER(unsigned long, strtoul) NEWER(unsigned long long, strtoull)
