/*
 * lib.c: what happens when libblitz-omp is loaded. Only what has to be known before the program can change it: the
 * environment and the CPUs that the process was given. Threads are made when the first region needs them.
 *
 * A second OpenMP runtime in the process is no error: every entry point that our tables name resolves to us where we
 * come first, and where we do not, none of ours is called.
 */
#include "icv.h"

/* Earlier than the constructors of C++ objects, which may open parallel regions. A library that is initialised before
 * this one finds the same done by its first call. */
__attribute__((constructor(101))) static void load(void) {
    (void)bomp_icv_initial();
}
