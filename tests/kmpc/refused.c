// beyond libomp: it accepts unknown values
// Flags and kinds that only a later compiler could pass end the program with one message: the entry point and the
// value.
#include "calls.h"

#include <sys/wait.h>

#include "../omp/child.h"

enum { UNKNOWN_KIND = 99 };

static int32_t no_task(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    return 0;
}

static void task_flags(void *arg) {
    task *made = __kmpc_omp_task_alloc(&here, ME, TIED | *(int *)arg, sizeof(task), 0, no_task);
    __kmpc_omp_task(&here, ME, made);
}

static void target_task_flags(void *arg) {
    task *made = __kmpc_omp_target_task_alloc(&here, ME, TIED | *(int *)arg, sizeof(task), 0, no_task, -1);
    __kmpc_omp_task(&here, ME, made);
}

static void dependence_flags(void *arg) {
    dependence one = {(intptr_t)&here, 1, (uint8_t) * (int *)arg};
    task *made = __kmpc_omp_task_alloc(&here, ME, TIED, sizeof(task), 0, no_task);
    __kmpc_omp_task_with_deps(&here, ME, made, 1, &one, 0, NULL);
}

static void waited_flags(void *arg) {
    dependence one = {(intptr_t)&here, 1, (uint8_t) * (int *)arg};
    __kmpc_omp_wait_deps(&here, ME, 1, &one, 0, NULL);
}

static void waited_51_flags(void *arg) {
    dependence one = {(intptr_t)&here, 1, (uint8_t) * (int *)arg};
    __kmpc_omp_taskwait_deps_51(&here, ME, 1, &one, 0, NULL, 0);
}

#define DEFINE_LOOPS(T, ST, n)                                                                               \
    static void static_##n(void *arg) {                                                                      \
        int32_t last = 0;                                                                                    \
        T low = 0, up = 9;                                                                                   \
        ST stride = 1;                                                                                       \
        __kmpc_for_static_init_##n(&here, ME, *(int *)arg, &last, &low, &up, &stride, 1, 1);                 \
    }                                                                                                        \
    static void distribute_##n(void *arg) {                                                                  \
        int32_t last = 0;                                                                                    \
        T low = 0, up = 9, team_up = 9;                                                                      \
        ST stride = 1;                                                                                       \
        __kmpc_dist_for_static_init_##n(&here, ME, *(int *)arg, &last, &low, &up, &team_up, &stride, 1, 1);  \
    }                                                                                                        \
    static void dispatch_##n(void *arg) {                                                                    \
        __kmpc_dispatch_init_##n(&here, ME, *(int *)arg, 0, 9, 1, 1);                                        \
    }
LOOP_WIDTHS(DEFINE_LOOPS)

static void taskloop_kind(void *arg) {
    loop_task *made = (void *)__kmpc_omp_task_alloc(&here, ME, TIED, sizeof *made, 0, no_task);
    made->low = 0;
    made->up = 9;
    made->step = 1;
    __kmpc_taskloop(&here, ME, &made->task, 1, &made->low, &made->up, 1, 1, *(int *)arg, 3, NULL);
}

static void taskloop_modifier(void *arg) {
    loop_task *made = (void *)__kmpc_omp_task_alloc(&here, ME, TIED, sizeof *made, 0, no_task);
    made->low = 0;
    made->up = 9;
    made->step = 1;
    __kmpc_taskloop_5(&here, ME, &made->task, 1, &made->low, &made->up, 1, 1, 1, 3, *(int *)arg, NULL);
}

static void combine(void *into, void *from) {
    *(int *)into += *(int *)from;
}

static void reduction_flags(void *arg) {
    int value = 0;
    task_reduction item = {&value, &value, sizeof value, NULL, NULL, combine, (uint32_t) * (int *)arg};
    __kmpc_taskgroup(&here, ME);
    void *group = __kmpc_taskred_init(ME, 1, &item);
    __kmpc_task_reduction_get_th_data(ME, group, &value);
}

static void second_reduction(void *arg) {
    int values[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        task_reduction item = {&values[i], &values[i], sizeof *values, NULL, NULL, combine, 0};
        if (i == 0 || *(int *)arg)
            __kmpc_taskgroup(&here, ME);
        void *group = __kmpc_taskred_init(ME, 1, &item);
        ++*(int *)__kmpc_task_reduction_get_th_data(ME, group, &values[i]);
    }
    for (int i = *(int *)arg; i >= 0; i--)
        __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(values[0] + values[1], 2);
}

