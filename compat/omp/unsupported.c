/*
 * unsupported.c: every omp_* function of api.def that is not served. It stops the program, so that no call can end
 * up in another OpenMP runtime of the process or give a wrong result. What parameters it is called with does not
 * matter.
 */
#include "export.h"
#include "report.h"

/* clang-format off */
#define STOP(name)                                                                                           \
    BOMP_EXPORT _Noreturn void name(void) __attribute__((cold));                                             \
    _Noreturn void name(void) { bomp_unsupported(#name); }
#define STOP_C(name) STOP(name)
#define STOP_C_F(name) STOP(name) STOP(name##_)
#define STOP_C_F_F8(name) STOP(name) STOP(name##_) STOP(name##_8_)
/* clang-format on */

#define WHEN_full(x)
#define WHEN_part(x)
#define WHEN_host(x)
#define WHEN_stop(x) x
#define OMP(group, name, node, status, shape, languages) WHEN_##status(STOP_##languages(name))
#define OMP_OLD(name, node)
#include "api.def"
