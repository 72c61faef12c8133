/*
 * unsupported.c: every GOMP_* function of gomp.def that is not served. It stops the program, so that no call can end up
 * in another OpenMP runtime of the process or give a wrong result. What parameters it is called with does not matter.
 */
#include "bomp.h"

/* clang-format off */
#define STOP(name)                                                                                           \
    BOMP_EXPORT _Noreturn void name(void) __attribute__((cold));                                             \
    _Noreturn void name(void) { bomp_unsupported(#name); }
/* clang-format on */

#define WHEN_full(x)
#define WHEN_part(x)
#define WHEN_host(x)
#define WHEN_stop(x) x
#define GOMP(group, name, node, status) WHEN_##status(STOP(name))
#include "gomp.def"
