/* program.c: an OpenMP program for the scripts of this folder. It executes its words one after the other; without any
 * it prints the size of a team. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int team_size(void) {
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

/* The library that serves it: in code that is not position-independent, a function's own address would be the program's. */
static const char *server(void) {
    Dl_info info;
    return dladdr(dlsym(RTLD_NEXT, "omp_get_num_threads"), &info) && info.dli_fname ? info.dli_fname : "none";
}

/* Prints the CPUs of its threads, as the system reports them: one line each, in order. */
static int print_cpus(void) {
#pragma omp parallel for ordered schedule(static, 1)
    for (int i = 0; i < omp_get_num_threads(); i++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        sched_getaffinity(0, sizeof set, &set);
#pragma omp ordered
        {
            printf("%d:", i);
            for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
                if (CPU_ISSET(cpu, &set))
                    printf(" %d", cpu);
            puts("");
        }
    }
    return 1;
}

/* Returns the number of words used. */
static int do_word(const char *word, const char *value) {
    int c;
    if (strcmp(word, "team") == 0)
        return printf("%d\n", team_size()) > 0;
    if (strcmp(word, "server") == 0)
        return printf("%s\n", server()) > 0;
    if (strcmp(word, "cpus") == 0)
        return print_cpus();
    if (strcmp(word, "pid") == 0)
        return printf("%ld\n", (long)getpid()) > 0;
    if (strcmp(word, "input") == 0) {
        while ((c = getchar()) != EOF)
            putchar(c);
        return 1;
    }
    if (strcmp(word, "print") == 0)
        printf("%s\n", value);
    if (strcmp(word, "complain") == 0)
        fprintf(stderr, "%s\n", value);
    if (strcmp(word, "exit") == 0)
        exit(atoi(value));
    if (strcmp(word, "raise") == 0)
        raise(atoi(value));
    return 2;
}

int main(int argc, char **argv) {
    if (argc == 1)
        printf("%d\n", team_size());
    for (int i = 1; i < argc;)
        i += do_word(argv[i], i + 1 < argc ? argv[i + 1] : "");
    return 0;
}
