/*
 * lib.c: what happens when libblitz-omp is loaded. Only what has to be known before the program can change it: the
 * environment and the CPUs that the process was given. Threads are made when the first region needs them. Libraries
 * that are initialised before this one and use OpenMP then find the same done by their first call.
 *
 * A second OpenMP runtime in the process is no error: every entry point that our tables name resolves to us where we
 * come first, and where we do not, none of ours is called.
 */
#include <dlfcn.h>

#include "icv.h"
#include "omp_decl.h"

/* Whether a libgomp.so.1 that is not us is in the process, as it is beside a preloaded libblitz-omp. */
static bool libgomp_is_here(void) {
    void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) {
        return false;
    }
    void *theirs = dlsym(library, "omp_get_num_threads");
    (void)dlclose(library);
    return theirs != (void *)(uintptr_t)omp_get_num_threads;
}

__attribute__((constructor)) static void load(void) {
    const struct bomp_icv *icv = bomp_icv_initial();
    if (icv->bind != BOMP_BIND_FALSE && libgomp_is_here()) {
        bz_warn("libgomp is loaded, too, and binds the initial thread to a CPU: put lib/blitz on "
                "LD_LIBRARY_PATH instead "
                "of preloading");
    }
}
