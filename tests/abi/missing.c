/* missing.c: for missing.sh, which builds programs and libraries from it: PART selects one. All but the program itself
 * are shared libraries. `asked` is a function of a future runtime. -DLLVM_CALLS: of LLVM's runtime. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
int omp_get_num_threads(void), omp_get_thread_num(void);

#define PROGRAM 0
#define LIBRARY 1
#define LLVM 2
#define USER 3
#define COPY 4

#ifdef ASKED
#    ifdef WEAK
__attribute__((weak))
#    endif
int ASKED(void);
#endif

#if PART == PROGRAM
#    include <dlfcn.h>

#    ifdef BARE /* without OpenMP */
#        define GOMP_parallel(run, data, threads, flags) run(data)
#    endif

static void region(void *arg) {
    __atomic_add_fetch((int *)arg, 1, __ATOMIC_RELAXED);
}

int omp_of_the_program(void); /* not of a runtime */
int omp_of_the_program(void) {
    return 5;
}

/* Runs a region, then each named library; one after a + is served by the runtime that it loads first of all, and one
 * after a - is loaded but not called. */
int main(int argc, char **argv) {
    int threads = 0;
    GOMP_parallel(region, &threads, 3, 0);
    printf("%d threads\n", threads);
    fflush(NULL);
#    ifdef ASKED
    if (argc > 10)
        return ASKED();
#    endif
    for (int i = 1; i < argc; i++) {
        bool deep = argv[i][0] == '+';
        bool idle = argv[i][0] == '-';
        void *library = dlopen(argv[i] + (deep || idle), deep ? RTLD_NOW | RTLD_DEEPBIND : RTLD_LAZY);
        void (*run)(void) = library ? (void (*)(void))dlsym(library, "run") : NULL;
        if (!run) {
            printf("%s\n", dlerror());
            return 2;
        }
        if (!idle)
            run();
        GOMP_parallel(region, &threads, 3, 0);
    }
    printf("the end\n");
    return 0;
}

#elif PART == LIBRARY

static void region(void *arg) {
    (void)arg;
}

void GOMP_task(void (*)(void *), void *, void (*)(void *, void *), long, long, bool, unsigned, void **, int,
               void *);
void GOMP_teams_reg(void (*)(void *), void *, unsigned, unsigned, unsigned);
void GOMP_target_ext(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, unsigned, void **,
                     void **);
void GOACC_parallel_keyed(int, void (*)(void *), size_t, void **, size_t *, unsigned short *, ...);
int acc_get_num_devices(int);

/* The library's own region, or its substitute; then the missing function, if the library may use it. */
void run(void);
void run(void) {
#    if defined TASK
    GOMP_task(region, NULL, NULL, 0, 1, true, 0, NULL, 0, NULL);
#    elif defined TEAMS
    GOMP_teams_reg(region, NULL, 1, 0, 0);
#    elif defined TARGET
    GOMP_target_ext(-1, region, 0, NULL, NULL, NULL, 0, NULL, NULL);
#    elif defined ACC
    GOACC_parallel_keyed(-1, region, 0, NULL, NULL, NULL, 0);
#    elif defined ACC_API
    (void)acc_get_num_devices(2);
#    else
    GOMP_parallel(region, NULL, 2, 0);
#    endif
#    ifdef LLVM_CALLS
    (void)omp_get_num_threads();
#    endif
    printf("ran\n");
    fflush(NULL);
#    ifdef USES
    printf("%d\n", ASKED());
    fflush(NULL);
#    elif defined ASKED
    if (getenv("NEVER_SET"))
        exit(ASKED());
#    endif
}

#elif PART == LLVM

/* A runtime of another kind, by its own name: it has GCC's entry points and more. */
int omp_of_llvm(void), ompx_of_llvm(void);
void __kmpc_of_llvm(void);
int omp_of_llvm(void) {
    return 7;
}
int ompx_of_llvm(void) {
    return 8;
}
void __kmpc_of_llvm(void) {
}
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags) {
    (void)fn, (void)data, (void)threads, (void)flags;
    printf("a region of the other runtime\n");
}
int omp_get_num_threads(void) {
    return 0;
}

#elif PART == USER

/* A library of the user, which names its functions as it likes. */
int ASKED(void) {
    return 9;
}

#else

/* A copy of GCC's runtime, or of LLVM's, under another name, of a newer version. */
#    ifdef LLVM_CALLS
#        define OF_THE_FUTURE __kmpc_of_the_future
#        define MARK __kmpc_ok_to_fork
int omp_get_num_threads(void) {
    return 1;
}
#    else
#        define OF_THE_FUTURE GOMP_of_the_future
#        define MARK GOMP_offload_register
#    endif
int OF_THE_FUTURE(void);
int OF_THE_FUTURE(void) {
    return 11;
}
void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads, unsigned flags) {
    (void)threads, (void)flags;
    fn(data);
}
void MARK(void);
void MARK(void) {
}
#endif
