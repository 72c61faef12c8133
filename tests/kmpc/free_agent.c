// threads: 1 2 8
// repeat: 5
// beyond libomp: it misreads the bit as its hidden helper tasks' one
// Tasks with threadset(omp_pool), as clang 22 marks them, which free agent threads may run; in a team that has all
// threads, and in taskloops: they are tasks of the team. Each runs once, and each kind of wait for tasks waits for
// them. Also transparent ones, as clang 23 marks them.
#include "calls.h"

enum { COUNT = 100 };

typedef struct {
    task task;
    int *ran, *after;
} agent;

static int32_t run(int32_t gtid, void *arg) {
    agent *task = arg;
    CHECK_EQ(gtid, ME);
    CHECK(omp_get_thread_num() < omp_get_num_threads());
    CHECK(omp_get_level() == 1);
    if (task->after)
        CHECK_EQ(__atomic_load_n(task->after, __ATOMIC_RELAXED), COUNT);
    busy_work(3, 200);
    count_up(task->ran);
    return 0;
}

static task *create(int flags, int *ran, int *after) {
    agent *new = (agent *)__kmpc_omp_task_alloc(&here, ME, flags | FREE_AGENT, sizeof(agent), 0, run);
    new->ran = ran;
    new->after = after;
    return &new->task;
}

static void waits(int flags) {
    int waited = 0, grouped = 0, last = 0;
    for (int i = 0; i < COUNT; i++)
        __kmpc_omp_task(&here, ME, create(flags, &waited, NULL));
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(waited, COUNT);
    __kmpc_taskgroup(&here, ME);
    dependence list = {(intptr_t)&last, sizeof last, INOUTSET};
    for (int i = 0; i < COUNT; i++)
        __kmpc_omp_task_with_deps(&here, ME, create(flags, &grouped, NULL), 1, &list, 0, NULL);
    list.flags = OUT;
    __kmpc_omp_task_with_deps(&here, ME, create(flags, &last, &grouped), 1, &list, 0, NULL);
    __kmpc_end_taskgroup(&here, ME);
    CHECK(grouped == COUNT && last == 1);
}

static int at_end, in_loop;

static int32_t run_loop(int32_t gtid, void *arg) {
    loop_task *task = arg;
    CHECK_EQ(gtid, ME);
    __atomic_fetch_add(&in_loop, (int)(task->up - task->low) + 1, __ATOMIC_RELAXED);
    return 0;
}

static void loop(void) {
    task *pattern = __kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof(loop_task), 0, run_loop);
    loop_task *loop = (loop_task *)pattern;
    loop->low = 0;
    loop->up = 999;
    loop->step = 1;
    __kmpc_taskloop(&here, ME, pattern, 1, &loop->low, &loop->up, 1, 1, 0, 0, NULL);
}

static void body(int32_t *gtid, int32_t *btid) {
    waits(TIED);
    waits(TIED | FINAL);
    waits(TIED | TRANSPARENT);
    if (*btid == 0) {
        loop();
        for (int i = 0; i < COUNT; i++)
            __kmpc_omp_task(&here, *gtid, create(TIED, &at_end, NULL));
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);
    for (int i = 0; i < rounds; i++) {
        at_end = in_loop = 0;
        __kmpc_fork_call(&here, 0, (microtask *)body);
        CHECK_EQ(at_end, COUNT);
        CHECK_EQ(in_loop, 1000);
    }
    return check_done("free_agent");
}
