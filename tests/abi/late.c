// late.c: a program without OpenMP that sets a variable and then loads a library with OpenMP, as an interpreter does
// with its extensions. late.sh makes both of this file: the library with -DLIBRARY.
#ifdef LIBRARY
#    include <omp.h>

int threads(void);

int threads(void) {
    return omp_get_max_threads();
}
#else
#    include <dlfcn.h>
#    include <stdio.h>
#    include <stdlib.h>

int main(int argc, char **argv) {
    setenv("OMP_NUM_THREADS", "5", 1);
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*threads)(void) = library != NULL ? (int (*)(void))dlsym(library, "threads") : NULL;
    if (threads == NULL) {
        printf("usage: late LIBRARY\n");
        return 2;
    }
    printf("%d\n", threads());
    return 0;
}
#endif
