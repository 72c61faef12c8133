/* plugin.c: a shared library with OpenMP, for the programs of this folder. REGION(n) and its like are built in several
 * ways:
 *
 *   without any    GCC's calls; the linked library decides which runtime serves them
 *   -DKMPC         the calls of LLVM's runtime, as in clang's code
 *   -DAT_EXIT      also uses OpenMP when it is loaded and unloaded, and prints that */
#include <dlfcn.h>
#include <stdio.h>

int omp_get_thread_num(void);
int omp_get_max_threads(void);
void omp_set_num_threads(int);

/* A region of n threads: 1000 for each of them, and one bit for each of their numbers. */
int plugin_region(int n);
/* 1 for each region of this library that the calling thread was in, while the library stays loaded. */
int plugin_rounds(void);
int plugin_max_threads(void);
void plugin_set_threads(int n);
/* The files that define the function that starts regions, and omp_get_thread_num. */
const char *plugin_served_by(void);
const char *plugin_asks(void);

static __thread int rounds;

static const char *file_of(void *function) {
    Dl_info info;
    return dladdr(function, &info) ? info.dli_fname : "none";
}

#ifdef KMPC
static const struct {
    int reserved1, flags, reserved2, reserved3;
    const char *source;
} here = {0, 2, 0, 0, ";plugin;plugin;0;0;;"};

int __kmpc_global_thread_num(const void *);
void __kmpc_push_num_threads(const void *, int, int);
void __kmpc_fork_call(const void *, int, void (*)(int *, int *, ...), ...);

static void body(int *global, int *bound, ...) {
    __builtin_va_list args;
    (void)global;
    __builtin_va_start(args, bound);
    int *sum = __builtin_va_arg(args, int *);
    __builtin_va_end(args);
    rounds++;
    __atomic_fetch_add(sum, 1000 + (1 << omp_get_thread_num()), __ATOMIC_RELAXED);
}

int plugin_region(int n) {
    int sum = 0;
    __kmpc_push_num_threads(&here, __kmpc_global_thread_num(&here), n);
    __kmpc_fork_call(&here, 1, (void (*)(int *, int *, ...))body, &sum);
    return sum;
}

const char *plugin_served_by(void) {
    return file_of((void *)__kmpc_fork_call);
}
#else
void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);

int plugin_region(int n) {
    int sum = 0, tasks = 0;
#    pragma omp parallel num_threads(n) reduction(+ : sum)
    {
        rounds++;
        sum += 1000 + (1 << omp_get_thread_num());
#    pragma omp for schedule(dynamic)
        for (int i = 0; i < 20; i++) {
#    pragma omp task shared(tasks)
#    pragma omp atomic
            tasks++;
        }
    }
    return tasks == 20 ? sum : -1;
}

const char *plugin_served_by(void) {
    return file_of((void *)GOMP_parallel);
}
#endif

const char *plugin_asks(void) {
    return file_of((void *)omp_get_thread_num);
}

int plugin_rounds(void) {
    return rounds;
}

int plugin_max_threads(void) {
    return omp_get_max_threads();
}

void plugin_set_threads(int n) {
    omp_set_num_threads(n);
}

#ifdef AT_EXIT
__attribute__((constructor)) static void loaded(void) {
    printf("loaded: %d\n", plugin_region(3));
    fflush(stdout);
}

__attribute__((destructor)) static void unloaded(void) {
    printf("unloaded: %d\n", plugin_region(3));
    fflush(stdout);
}
#endif
