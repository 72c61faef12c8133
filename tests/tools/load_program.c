/* load_program.c: OpenMP in a program or a library, used in the way that argv says; then whether the tools are loaded. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static int sum;

#ifdef _OPENMP
void work(void);

/* Not inline: clang's code asks for the thread's number where a function begins. */
__attribute__((noinline)) void work(void) {
#    pragma omp parallel num_threads(2)
#    pragma omp atomic
    sum++;
}
#else
static void work(void) {
}
#endif

#ifndef LIBRARY
typedef void parallel(void (*)(void *), void *, unsigned, unsigned);

static void body(void *arg) {
    __atomic_add_fetch((int *)arg, 1, __ATOMIC_RELAXED);
}

static void *load(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        printf("%s\n", dlerror());
    return library ? library : (exit(2), NULL);
}

static void count_tools(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096], last[4096] = "";
    int files = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        const char *path = strchr(line, '/');
        if (path && strstr(path, "/libblitz-tools.so") && strcmp(path, last) != 0) {
            files++;
            strcpy(last, path);
        }
    }
    printf("sum: %d, tools: %d, privileged: %lu\n", sum, files, getauxval(AT_SECURE));
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "chdir") == 0)
        (void)!chdir("/");
    if (strcmp(way, "late") == 0)
        ((void (*)(void))dlsym(load(argv[2]), "work"))();
    work();
    if (strcmp(way, "second") == 0) /* another copy of the runtime */
        ((parallel *)dlsym(load(argv[2]), "GOMP_parallel"))(body, &sum, 2, 0);
    count_tools();
    return 0;
}
#endif