/* From 0 to the maximum: 2^64 - 1 iterations, or 2^64. */
static void long_loop(void *arg) {
    __kmpc_dispatch_init_8u(&here, ME, STATIC, *(int *)arg, UINT64_MAX, 1, 1);
}

static void long_signed_loop(void *arg) {
    __kmpc_dispatch_init_8(&here, ME, DYNAMIC, INT64_MAX, INT64_MIN + *(int *)arg, -1, 1);
}

static void old_reduction_flags(void *arg) {
    int value = 0;
    old_task_reduction item = {&value, sizeof value, NULL, NULL, combine, (uint32_t) * (int *)arg};
    __kmpc_task_reduction_modifier_init(&here, ME, 0, 1, &item);
    __kmpc_task_reduction_modifier_fini(&here, ME, 0);
}

static void cancel_kind(void *arg) {
    __kmpc_cancel(&here, ME, *(int *)arg);
}

/* The loop of the nest determines the thread of an iteration: here there is no loop. */
static void wait_alone(int32_t *gtid, int32_t *btid) {
    dimension one = {0, 9, 1};
    int64_t sink = 3;
    (void)btid;
    __kmpc_doacross_init(&here, *gtid, 1, &one);
    __kmpc_doacross_wait(&here, *gtid, &sink);
}

static void nest_without_loop(void *arg) {
    (void)arg;
    REGION(2, wait_alone, 0);
}

/* Expects status 1 and a single line that contains both texts. */
static void refused(void (*run)(void *), int value, const char *entry, const char *shown) {
    int status = child_run(run, &value, 20);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 1);
    char *end = strchr(child_heard, '\n');
    if (!strstr(child_heard, entry) || !strstr(child_heard, shown) || !end || end[1] != '\0') {
        CHECK(!"one line with both");
        fprintf(stderr, "  %s, %s, but: %s\n", entry, shown, child_heard);
    }
}

static void taken(void (*run)(void *), int value) {
    CHECK_EQ(child_run(run, &value, 20), 0);
    CHECK_EQ(child_heard[0], '\0');
}

int main(void) {
    refused(task_flags, 0x100000, "__kmpc_omp_task_alloc", "100000");
    refused(task_flags, 0x40000000, "__kmpc_omp_task_alloc", "40000000");
    taken(task_flags, FREE_AGENT);
    taken(task_flags, MERGED_IF0);
    refused(target_task_flags, 0x100000, "__kmpc_omp_", "100000");
    refused(dependence_flags, 0x40, "__kmpc_omp_task_with_deps", "40");
    refused(dependence_flags, 0x10, "__kmpc_omp_task_with_deps", "10");
    refused(dependence_flags, 0, "__kmpc_omp_task_with_deps", "0");
    refused(waited_flags, 0x40, "__kmpc_omp_wait_deps", "40");
    refused(waited_51_flags, 0x40, "__kmpc_omp_taskwait_deps_51", "40");
#define REFUSED_LOOPS(T, ST, n)                                                                              \
    refused(static_##n, UNKNOWN_KIND, "__kmpc_for_static_init_" #n, "63");                                   \
    refused(static_##n, DYNAMIC, "__kmpc_for_static_init_" #n, "23");                                        \
    refused(distribute_##n, UNKNOWN_KIND, "__kmpc_dist_for_static_init_" #n, "63");                          \
    refused(dispatch_##n, UNKNOWN_KIND, "__kmpc_dispatch_init_" #n, "63");                                   \
    refused(dispatch_##n, DYNAMIC | 1 << 28, "__kmpc_dispatch_init_" #n, "10000023");                        \
    taken(dispatch_##n, STATIC | NONMONOTONIC);
    LOOP_WIDTHS(REFUSED_LOOPS)
    refused(taskloop_kind, 7, "__kmpc_taskloop", "7");
    refused(taskloop_modifier, 0x40, "__kmpc_taskloop_5", "40");
    taken(taskloop_modifier, 1);
    taken(reduction_flags, 0x1000); /* not all programs set them */
    taken(old_reduction_flags, 0x20);
    taken(old_reduction_flags, 1);
    refused(second_reduction, 0, "second task reduction", "one taskgroup");
    taken(second_reduction, 1);
    refused(long_loop, 0, "__kmpc_dispatch_init_8u", "2^64 iterations");
    taken(long_loop, 1);
    refused(long_signed_loop, 0, "__kmpc_dispatch_init_8", "2^64 iterations");
    taken(long_signed_loop, 1);
    refused(nest_without_loop, 0, "doacross wait", "without a loop");
    refused(cancel_kind, 5, "__kmpc_cancel", "5");
    return check_done("refused");
}
