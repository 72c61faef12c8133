/*
 * lib.c: what happens when libblitz-omp is loaded. A program that was linked with OpenMP has its environment and its
 * CPUs looked at now, before it can change them, as libgomp does. One without, into which we are preloaded all the
 * same, may load OpenMP later, having set its variables by then, or never: its first call will do, and nothing is
 * printed before. Threads are made when the first region needs them.
 *
 * A second OpenMP runtime in the process is no error: every entry point that our tables name resolves to us where we
 * come first, and where we do not, none of ours is called.
 */
#include <dlfcn.h>

#include "icv.h"
#include "omp_decl.h"

__attribute__((constructor)) static void load(void) {
    void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD); /* we, or GCC's, or none */
    if (library == NULL) {
        return;
    }
    const struct bomp_icv *icv = bomp_icv_initial();
    bool is_us = dlsym(library, "omp_get_num_threads") == (void *)(uintptr_t)omp_get_num_threads;
    if (!is_us && icv->bind != BOMP_BIND_FALSE) {
        bz_warn("libgomp is loaded, too, and binds the initial thread to a CPU: put lib/blitz on "
                "LD_LIBRARY_PATH instead "
                "of preloading");
    }
    (void)dlclose(library);
}
