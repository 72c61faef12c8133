/* __kmpc_doacross_*: loops whose iterations wait for each other. The nest comes first; the loop of it that is divided comes
 * through the functions of other loops. */
#include "kmpc.h"

_Static_assert(sizeof(struct bomp_dimension) == sizeof(struct kmpc_dim) &&
                   offsetof(struct bomp_dimension, first) == offsetof(struct kmpc_dim, lower) &&
                   offsetof(struct bomp_dimension, last) == offsetof(struct kmpc_dim, upper) &&
                   offsetof(struct bomp_dimension, step) == offsetof(struct kmpc_dim, step),
               "a dimension is taken as the program says it");

/* LLVM's compilers number each loop from 0 by 1, and pass the number of iterations as its last value. kmp.h says that the
 * last value is inclusive; it may be in code of icc, whose loops may begin and step likewise. */
static bool may_say_ends(uint32_t dimensions, const struct kmpc_dim *nest) {
    bool numbered = true;
    for (uint32_t i = 0; i < dimensions; i++)
        numbered = numbered && nest[i].lower == 0 && nest[i].step == 1;
    return numbered;
}

BOMP_EXPORT void __kmpc_doacross_init(const struct kmpc_ident *where, int32_t id, int32_t dimensions,
                                      const struct kmpc_dim *nest) {
    unsigned count = dimensions > 0 ? (unsigned)dimensions : 0;
    bomp_doacross_begin(count, (const struct bomp_dimension *)nest, may_say_ends(count, nest));
}

BOMP_EXPORT void __kmpc_doacross_wait(const struct kmpc_ident *where, int32_t id, const int64_t *index) {
    bomp_doacross_wait((const uint64_t *)index);
}

BOMP_EXPORT void __kmpc_doacross_post(const struct kmpc_ident *where, int32_t id, const int64_t *index) {
    bomp_doacross_post((const uint64_t *)index);
}
