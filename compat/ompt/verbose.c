/* What OMP_TOOL_VERBOSE_INIT asks for, in libomp's words, which people and scripts know. */
#include "ompt/ompt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "runtime.h"

/* Where messages go; -1: nowhere. Only the starting thread uses it. */
static int file = -1;

static int open_file(const char *name) {
    if (!*name || strcasecmp(name, "disabled") == 0)
        return -1;
    if (strcasecmp(name, "stdout") == 0)
        return STDOUT_FILENO;
    if (strcasecmp(name, "stderr") == 0)
        return STDERR_FILENO;
    int made = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (made < 0)
        bz_warn_value("OMP_TOOL_VERBOSE_INIT", name, "%s; nothing is logged", strerror(errno));
    return made;
}

void ompt_verbose_open(void) {
    const char *name = bz_os_getenv("OMP_TOOL_VERBOSE_INIT");
    file = name ? open_file(name) : -1;
    ompt_say("----- START LOGGING OF TOOL REGISTRATION -----\n");
}

void ompt_verbose_close(void) {
    ompt_say("----- END LOGGING OF TOOL REGISTRATION -----\n");
    if (file > STDERR_FILENO)
        (void)close(file);
    file = -1;
}

void ompt_say(const char *format, ...) {
    char text[BZ_MESSAGE_MAX + PATH_MAX];
    va_list arguments;
    if (file < 0)
        return;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    if (file == STDOUT_FILENO)
        (void)fflush(stdout); /* what tools print comes between */
    if (write(file, text, size) != (ssize_t)size)
        file = -1;
}
