/* files.c: see files.h. */
#include "run/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/say.h"

static int above_standard(int file) {
    if (file < 0 || file > STDERR_FILENO)
        return file;
    int other = fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    (void)close(file);
    return other;
}

static int checked(int file) {
    file = above_standard(file);
    if (file < 0)
        run_fail(RUN_FAILED, "cannot create a temporary file: %s", strerror(errno));
    return file;
}

int run_memory_file(void) {
    return checked((int)syscall(SYS_memfd_create, "blitz-run", MFD_CLOEXEC));
}

int run_nameless_file(void) {
    const char *folder = getenv("TMPDIR");
    int file = open(folder && *folder ? folder : "/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return file < 0 ? run_memory_file() : checked(file);
}
