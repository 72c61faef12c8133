// late.c: a program without OpenMP that sets variables and then loads a library with OpenMP, as an interpreter does
// with its extensions. late.sh builds both from this file: the library with -DLIBRARY. Prints how the first region of
// all is bound, the number of threads, and the CPUs of the program's thread: before OpenMP is loaded, with it, and
// after a region.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <sched.h>

static int cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

#ifdef LIBRARY
#    include <omp.h>

int threads(void);
int cpus_inside(void);
int bind_inside(void);

/* Bound as its clause says, even if it is the program's first use of OpenMP. */
int bind_inside(void) {
    int inside = 0;
#    pragma omp parallel num_threads(2) proc_bind(spread)
#    pragma omp master
    inside = omp_get_proc_bind();
    return inside;
}

/* The CPUs of a region's first thread. */
int cpus_inside(void) {
    int inside = 0;
#    pragma omp parallel num_threads(2)
#    pragma omp master
    inside = cpus();
    return inside;
}

int threads(void) {
    return omp_get_max_threads();
}
#else
#    include <dlfcn.h>
#    include <stdio.h>
#    include <stdlib.h>

int main(int argc, char **argv) {
    int before = cpus();
    setenv("OMP_NUM_THREADS", "5", 1);
    setenv("OMP_PROC_BIND", "true", 1);
    setenv("OMP_PLACES", "threads", 1);
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*threads)(void) = library != NULL ? (int (*)(void))dlsym(library, "threads") : NULL;
    int (*cpus_inside)(void) = library != NULL ? (int (*)(void))dlsym(library, "cpus_inside") : NULL;
    int (*bind_inside)(void) = library != NULL ? (int (*)(void))dlsym(library, "bind_inside") : NULL;
    if (threads == NULL || cpus_inside == NULL || bind_inside == NULL) {
        printf("usage: late LIBRARY\n");
        return 2;
    }
    int bind = bind_inside(), count = threads(), loaded = cpus(), inside = cpus_inside(), after = cpus();
    printf("bind %d, %d threads, %d %d %d %d\n", bind, count, before, loaded, inside, after);
    return 0;
}
#endif
