/* __kmpc_error: the error directive. */
#include "kmpc.h"

BOMP_EXPORT void __kmpc_error(const struct kmpc_ident *, int, const char *);

/* message: ends in a null byte; NULL for none. */
void __kmpc_error(const struct kmpc_ident *at, int severity, const char *message) {
    (void)at;
    if (severity == KMPC_SEVERITY_WARNING)
        bomp_error_warning(message, SIZE_MAX);
    else if (severity == KMPC_SEVERITY_FATAL)
        bomp_error_fatal(message, SIZE_MAX);
    else
        bomp_unknown_bits("__kmpc_error", "severity", (unsigned)severity);
}
