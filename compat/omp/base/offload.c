#include "omp/base/offload.h"

#include "runtime.h"

uintptr_t bomp_offload_function(const char *name) {
    static struct bz_provider library = {.mark =
                                             "__tgt_register_lib"}; /* code for devices is registered by it */
    return (uintptr_t)bz_os_provided(&library, name);
}
