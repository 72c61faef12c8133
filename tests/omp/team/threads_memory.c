// beyond libomp: its threads use malloc
// flags: -rdynamic
// threads: 4
// env: OMP_CANCELLATION=true OMP_MAX_TASK_PRIORITY=5 OMP_MAX_ACTIVE_LEVELS=4
// env: OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=4 OMP_PROC_BIND=true OMP_DISPLAY_AFFINITY=true
// beyond libgomp: its threads use malloc
// The runtime's threads never call malloc or free: the C library would keep 64 MiB of address space for each that did.
// The C library's own calls when it creates a thread, and omp_alloc for the program, do not count.
#define _GNU_SOURCE
#include "../check.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "../../sanitized.h"
#include "../constructs.h"

static int uses;              /* by threads of the runtime */
static __thread int creating; /* this thread creates another; the C library needs memory for that */

__attribute__((unused)) static void note(void) {
    if (gettid() != getpid() && !creating)
        __atomic_fetch_add(&uses, 1, __ATOMIC_RELAXED);
}

#if !SANITIZED

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t align, size_t size);
void __libc_free(void *block);

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    note();
    return __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
    note();
    return __libc_realloc(block, size);
}
void *memalign(size_t align, size_t size) {
    note();
    return __libc_memalign(align, size);
}
void *aligned_alloc(size_t align, size_t size) {
    note();
    return __libc_memalign(align, size);
}
int posix_memalign(void **block, size_t align, size_t size) {
    note();
    *block = __libc_memalign(align, size);
    return *block ? 0 : ENOMEM;
}
void free(void *block) {
    if (block)
        note();
    __libc_free(block);
}

#    define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #    name))

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*main)(void *), void *arg) {
    creating++;
    int error = REAL(pthread_create)(thread, attr, main, arg);
    creating--;
    return error;
}
int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size, const cpu_set_t *set) {
    creating++;
    int error = REAL(pthread_attr_setaffinity_np)(attr, size, set);
    creating--;
    return error;
}
int pthread_attr_destroy(pthread_attr_t *attr) {
    creating++;
    int error = REAL(pthread_attr_destroy)(attr);
    creating--;
    return error;
}

#endif

static void ask(void) {
    char text[200];
    omp_lock_t lock;
    int64_t old_lock = 0; /* Fortran's: points to a lock */
    extern void omp_init_nest_lock_(void *), omp_destroy_nest_lock_(void *);
    CHECK(omp_get_num_procs() > 0 && omp_get_max_threads() > 0 && omp_get_wtime() > 0);
    CHECK(omp_get_affinity_format(text, sizeof text) < sizeof text);
    CHECK(omp_capture_affinity(text, sizeof text, NULL) < sizeof text);
    omp_display_affinity("");
    omp_init_lock(&lock);
    omp_destroy_lock(&lock);
    omp_init_nest_lock_(&old_lock);
    omp_destroy_nest_lock_(&old_lock);
    CHECK(omp_get_num_places() >= 0 && omp_get_place_num() >= -1);
}

/* Other team sizes, and threads whose masks differ from the process's. */
static void sizes(void) {
    cpu_set_t before, one;
    sched_getaffinity(0, sizeof before, &before);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &before)) {
            CPU_ZERO(&one);
            CPU_SET(cpu, &one);
            sched_setaffinity(0, sizeof one, &one);
            break;
        }
    ask();
    sched_setaffinity(0, sizeof before, &before);
    ask();
}

/* Tasks with more addresses and arguments than any block has room for. */
static void many_dependences(void) {
    static int at[3000];
    int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(iterator(int k = 0 : 3000), mutexinoutset : at[k])
        sum++;
#pragma omp task depend(iterator(int k = 0 : 3000), in : at[k])
        at[i]++;
    }
    CHECK_EQ(sum, 20);
}

static void by_one(void (*body)(void)) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
        body();
}

int main(void) {
    everything();
    many_dependences();
    by_one(sizes);
    for (int i = 0; i < 3; i++) {
        by_one(everything);
        by_one(many_dependences);
    }
#ifdef __clang__ /* its depend objects, and the compiler's own nodes of blocks, are the program's */
    uses -= 3 * 4;
#endif
    CHECK_EQ(uses, 0);
    return check_done("threads_memory");
}
