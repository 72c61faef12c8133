/*
 * lib.c: what happens when libblitz-omp is loaded. A program that was linked with OpenMP has its environment and its
 * CPUs looked at now, before it can change them, as libgomp does, and the thread that runs it is bound if that is asked
 * for. One without, into which we are preloaded all the same, may load OpenMP later, having set its variables by then, or
 * never: its first call will do, and nothing is printed before. Threads are made when the first region needs them.
 *
 * A second OpenMP runtime in the process is no error: every entry point that our tables name resolves to us where we
 * come first, and where we do not, none of ours is called.
 */
#include <dlfcn.h>

#include "affinity.h"
#include "icv.h"
#include "runtime.h"

__attribute__((constructor)) static void load(void) {
    bz_host_watch_main();
    void *library = dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD); /* we, or GCC's, or none */
    if (library == NULL) {
        return;
    }
    (void)dlclose(library);
    (void)bomp_icv_initial();
    bomp_affinity_load();
}
