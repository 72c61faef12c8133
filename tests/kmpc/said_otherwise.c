// Forms that LLVM's runtime accepts although compilers do not emit them, as in its own tests: all memory named by an
// address, tasks without a function, an invalid alignment, schedules by other names, and late settings.
// env: OMP_SCHEDULE=static OMP_WAIT_POLICY=active
// env: OMP_SCHEDULE=static,3 OMP_WAIT_POLICY=passive
// env: OMP_SCHEDULE=trapezoidal,5
// env: OMP_SCHEDULE=static_steal
// env: OMP_SCHEDULE=guided
// threads: 2
#include "calls.h"

void *kmp_aligned_malloc(size_t size, size_t align);
void kmp_free(void *);
void kmp_set_defaults(const char *);
int kmp_get_blocktime(void);
int __kmpc_get_target_offload(void);

static int done;

static int32_t after(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    CHECK_EQ(count_read(&done), 2);
    count_up(&done);
    return 0;
}

static void tasks(int32_t *gtid, int32_t *btid) {
    int a, b;
    if (*btid == 0) {
        done = 0;
#pragma omp task depend(in : a)
        count_up(&done);
#pragma omp task depend(in : b)
        count_up(&done);
        dependence all = {-1, 0, 2}, one = {(intptr_t)&a, 0, IN};
        task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof *made, 0, after);
        __kmpc_omp_task_with_deps(&here, *gtid, made, 1, &all, 0, NULL);
        task *nothing = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof *nothing, 0, NULL);
        __kmpc_omp_task_with_deps(&here, *gtid, nothing, 1, &one, 0, NULL);
#pragma omp task depend(inout : a)
        count_up(&done);
    }
    __kmpc_barrier(&here, *gtid);
    CHECK_EQ(done, 4);
}

int main(void) {
    omp_sched_t kind;
    int chunk, sum = 0;
    omp_get_schedule(&kind, &chunk);
    printf("schedule %d, %d\n", (int)kind, chunk);
    if (kind == omp_sched_static) /* the policy is printed as well */
        printf("blocktime %d\n", kmp_get_blocktime());
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
    for (int i = 0; i < 50; i++)
        REGION(1 + i % 4, tasks, 0);
    CHECK(kmp_aligned_malloc(10, 127) == NULL);
    void *block = kmp_aligned_malloc(10, 128);
    CHECK((uintptr_t)block % 128 == 0);
    kmp_free(block);
    kmp_set_defaults("OMP_TARGET_OFFLOAD=Disabled");
    CHECK_EQ(__kmpc_get_target_offload(), 0);
    kmp_set_defaults("OMP_TARGET_OFFLOAD=default");
    CHECK_EQ(__kmpc_get_target_offload(), 1);
    return check_done("said_otherwise");
}
