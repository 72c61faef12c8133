/* Functions that glibc has had only since it was 2.17, for libraries that run with older ones (cmake/old_libc.cmake): seen
 * by nobody outside of the library that they are linked into. */
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
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

/* 2.27 */
OWN int memfd_create(const char *name, unsigned flags) {
    return (int)syscall(SYS_memfd_create, name, flags);
}

/* 2.32. Before, the text is in the language of the program. */
OWN const char *strerrordesc_np(int error) {
    const char *(*newer)(int) = (const char *(*)(int))dlsym(RTLD_NEXT, "strerrordesc_np");
    return newer ? newer(error) : strerror(error);
}
