/* threadprivate.c: threadprivate variables of flang, of clang with -fnoopenmp-use-tls, and of icc. */
#include "kmpc.h"

/* Functions of classes. All get the number of elements as their last argument, which those of one object ignore. The results
 * of constructors are not used. */
typedef void construct_fn(void *, size_t), copy_fn(void *, void *, size_t), destroy_fn(void *, size_t);

BOMP_EXPORT void __kmpc_threadprivate_register_vec(kmpc_loc at, void *variable, construct_fn *construct,
                                                   copy_fn *copy, destroy_fn *destroy, size_t count) {
    const struct bomp_private_kind kind = {construct, copy, destroy, count};
    bomp_private_register(variable, &kind);
}

BOMP_EXPORT void __kmpc_threadprivate_register(kmpc_loc at, void *variable, construct_fn *construct,
                                               copy_fn *copy, destroy_fn *destroy) {
    __kmpc_threadprivate_register_vec(at, variable, construct, copy, destroy, 1);
}

BOMP_EXPORT void *__kmpc_threadprivate_cached(kmpc_loc at, int32_t id, void *variable, size_t size,
                                              void ***cache) {
    return bomp_private(variable, size, cache);
}

BOMP_EXPORT void *__kmpc_threadprivate(kmpc_loc at, int32_t id, void *variable, size_t size) {
    return bomp_private(variable, size, NULL);
}
