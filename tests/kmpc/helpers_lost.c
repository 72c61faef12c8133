// threads: 1 2
// env: UNRELATED=1
// beyond libomp: its child waits for the parent's helpers, and it ends if it gets no thread
// Missing hidden helper threads. In the child of a fork, tasks that they had taken never end, the creator runs those
// that no helper had taken, and new helpers run later ones. If no thread can be created, the creator runs all.
#define _GNU_SOURCE
#include "calls.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../seccomp.h"

enum { HELPERS = 7, QUEUED = 3 };

typedef struct {
    task task;
    int *count, *before; /* waits until it is not 0; NULL: does not wait */
} count_task;

static int begun; /* tasks that wait */

static int32_t run(int32_t gtid, void *arg) {
    count_task *mine = arg;
    CHECK_EQ(gtid, ME);
    if (mine->before) {
        count_up(&begun);
        wait_for_count(mine->before, 1);
    }
    count_up(mine->count);
    return 0;
}

static void create(int *count, int *before) {
    count_task *new = (void *)__kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof *new, 0, run, -1);
    new->count = count;
    new->before = before;
    __kmpc_omp_task(&here, ME, &new->task);
}

static void await_child(pid_t pid) {
    int status = 0;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/* ---- fork ---- */

static int released, done, queued;

/* All helpers wait, and more tasks are queued. */
static void hold(void) {
    begun = released = done = queued = 0;
    for (int i = 0; i < HELPERS; i++)
        create(&done, &released);
    wait_for_count(&begun, HELPERS);
    for (int i = 0; i < QUEUED; i++)
        create(&queued, NULL);
}

static void release(void) {
    count_up(&released);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(done, HELPERS);
    CHECK_EQ(queued, QUEUED);
}

/* Of the initial thread, whose end runs the remaining tasks: 1 in that child. */
static int ends;

static void check_queued(void) {
    if (ends && queued != QUEUED)
        _exit(1);
}

static void fork_outside(void) {
    hold();
    pid_t pid = fork();
    if (pid == 0) {
        ends = 1;
        exit(check_failures != 0);
    }
    await_child(pid);
    release();
}

/* In a region, whose end runs them. */
static void inside(int32_t *gtid, int32_t *btid, pid_t *pid) {
    (void)gtid, (void)btid;
    hold();
    *pid = fork();
    if (*pid == 0)
        return;
    await_child(*pid);
    release();
}

static void fork_inside(void) {
    pid_t pid = 0;
    REGION(1, inside, 1, &pid);
    if (pid == 0)
        _exit(queued != QUEUED || check_failures != 0);
}

/* No task was left: the child has new helpers. */
static void goes_on(void) {
    int count = 0, flag = 0;
    for (int i = 0; i < HELPERS; i++)
        create(&count, &flag);
    count_up(&flag);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(count, HELPERS);
}

static void fork_idle(void) {
    pid_t pid = fork();
    if (pid == 0) {
        goes_on();
        pid_t next = fork();
        if (next == 0) {
            goes_on();
            _exit(check_failures != 0);
        }
        await_child(next);
        _exit(check_failures != 0);
    }
    await_child(pid);
}

static int32_t run_fork(int32_t gtid, void *arg) {
    (void)gtid;
    pid_t pid = fork();
    if (pid == 0) {
        int count = 0;
        create(&count, NULL);
        __kmpc_omp_taskwait(&here, ME);
        _exit(count != 1 || check_failures != 0);
    }
    await_child(pid);
    count_up(((count_task *)arg)->count);
    return 0;
}

/* Forks on a helper. */
static void fork_there(void) {
    int count = 0;
    count_task *new = (void *)__kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof *new, 0, run_fork, -1);
    new->count = &count;
    __kmpc_omp_task(&here, ME, &new->task);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(count, 1);
}

/* ---- no threads ---- */

static int32_t run_here(int32_t gtid, void *arg) {
    CHECK_EQ(gtid, 0);
    return run(gtid, arg);
}

static void create_here(int *count) {
    count_task *new = (void *)__kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof *new, 0, run_here, -1);
    new->count = count;
    new->before = NULL;
    __kmpc_omp_task(&here, ME, &new->task);
}

static void alone(int32_t *gtid, int32_t *btid, int *count) {
    (void)gtid, (void)btid;
    for (int i = 0; i < 10; i++)
        create_here(count);
}

static void refused(void) {
    static const long calls[] = {SYS_clone, SYS_clone3};
    pid_t pid = fork();
    if (pid == 0) {
        int count = 0;
        if (!seccomp_refuse(calls, 2, EAGAIN, false))
            _exit(0);
        if (!freopen("/dev/null", "w", stderr)) /* one message reports the missing thread */
            _exit(1);
        for (int i = 0; i < 10; i++)
            create_here(&count);
        __kmpc_omp_taskwait(&here, ME);
        REGION(1, alone, 1, &count);
        _exit(count != 20 || check_failures != 0);
    }
    await_child(pid);
}

int main(void) {
    CHECK_EQ(ME, 0);
    atexit(check_queued);
    refused();
    goes_on();
    fork_idle();
    fork_there();
    fork_outside();
    fork_inside();
    goes_on();
    return check_done("helpers_lost");
}
