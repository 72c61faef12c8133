// threads: 1 2 8
// flags: -pthread
// beyond libomp: it takes the bit for tasks of its own threads
// Tasks that any thread of the pool may run, threadset(omp_pool), as clang 22 marks them, where there are threads outside of
// the team: in the initial thread, in a region of one, and of two. What such a task sees of its team, what it may do, and
// that everything waits for it that waits for a task.
#include "calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNASSIGNED = -2 };

static int outside; /* tasks that ran on no thread of their team */

/* What is asked in a task of a team of that size at that level. */
static void look(int size, int level) {
    int num = omp_get_thread_num();
    CHECK(num == UNASSIGNED || (num >= 0 && num < size));
    CHECK_EQ(omp_get_num_threads(), size);
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_team_size(level), size);
    CHECK_EQ(omp_get_ancestor_thread_num(level), num);
    CHECK_EQ(omp_in_parallel(), size > 1);
    CHECK(omp_in_explicit_task());
    if (num == UNASSIGNED)
        count_up(&outside);
}

/* ---- recursion ---- */

typedef struct {
    task task;
    int n, *result, size, level;
} fib_task;

static int fib(int n, int size, int level);

static int32_t run_fib(int32_t gtid, void *arg) {
    fib_task *mine = arg;
    CHECK_EQ(gtid, ME);
    look(mine->size, mine->level);
    *mine->result = fib(mine->n, mine->size, mine->level);
    return 0;
}

static void create_fib(int n, int *result, int size, int level) {
    fib_task *new = (void *)__kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof *new, 0, run_fib);
    new->n = n;
    new->result = result;
    new->size = size;
    new->level = level;
    __kmpc_omp_task(&here, ME, &new->task);
}

static int fib(int n, int size, int level) {
    int a = 0, b = 0;
    if (n < 2)
        return n;
    create_fib(n - 1, &a, size, level);
    create_fib(n - 2, &b, size, level);
    __kmpc_omp_taskwait(&here, ME);
    return a + b;
}

/* ---- what such a task creates ---- */

typedef struct {
    task task;
    int *count, *before;
} child_task;

static int32_t run_child(int32_t gtid, void *arg) {
    child_task *mine = arg;
    CHECK_EQ(gtid, ME);
    if (mine->before)
        CHECK(count_read(mine->before) > 0);
    busy_work(5, 100);
    count_up(mine->count);
    return 0;
}

static task *child(int flags, int *count, int *before) {
    child_task *new = (void *)__kmpc_omp_task_alloc(&here, ME, TIED | flags, sizeof *new, 0, run_child);
    new->count = count;
    new->before = before;
    return &new->task;
}

static void zero(void *mine, void *original) {
    (void)original;
    *(long *)mine = 0;
}

static void add(void *into, void *from) {
    *(long *)into += *(long *)from;
}

typedef struct {
    task task;
    void *group;
    long *sum;
} add_task;

static int32_t run_add(int32_t gtid, void *arg) {
    add_task *mine = arg;
    ++*(long *)__kmpc_task_reduction_get_th_data(gtid, mine->group, mine->sum);
    return 0;
}

/* Tasks that reduce stay with the team that has the copies. */
static void reduce(int tasks) {
    long sum = 0;
    task_reduction item = {&sum, &sum, sizeof sum, zero, NULL, add, 0};
    __kmpc_taskgroup(&here, ME);
    void *group = __kmpc_taskred_init(ME, 1, &item);
    for (int i = 0; i < tasks; i++) {
        add_task *new = (void *)__kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof *new, 0, run_add);
        new->group = group;
        new->sum = &sum;
        __kmpc_omp_task(&here, ME, &new->task);
    }
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(sum, tasks);
}

static void count_thread(int32_t *gtid, int32_t *btid, int *count) {
    CHECK(*btid >= 0 && *btid < omp_get_num_threads());
    CHECK_EQ(*gtid, ME);
    count_up(count);
}

