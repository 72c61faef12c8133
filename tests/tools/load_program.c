/* load_program.c: OpenMP in a program or a library, used as argv selects; then prints whether the tools are loaded. */
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

/* Not inlined: clang's code reads the thread's number at the start of a function. */
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

/* The CPUs of the thread with that name, once they equal `wanted`, or after ten seconds. */
static void show_cpus(const char *name, const char *wanted) {
    char command[512];
    fflush(stdout);
    snprintf(command, sizeof command,
             "cd /proc/%d/task; for try in $(seq 100); do "
             "cpus=$(sed -n 's/Cpus_allowed_list:.//p' $(grep -lx %s */comm | sed 's/comm/status/')); "
             "[ \"$cpus\" = %s ] && break; sleep 0.1; done; echo \"$cpus\"",
             (int)getpid(), name, wanted);
    (void)!system(command);
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
    if (strcmp(way, "cpus") == 0)
        show_cpus(argv[2], argv[3]);
    count_tools();
    return 0;
}
#endif
