/* late.c: a library with OpenMP that prints the library serving it; with LOADS, a program without OpenMP that loads
 * it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#ifdef LOADS
int main(int argc, char **argv) {
    void *library = dlopen(argv[argc - 1], RTLD_NOW);
    void (*say)(void) = library ? (void (*)(void))dlsym(library, "say_server") : NULL;
    if (say)
        say();
    return !say;
}
#else
#    include <omp.h>

void say_server(void) {
    Dl_info info;
    int size = 0;
#    pragma omp parallel num_threads(2)
#    pragma omp atomic
    size++;
    if (size == 2 && dladdr((void *)(size_t)omp_get_num_threads, &info))
        printf("%s\n", info.dli_fname);
}
#endif
