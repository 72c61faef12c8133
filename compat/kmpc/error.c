/* __kmpc_error: the error directive, as in libomp, but for the number of the message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kmpc.h"

/* Puts ";file;function;line;column;;" down as "file:line:column", or "unknown". */
static void put_place(char *to, size_t room, const char *source) {
    const char *field[4];
    int length[4];
    for (int i = 0; i < 4; i++) {
        field[i] = source ? strchr(source, ';') : NULL;
        length[i] = field[i] ? (int)strcspn(++field[i], ";") : 0;
        source = field[i] ? field[i] + length[i] : NULL;
    }
    if (field[3])
        (void)snprintf(to, room, "%.*s:%.*s:%.*s", length[0], field[0], length[2], field[2], length[3],
                       field[3]);
    else
        (void)snprintf(to, room, "unknown");
}

/* message: ends in a null byte; NULL for none. */
BOMP_EXPORT void __kmpc_error(const struct kmpc_ident *at, int severity, const char *message) {
    char place[4096 + 32], before[sizeof place + 64];
    bool fatal = severity == KMPC_SEVERITY_FATAL;
    if (!fatal && severity != KMPC_SEVERITY_WARNING)
        bomp_unknown_bits("__kmpc_error", "severity", (unsigned)severity);
    BOMP_NOTIFY_HERE(bomp_tool_error(fatal, message, message ? strlen(message) : 0));
    put_place(place, sizeof place, at ? at->source : NULL);
    (void)snprintf(before, sizeof before,
                   "OMP: %s: %s: Encountered user-directed %s: ", fatal ? "Error" : "Warning", place,
                   fatal ? "error" : "warning");
    struct bomp_error_text text = {before, message ? message : "(null)", SIZE_MAX, ".\n"};
    bomp_error_warning(&text);
    if (fatal)
        abort();
}
