#include "ompt/verbose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "omp/base/report.h"
#include "runtime.h"

/* Where it is said; -1: nowhere. The looking thread's only. */
static int file = -1;

void ompt_verbose_open(void) {
    const char *value = bz_os_getenv("OMP_TOOL_VERBOSE_INIT");
    if (!value || !*value || strcasecmp(value, "disabled") == 0)
        return;
    if (strcasecmp(value, "stdout") == 0)
        file = STDOUT_FILENO;
    else if (strcasecmp(value, "stderr") == 0)
        file = STDERR_FILENO;
    else if ((file = open(value, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) < 0)
        bz_warn("OMP_TOOL_VERBOSE_INIT: cannot write to \"%s\": %s; nothing is said", value, strerror(errno));
}

void ompt_verbose_close(void) {
    if (file > STDERR_FILENO)
        (void)close(file);
    file = -1;
}

void ompt_say(const char *format, ...) {
    char line[BZ_MESSAGE_MAX] = BOMP_MESSAGE_PREFIX "tool: ";
    const size_t room = sizeof line - 1, prefix = strlen(line);
    va_list arguments;
    if (file < 0)
        return;
    va_start(arguments, format);
    int length = vsnprintf(line + prefix, room - prefix, format, arguments);
    va_end(arguments);
    size_t size = prefix + (length > 0 ? (size_t)length : 0);
    size = size < room ? size : room - 1;
    line[size++] = '\n';
    if (write(file, line, size) != (ssize_t)size)
        file = -1;
}
