// Requests to LLVM's runtime beyond OpenMP: stacks, waiting, the kind of library, sets of CPUs; from C and from
// Fortran.
#ifndef _GNU_SOURCE
#    define _GNU_SOURCE
#endif
#include <limits.h>
#include <sched.h>

#include "calls.h"

void kmp_set_stacksize_(const int *), kmp_set_stacksize_s_(const size_t *), kmp_set_blocktime_(const int *);
void kmp_set_library_(const int *), kmp_set_defaults_(const char *, size_t), kmpc_set_defaults(const char *);
int kmp_get_stacksize_(void), kmp_get_blocktime_(void), kmp_get_library_(void);
void kmpc_set_stacksize(int), kmpc_set_stacksize_s(size_t), kmpc_set_blocktime(int), kmpc_set_library(int);
int kmp_get_num_known_threads(void), kmp_get_cancellation_status(int);
int kmp_set_affinity_mask_proc_(const int *, kmp_affinity_mask_t *);
int kmpc_get_affinity_mask_proc(int, kmp_affinity_mask_t *);
void kmp_set_thread_affinity_mask_initial(void);
void ompc_set_num_threads(int), ompc_set_schedule(omp_sched_t, int), ompc_set_dynamic(int);
int ompc_get_team_size(int), ompc_get_ancestor_thread_num(int);

static int team(void) {
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

static void waiting(void) {
    CHECK(kmp_get_blocktime() == 200 ||
          kmp_get_blocktime() == 0); /* 0: libomp's result, with more threads than CPUs */
    for (int ms = 0; ms <= 2; ms++) {
        kmp_set_blocktime(ms);
        CHECK_EQ(kmp_get_blocktime(), ms);
        CHECK(team() >= 1);
    }
    kmp_set_blocktime(-5);
    CHECK_EQ(kmp_get_blocktime(), 0);
    kmp_set_blocktime(INT_MAX);
    CHECK(kmp_get_blocktime_() >= INT_MAX / 1000); /* the maximum */
    kmpc_set_blocktime(1);
    CHECK_EQ(kmp_get_blocktime(), 1);
}

/* Needs more than the default stack. */
static int deep(int frames) {
    volatile char frame[4096];
    frame[frames % 4096] = 1;
    return frames > 0 ? deep(frames - 1) + frame[frames % 4096] : 0;
}

static void stacks(void) {
    int from_fortran = 48 << 20, frames = 0;
    CHECK(kmp_get_stacksize() > 0 && (size_t)kmp_get_stacksize() == kmp_get_stacksize_s());
    kmp_set_stacksize_(&from_fortran);
    CHECK_EQ(kmp_get_stacksize_(), from_fortran);
#pragma omp parallel num_threads(2) reduction(max : frames)
    if (omp_get_thread_num() == 1)
        frames = deep(10000);
    CHECK(frames == 10000 || frames == 0);
}

static void libraries(void) {
    int turnaround = 2;
    CHECK_EQ(kmp_get_library(), 3);
    kmp_set_library_(&turnaround);
    CHECK_EQ(kmp_get_library(), 2);
    kmp_set_library_serial();
    CHECK_EQ(kmp_get_library_(), 1);
    CHECK_EQ(team(), 1);
    kmp_set_library_throughput();
    CHECK_EQ(kmp_get_library(), 3);
    kmpc_set_library(3);
    kmp_set_disp_num_buffers(8);
    kmp_set_warnings_off();
    kmp_set_warnings_on();
    CHECK(kmp_get_num_known_threads() >= 1);
    CHECK_EQ(kmp_get_cancellation_status(1), 0);
}

static void cpus(void) {
    kmp_affinity_mask_t mask, now;
    cpu_set_t before, after;
    int cpu = 0, count = kmp_get_affinity_max_proc();
    CHECK(count >= omp_get_num_procs());
    CHECK_EQ(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    kmp_create_affinity_mask(&mask);
    kmp_create_affinity_mask(&now);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_set_affinity_mask_proc_(&cpu, &mask), 0);
    CHECK_EQ(kmpc_get_affinity_mask_proc(cpu, &mask), 1);
    CHECK_EQ(kmp_unset_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &mask), 0);
    CHECK(kmp_set_affinity_mask_proc(-1, &mask) < 0);
    CHECK(kmp_set_affinity_mask_proc(count, &mask) < 0);
    CHECK_EQ(kmp_set_affinity_mask_proc(cpu, &mask), 0);
    CHECK_EQ(kmp_set_affinity(&mask), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    CHECK(CPU_ISSET(cpu, &after) && CPU_COUNT(&after) == 1);
    CHECK_EQ(kmp_get_affinity(&now), 0);
    CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &now), 1);
    kmp_set_thread_affinity_mask_initial();
    CHECK_EQ(sched_getaffinity(0, sizeof after, &after), 0);
    CHECK(CPU_EQUAL(&before, &after));
    kmp_destroy_affinity_mask(&mask);
    kmp_destroy_affinity_mask(&now);
}

/* Several at once, as in the environment. */
static void defaults(void) {
    static const char fortran[] = "KMP_BLOCKTIME=7|OMP_NUM_THREADS=2   ";
    kmp_set_defaults("OMP_NUM_THREADS=3|KMP_BLOCKTIME=9");
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(kmp_get_blocktime(), 9);
    CHECK(team() <= 3);
    kmp_set_defaults_(fortran, sizeof fortran - 4);
    CHECK_EQ(omp_get_max_threads(), 2);
    CHECK_EQ(kmp_get_blocktime(), 7);
    kmpc_set_defaults("OMP_NUM_THREADS=4");
    CHECK_EQ(omp_get_max_threads(), 4);
}

/* C names that Fortran's bindings and omp.h use. */
static void bindings(void) {
    char text[100];
    omp_sched_t kind;
    int chunk;
    ompc_set_num_threads(3);
    CHECK_EQ(omp_get_max_threads(), 3);
    ompc_set_schedule(omp_sched_guided, 7);
    omp_get_schedule(&kind, &chunk);
    CHECK(kind == omp_sched_guided && chunk == 7);
    ompc_set_dynamic(0);
    CHECK_EQ(omp_get_dynamic(), 0);
    CHECK_EQ(ompc_get_team_size(0), 1);
    CHECK_EQ(ompc_get_ancestor_thread_num(0), 0);
    omp_set_affinity_format("<%n>");
    CHECK(omp_get_affinity_format(text, sizeof text) == 4 && strcmp(text, "<%n>") == 0);
    CHECK(omp_capture_affinity(text, sizeof text, NULL) == 3 && strcmp(text, "<0>") == 0);
}

int main(void) {
    stacks();
    waiting();
    libraries();
    cpus();
    bindings();
    defaults();
    return check_done("settings");
}
