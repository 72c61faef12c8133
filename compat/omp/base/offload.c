#include "omp/base/offload.h"

#include "runtime.h"

uintptr_t bomp_offload_function(const char *name) {
    static struct bz_a64 none;                                           /* of bz_os_provided; any thread */
    return (uintptr_t)bz_os_provided("__tgt_register_lib", name, &none); /* registers code for devices */
}
