// Entry points that hardly any compiled program calls: scopes of newer compilers, leagues with flang's bounds, limits
// of a target region, strict lists of sizes, tasks in parts by their old name, and settings of the process.
#include "parted.h"

void __kmpc_pop_num_threads(ident_t *, int32_t);
void __kmpc_push_num_threads_list_strict(ident_t *, int32_t, uint32_t count, int32_t *list, int32_t severity,
                                         const char *message);
void kmp_set_library(int), kmp_set_library_turnaround(void), kmp_set_library_throughput(void);
int kmp_get_library(void), kmp_get_stacksize(void);
void kmp_set_stacksize(int), kmp_set_stacksize_s(size_t);
size_t kmp_get_stacksize_s(void);

enum { TURNAROUND = 2, THROUGHPUT = 3 };

static void scope(int32_t *gtid, int32_t *btid) {
    int before = omp_get_num_threads();
    (void)btid;
    for (int i = 0; i < 20; i++) {
        __kmpc_scope(&here, *gtid, NULL);
        CHECK_EQ(omp_get_num_threads(), before);
        __kmpc_end_scope(&here, *gtid, NULL);
    }
    __kmpc_barrier(&here, *gtid);
    CHECK(__kmpc_global_num_threads(&here) >= before);
}

static int teams, threads_most;

static void team(int32_t *gtid, int32_t *btid) {
    (void)gtid, (void)btid;
    CHECK_EQ(omp_get_level(), 0);
    CHECK(omp_get_num_teams() >= 2 && omp_get_num_teams() <= 3);
    count_up(&teams);
#pragma omp parallel
#pragma omp master
    {
        CHECK(omp_get_num_threads() <= 2);
#pragma omp atomic
        threads_most += omp_get_num_threads();
    }
}

static void leagues(void) {
    __kmpc_push_num_teams_51(&here, ME, 2, 3, 2);
    __kmpc_fork_teams(&here, 0, (microtask *)team);
    CHECK(teams >= 2 && teams <= 3);
    CHECK(threads_most <= 2 * teams);
}

static int size;

static void say_size(int32_t *gtid, int32_t *btid) {
    (void)gtid;
    if (*btid == 0)
        size = omp_get_num_threads();
}

static void limits(void) {
    int32_t list[2] = {2, 1};
    __kmpc_push_num_threads_list_strict(&here, ME, 2, list, 1, "no word of this is said");
    __kmpc_fork_call(&here, 0, (microtask *)say_size);
    CHECK_EQ(size, 2);
    __kmpc_push_num_threads(&here, ME, 3);
    __kmpc_fork_call(&here, 0, (microtask *)say_size);
    __kmpc_pop_num_threads(&here, ME);
    CHECK_EQ(size, 3);
#pragma omp target thread_limit(2)
    {
        CHECK_EQ(omp_get_thread_limit(), 2);
#pragma omp parallel num_threads(4)
        CHECK(omp_get_num_threads() <= 2);
    }
}

static void in_parts(int32_t *gtid, int32_t *btid) {
    static int counter;
    (void)btid;
#pragma omp master
    counter = 0;
    __kmpc_barrier(&here, *gtid);
    for (int parts = 0; parts < 4; parts++)
        __kmpc_omp_task_parts(&here, *gtid, &new_parted(*gtid, 0, parts, &counter)->task);
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(counter, 10 * omp_get_num_threads()); /* a task of n parts counts n + 1 */
}

static void settings(void) {
    kmp_set_library(TURNAROUND);
    CHECK_EQ(kmp_get_library(), TURNAROUND);
    kmp_set_library_throughput();
    CHECK_EQ(kmp_get_library(), THROUGHPUT);
    kmp_set_library_turnaround();
    CHECK_EQ(kmp_get_library(), TURNAROUND);
    kmp_set_library_throughput();
    REGION(3, scope, 0);
}

static void stacks(void) {
    kmp_set_stacksize(3 << 20);
    CHECK_EQ(kmp_get_stacksize(), 3 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), 3 << 20);
    kmp_set_stacksize_s(5 << 20);
    CHECK_EQ(kmp_get_stacksize_s(), 5 << 20);
}

int main(void) {
    omp_set_dynamic(0);
    stacks(); /* before there are threads */
    for (int threads = 1; threads <= 4; threads++) {
        REGION(threads, scope, 0);
        REGION(threads, in_parts, 0);
    }
    leagues();
    limits();
    settings();
    return check_done("rarely");
}
