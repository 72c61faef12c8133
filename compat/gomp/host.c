/* host.c: the error directive. */
#include <stddef.h>

#include "omp/bomp.h"

/* In libgomp's words. */
BOMP_EXPORT void GOMP_warning(const char *message, size_t len) {
    BOMP_NOTIFY_HERE(bomp_tool_error(false, message, len));
    const char *before =
        message ? "\nlibgomp: error directive encountered: " : "\nlibgomp: error directive encountered";
    bomp_error_warning(&(struct bomp_error_text){before, message, len, "\n"});
}

BOMP_EXPORT _Noreturn void GOMP_error(const char *message, size_t len) {
    BOMP_NOTIFY_HERE(bomp_tool_error(true, message, len));
    const char *before = message ? "\nlibgomp: fatal error: error directive encountered: "
                                 : "\nlibgomp: fatal error: error directive encountered";
    bomp_error_fatal(&(struct bomp_error_text){before, message, len, "\n"});
}
