/* linked.c: which threads the library binds, and the programs where it prints messages, when it is loaded
 * (linked.sh). One file for several programs:
 *
 *   without any   a program without OpenMP: opens the libraries in its arguments, and prints how many CPUs its thread and a
 *                 program that it starts may run on
 *   -DUSE         the same, and calls OpenMP's API
 *   -DASKS        the same, and reads a control variable
 *   -DCALLS_LLVM  the same as without OpenMP, but it might call a function of LLVM's runtime
 *   -DREGION      a library with a region that is never opened */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef REGION
int region(void);

int region(void) {
    int members = 0;
#    pragma omp parallel reduction(+ : members)
    members++;
    return members;
}
#else
int omp_get_level(void);
int omp_get_max_threads(void);
void __kmpc_flush(void *);

static int cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!dlopen(argv[i], i % 2 ? RTLD_NOW : RTLD_NOW | RTLD_GLOBAL))
            return 2;
#    ifdef CALLS_LLVM
    if (argc > 100)
        __kmpc_flush(NULL);
#    endif
#    ifdef USE
    if (omp_get_level() != 0)
        return 3;
#    endif
#    ifdef ASKS
    if (omp_get_max_threads() < 1)
        return 3;
#    endif
    printf("%d ", cpus());
    fflush(stdout);
    if (getenv("ALONE")) /* the started program should not preload the library */
        unsetenv("LD_PRELOAD");
    return system("taskset -cp $$ | sed 's/.*: //'") != 0;
}
#endif
