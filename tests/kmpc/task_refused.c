// beyond libomp: it accepts unknown values, and numbers tasks differently
// Flags of tasks and kinds of dependences that no compiler passes end the program with one message, and so does a lack
// of memory. Also the numbers of tasks, which differ under libomp.
#include "calls.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include "../omp/child.h"

uint64_t __kmpc_get_taskid(void), __kmpc_get_parent_taskid(void);

static int32_t nothing(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    return 0;
}

static void bad_flags(void *arg) {
    __kmpc_omp_task_alloc(&here, ME, TIED | *(int *)arg, sizeof(task), 0, nothing);
}

static void bad_kind(void *arg) {
    int place = 0;
    dependence list[2] = {{(intptr_t)&place, 4, IN}, {(intptr_t)&place, 4, (uint8_t) * (int *)arg}};
    task *made = __kmpc_omp_task_alloc(&here, ME, TIED, sizeof *made, 0, nothing);
    __kmpc_omp_task_with_deps(&here, ME, made, 2, list, 0, NULL);
}

static void bad_wait(void *arg) {
    int place = 0;
    dependence list = {(intptr_t)&place, 4, (uint8_t) * (int *)arg};
    __kmpc_omp_wait_deps(&here, ME, 1, &list, 0, NULL);
}

static void too_large(void *arg) {
    struct rlimit limit = {(rlim_t)1 << 32, (rlim_t)1 << 32};
    size_t size = (size_t) * (int *)arg << 30;
    CHECK_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    __kmpc_omp_task_alloc(&here, ME, TIED, sizeof(task) + size, size, nothing);
}

static void sum(void *into, void *from) {
    *(int *)into += *(int *)from;
}

static void bad_count(void *arg) {
    int value = 0;
    task_reduction item = {&value, &value, sizeof value, NULL, NULL, sum, 0};
    __kmpc_taskgroup(&here, ME);
    __kmpc_taskred_init(ME, *(int *)arg, &item);
}

/* A predefined allocator of a later omp.h. */
static void bad_allocator(void *arg) {
    __kmpc_alloc(ME, 64, (void *)(intptr_t) * (int *)arg);
}

/* The environment has not been read yet. */
static void first_call(void *arg) {
    __kmpc_fork_call(&here, *(int *)arg, (microtask *)nothing);
}

static void refused(void (*run)(void *), int arg, const char *words) {
    int got = child_run(run, &arg, 20);
    CHECK(WIFEXITED(got));
    CHECK_EQ(WEXITSTATUS(got), 1);
    if (!strstr(child_heard, words) || strchr(child_heard, '\n') != child_heard + strlen(child_heard) - 1) {
        CHECK(!"the words");
        fprintf(stderr, "  %s\n  not in: %s", words, child_heard);
    }
}

/* ---- numbers ---- */

static uint64_t numbers[3];

static int32_t say(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    numbers[0] = __kmpc_get_taskid();
    numbers[1] = __kmpc_get_parent_taskid();
    return 0;
}

static void ids(int32_t *gtid, int32_t *btid) {
    (void)btid;
    uint64_t mine = __kmpc_get_taskid();
    CHECK(mine != 0);
    CHECK_EQ(__kmpc_get_parent_taskid(), 0);
    for (int i = 0; i < 2; i++) {
        task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof *made, 0, say);
        if (i == 0) {
            __kmpc_omp_task(&here, *gtid, made);
            __kmpc_omp_taskwait(&here, *gtid);
        } else {
            __kmpc_omp_task_begin_if0(&here, *gtid, made);
            say(*gtid, made);
            __kmpc_omp_task_complete_if0(&here, *gtid, made);
        }
        CHECK_EQ(numbers[1], mine);
        CHECK(numbers[0] != mine && numbers[0] != 0);
        CHECK_EQ(__kmpc_get_taskid(), mine);
    }
}

int main(void) {
    refused(bad_flags, 0x200, "__kmpc_omp_task_alloc: flags 0x200 not known");
    refused(bad_flags, 1 << 30, "__kmpc_omp_task_alloc: flags 0x40000000 not known");
    refused(bad_kind, 0x10, "__kmpc_omp_task_with_deps: kind of dependence 0x10 not known");
    refused(bad_kind, 0, "__kmpc_omp_task_with_deps: kind of dependence 0x0 not known");
    refused(bad_wait, 0x40, "__kmpc_omp_wait_deps: kind of dependence 0x40 not known");
    refused(bad_count, -1, "libblitz-omp: __kmpc_taskred_init: -1 variables; must be 0 to");
    refused(bad_allocator, 57, "libblitz-omp: an allocator: predefined handle 0x39 not known");
    refused(bad_allocator, 4095, "libblitz-omp: an allocator: predefined handle 0xfff not known");
    refused(first_call, -1, "libblitz-omp: __kmpc_fork_call: -1 arguments; must be 0 to 256");
    refused(too_large, 3, "memory");
    refused(too_large, 5, "memory");
    REGION(1, ids, 0);
    return check_done("task_refused");
}
