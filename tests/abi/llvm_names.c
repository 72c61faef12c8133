/* llvm_names.c: for llvm_names.sh, which builds a program and plugins from it by clang. Each prints whether its region
 * is right, and which file serves it. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __kmpc_fork_call(void *, int, void (*)(int *, int *, ...), ...);
int omp_get_num_threads(void), omp_get_thread_num(void);

static const char *name_of(void *function) {
    static char path[PATH_MAX];
    Dl_info info;
    if (!dladdr(function, &info) || !realpath(info.dli_fname, path))
        return "none";
    return strrchr(path, '/') + 1;
}

/* A region of three threads with a loop and tasks. */
static int is_right(void) {
    int sum = 0, tasks = 0, threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp for
        for (int i = 1; i <= 1000; i++)
            sum += i;
#pragma omp single
        threads = omp_get_num_threads();
        for (int i = 0; i < 5; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
    }
    return sum == 500500 && tasks == 15 && threads == 3;
}

void use(const char *name);

void use(const char *name) {
    printf("%s: %s, ", name, is_right() ? "right" : "wrong");
    printf("served by %s, ", name_of((void *)__kmpc_fork_call));
    printf("asks %s\n", name_of((void *)omp_get_thread_num));
    fflush(stdout);
}

#ifndef PLUGIN
/* Opens and uses each plugin; after a + with RTLD_DEEPBIND, after a = in a namespace of its own. */
int main(int argc, char **argv) {
    use("program");
    for (int i = 1; i < argc; i++) {
        char how = argv[i][0];
        const char *path = argv[i] + 1;
        void *plugin = how == '=' ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW)
                                  : dlopen(path, how == '+' ? RTLD_NOW | RTLD_DEEPBIND : RTLD_NOW);
        void (*run)(const char *) = plugin ? (void (*)(const char *))dlsym(plugin, "use") : NULL;
        if (!run) {
            printf("%s\n", dlerror());
            return 2;
        }
        run(strrchr(path, '/') + 1);
    }
    return 0;
}
#endif