typedef struct {
    task task;
    int *left; /* counted up by children that it does not wait for */
} parent_task;

static int32_t run_parent(int32_t gtid, void *arg) {
    parent_task *mine = arg;
    int waited = 0, first = 0, threads = 0;
    for (int i = 0; i < 10; i++)
        __kmpc_omp_task(&here, gtid, child(i % 2 ? FREE_AGENT : 0, &waited, NULL));
    __kmpc_omp_taskwait(&here, gtid);
    CHECK_EQ(waited, 10);
    dependence list = {(intptr_t)&first, sizeof first, OUT};
    __kmpc_omp_task_with_deps(&here, gtid, child(FREE_AGENT, &first, NULL), 1, &list, 0, NULL);
    list.flags = IN;
    for (int i = 0; i < 4; i++)
        __kmpc_omp_task_with_deps(&here, gtid, child(i % 2 ? FREE_AGENT : 0, &waited, &first), 1, &list, 0,
                                  NULL);
    __kmpc_omp_taskwait(&here, gtid);
    CHECK_EQ(waited, 14);
    reduce(5);
    int level = omp_get_level();
    REGION(2, count_thread, 1, &threads);
    CHECK(threads == 1 || threads == 2);
    CHECK_EQ(omp_get_level(), level);
    for (int i = 0; i < 6; i++)
        __kmpc_omp_task(&here, gtid, child(i % 2 ? FREE_AGENT : 0, mine->left, NULL));
    return 0;
}

static void create_parent(int *left) {
    parent_task *new =
        (void *)__kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof *new, 0, run_parent);
    new->left = left;
    __kmpc_omp_task(&here, ME, &new->task);
}

/* A taskwait waits for children alone, a taskgroup for all. */
static void parents(void) {
    int left = 0;
    __kmpc_taskgroup(&here, ME);
    for (int i = 0; i < 12; i++)
        create_parent(&left);
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(left, 12 * 6);
}

/* ---- a child that outlives it until the program says so, behind the wait for its parent ---- */

static omp_event_handle_t handle;
static int detached_ran;

static int32_t run_creator(int32_t gtid, void *arg) {
    child_task *new =
        (void *)__kmpc_omp_task_alloc(&here, gtid, TIED | DETACHABLE, sizeof *new, 0, run_child);
    new->count = &detached_ran;
    new->before = NULL;
    handle = (omp_event_handle_t)__kmpc_task_allow_completion_event(&here, gtid, &new->task);
    __kmpc_omp_task(&here, gtid, &new->task);
    return 0;
}

static void outlive(void) {
    detached_ran = 0;
    __kmpc_taskgroup(&here, ME);
    __kmpc_omp_task(&here, ME,
                    __kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof(task), 0, run_creator));
    __kmpc_omp_taskwait(&here, ME);
    omp_fulfill_event(handle);
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(detached_ran, 1);
}

/* ---- how many ---- */

static struct gauge inside;

static int32_t run_inside(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    gauge_enter(&inside);
    busy_work(7, 20000);
    gauge_leave(&inside);
    return 0;
}

/* Threads of the team and others together are no more than there may be. */
static void crowd(void) {
    inside = (struct gauge){0};
    for (int i = 0; i < 40; i++)
        __kmpc_omp_task(&here, ME,
                        __kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof(task), 0, run_inside));
    __kmpc_omp_taskwait(&here, ME);
    CHECK(inside.most <= omp_get_max_threads());
}

/* ---- teams that end as soon as they may ---- */

static void one(int32_t *gtid, int32_t *btid, int *count) {
    (void)btid;
    __kmpc_omp_task(&here, *gtid, child(FREE_AGENT, count, NULL));
}

static void regions(int number) {
    for (int i = 0; i < number; i++) {
        int count = 0;
        REGION(1, one, 1, &count);
        CHECK_EQ(count, 1);
    }
}

