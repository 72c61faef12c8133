// Setting a control variable binds no thread, and neither do most queries: threads that the program creates afterwards
// are unbound. A thread's first region binds it for good; the initial thread is still unbound then.
// env: OMP_PROC_BIND=close OMP_PLACES=threads
// threads: 2
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif

#include <pthread.h>
#include <sched.h>

#include "check.h"

static int cpus(void) {
    cpu_set_t mask;
    CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    return CPU_COUNT(&mask);
}

static void region(void) {
    int bound = 0;
#pragma omp parallel num_threads(2) reduction(+ : bound)
    bound += cpus() == 1;
    CHECK_EQ(bound, 2);
}

static void *other(void *unused) {
    region();
    CHECK_EQ(cpus(), 1);
    return unused;
}

int main(void) {
    int all = cpus();
    pthread_t thread;
    omp_set_dynamic(0);
    omp_set_num_threads(2);
    omp_set_schedule(omp_sched_dynamic, 2);
    CHECK_EQ(cpus(), all);
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
    CHECK(omp_get_dynamic() == 0 && omp_get_max_active_levels() >= 1 && omp_get_thread_limit() >= 1);
    CHECK_EQ(cpus(), all);
    CHECK_EQ(pthread_create(&thread, NULL, other, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    CHECK_EQ(cpus(), all);
    region();
    CHECK_EQ(cpus(), 1);
    return check_done("affinity_roots");
}
