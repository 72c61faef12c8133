/* threadprivate.c: threadprivate variables of flang, of clang with -fnoopenmp-use-tls, and of icc. */
#include "kmpc.h"

typedef const struct kmpc_ident ident_t;

/* Functions of classes. All get the number of elements as their last argument, which those of one object ignore. The results
 * of constructors are not used. */
typedef void *construct_fn(void *), *copy_fn(void *, void *);
typedef void destroy_fn(void *);
typedef void *construct_all_fn(void *, size_t), *copy_all_fn(void *, void *, size_t);
typedef void destroy_all_fn(void *, size_t);

typedef void any_fn(void);

static void register_kind(void *variable, any_fn *construct, any_fn *copy, any_fn *destroy, size_t count) {
    struct bomp_private_kind kind = {
        (void (*)(void *, size_t))construct,
        (void (*)(void *, void *, size_t))copy,
        (void (*)(void *, size_t))destroy,
        count,
    };
    bomp_private_register(variable, &kind);
}

BOMP_EXPORT void __kmpc_threadprivate_register(ident_t *ident, void *variable, construct_fn *construct,
                                               copy_fn *copy, destroy_fn *destroy) {
    (void)ident;
    register_kind(variable, (any_fn *)construct, (any_fn *)copy, (any_fn *)destroy, 1);
}

BOMP_EXPORT void __kmpc_threadprivate_register_vec(ident_t *ident, void *variable,
                                                   construct_all_fn *construct, copy_all_fn *copy,
                                                   destroy_all_fn *destroy, size_t count) {
    (void)ident;
    register_kind(variable, (any_fn *)construct, (any_fn *)copy, (any_fn *)destroy, count);
}

BOMP_EXPORT void *__kmpc_threadprivate_cached(ident_t *ident, int32_t id, void *variable, size_t size,
                                              void ***cache) {
    (void)ident, (void)id;
    return bomp_private(variable, size, cache);
}

BOMP_EXPORT void *__kmpc_threadprivate(ident_t *ident, int32_t id, void *variable, size_t size) {
    (void)ident, (void)id;
    return bomp_private(variable, size, NULL);
}