/* A thread of the program that comes, and ends without a wait. */
static void *visit(void *count) {
    for (int i = 0; i < 3; i++)
        __kmpc_omp_task(&here, ME, child(FREE_AGENT, count, NULL));
    regions(3);
    __kmpc_omp_task(&here, ME, child(FREE_AGENT, count, NULL));
    return NULL;
}

static void visits(void) {
    enum { THREADS = 3 };
    pthread_t threads[THREADS];
    int count = 0;
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, visit, &count) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(count, 4 * THREADS);
}

/* ---- fork ---- */

static void fib_in_region(int32_t *gtid, int32_t *btid) {
    (void)gtid, (void)btid;
    CHECK_EQ(fib(8, 1, omp_get_level()), 21);
}

/* What agents have taken when the child is made never ends there. */
static void await_child(pid_t pid) {
    int status = 0;
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

static void check_child(void) {
    pid_t pid = fork();
    if (pid == 0) {
        REGION(1, fib_in_region, 0);
        _exit(check_failures != 0);
    }
    await_child(pid);
}

/* Tasks that a child has not waited for when it ends: it runs the first one itself. */
static int left_at_exit = -1; /* that have ended; -1: this is no such child */

static int32_t run_slowly(int32_t gtid, void *arg) {
    (void)gtid;
    usleep(*((child_task *)arg)->before ? 30000 : 5000);
    count_up(((child_task *)arg)->count);
    return 0;
}

static void check_left(void) {
    if (left_at_exit >= 0 && count_read(&left_at_exit) != 2)
        _exit(1);
}

static void leave_two(void) {
    static int slow[] = {0, 1};
    left_at_exit = 0;
    for (int i = 0; i < 2; i++) {
        child_task *new =
            (void *)__kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof *new, 0, run_slowly);
        new->count = &left_at_exit;
        new->before = &slow[i];
        __kmpc_omp_task(&here, ME, &new->task);
    }
}

/* The child forks, too. */
static void fork_and_leave(int generations) {
    pid_t pid = fork();
    if (pid == 0) {
        if (generations > 1)
            fork_and_leave(generations - 1);
        leave_two();
        exit(check_failures != 0);
    }
    await_child(pid);
}

static int32_t run_held(int32_t gtid, void *arg) {
    (void)gtid;
    if (omp_get_thread_num() != UNASSIGNED)
        return 0;
    count_up(((child_task *)arg)->count);
    while (count_read(((child_task *)arg)->before) == 0)
        usleep(100);
    return 0;
}

/* A task that an agent has begun, most probably, and goes on with until it is released. */
static int held, released;

static void hold(void) {
    held = released = 0;
    child_task *new = (void *)__kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof *new, 0, run_held);
    new->count = &held;
    new->before = &released;
    __kmpc_omp_task(&here, ME, &new->task);
    for (int i = 0; count_read(&held) == 0 && i < 100; i++)
        usleep(100);
}

/* Of a thread that has no tasks left, and of one whose task an agent has. */
static void *fork_and_exit(void *unused) {
    int before = 0;
    __kmpc_omp_task(&here, ME, child(FREE_AGENT, &before, NULL));
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(before, 1);
    fork_and_leave(2);
    hold();
    fork_and_leave(2);
    count_up(&released);
    __kmpc_omp_taskwait(&here, ME);
    return unused;
}

/* In a region, whose end in the child is the wait. */
static void fork_inside(int32_t *gtid, int32_t *btid, pid_t *pid) {
    (void)gtid, (void)btid;
    hold();
    *pid = fork();
    if (*pid == 0) {
        leave_two();
        return;
    }
    await_child(*pid);
    count_up(&released);
}

static void check_region(void) {
    pid_t pid = 0;
    REGION(1, fork_inside, 1, &pid);
    if (pid == 0)
        _exit(count_read(&left_at_exit) != 2);
}

