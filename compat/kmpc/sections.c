/* __kmpc_*sections*: of Intel's compilers; clang and flang compile sections to a static loop. */
#include "kmpc.h"

/* Their number comes with each `next`. */
BOMP_EXPORT int32_t __kmpc_sections_init(const struct kmpc_ident *where, int32_t id) {
    bomp_sections_begin(INT32_MAX);
    return 1;
}

/* The number of a section, from 0; `count`: there are no more. */
BOMP_EXPORT int32_t __kmpc_next_section(const struct kmpc_ident *where, int32_t id, int32_t count) {
    unsigned section = bomp_sections_next();
    return section != 0 && section <= (unsigned)count ? (int32_t)section - 1 : count;
}