static void check_exit(void) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, fork_and_exit, NULL) == 0);
    pthread_join(thread, NULL);
}

static int32_t run_fork(int32_t gtid, void *arg) {
    (void)gtid;
    check_child();
    count_up(((child_task *)arg)->count);
    return 0;
}

static void forks(void) {
    int count = 0;
    check_exit();
    check_region();
    check_child();
    for (int i = 0; i < 2; i++) {
        child_task *new =
            (void *)__kmpc_omp_task_alloc(&here, ME, TIED | FREE_AGENT, sizeof *new, 0, run_fork);
        new->count = &count;
        __kmpc_omp_task(&here, ME, &new->task);
    }
    check_child();
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(count, 2);
}

/* ---- all of it ---- */

static int at_end;

static void all(int size, int level) {
    CHECK_EQ(fib(12, size, level), 144);
    parents();
    reduce(20);
    outlive();
    crowd();
    create_parent(&at_end);
}

static void body(int32_t *gtid, int32_t *btid) {
    (void)gtid;
    if (*btid == 0)
        all(omp_get_num_threads(), 1);
}

static int32_t run_outside(int32_t gtid, void *arg) {
    (void)gtid;
    if (omp_get_thread_num() == UNASSIGNED)
        count_up(((child_task *)arg)->before);
    count_up(((child_task *)arg)->count);
    return 0;
}

/* A thread from outside comes while the creator does something else: not at once where others use the CPUs. */
static void comes(int32_t *gtid, int32_t *btid) {
    int came = 0;
    for (int i = 0; !came && i < 1000; i++) {
        int ran = 0;
        child_task *new =
            (void *)__kmpc_omp_task_alloc(&here, *gtid, TIED | FREE_AGENT, sizeof *new, 0, run_outside);
        new->count = &ran;
        new->before = &came;
        __kmpc_omp_task(&here, *gtid, &new->task);
        for (int j = 0; j < 100 && count_read(&ran) == 0; j++)
            usleep(100);
        __kmpc_omp_taskwait(&here, *gtid);
    }
    CHECK(came);
    (void)btid;
}

/* The same beside a creator that runs tasks of its own and waits for none: what they give back is completed meanwhile, and
 * they get more. */
static int came; /* tasks that they have run */

static int32_t run_beside(int32_t gtid, void *arg) {
    int before = count_read(&came);
    (void)gtid, (void)arg;
    usleep(100); /* none that is too fine for an agent */
    if (omp_get_thread_num() == UNASSIGNED)
        count_up(&came);
    else
        for (int i = 0; i < 100 && count_read(&came) == before; i++)
            usleep(100);
    return 0;
}

static void stay(int32_t *gtid, int32_t *btid) {
    int enough = 4 * omp_get_max_threads();
    came = 0;
    for (int i = 0; i < 1000 && count_read(&came) < enough; i++)
        __kmpc_omp_task(&here, *gtid,
                        __kmpc_omp_task_alloc(&here, *gtid, TIED | FREE_AGENT, sizeof(task), 0, run_beside));
    CHECK(count_read(&came) >= enough);
    (void)btid;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 4);
    int32_t me = ME;
    atexit(check_left);
    for (int i = 0; i < rounds; i++) {
        at_end = 0;
        __kmpc_taskgroup(&here, me);
        all(1, 0);
        __kmpc_end_taskgroup(&here, me);
        CHECK_EQ(at_end, 6);
        for (int size = 1; size <= 2 && size <= omp_get_max_threads(); size++) {
            at_end = 0;
            REGION(size, body, 0);
            CHECK_EQ(at_end, 6);
        }
        regions(20);
        if (i % 4 != 0)
            continue;
        visits();
        forks();
        if (omp_get_max_threads() > 1) {
            REGION(1, comes, 0);
            REGION(1, stay, 0);
        }
    }
    if (argc > 2)
        printf("%d outside\n", outside);
    return check_done("free_agent_pool");
}
