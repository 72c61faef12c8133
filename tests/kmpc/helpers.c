// threads: 1 2
// flags: -pthread
// beyond libomp: its assertions fail for regions in such tasks, and for threads that start and end
// env: UNRELATED=1
// env: LIBOMP_NUM_HIDDEN_HELPER_THREADS=1
// env: LIBOMP_USE_HIDDEN_HELPER_TASK=0
// env: OMP_CANCELLATION=true
// Deferred target tasks, which hidden helper threads run. The helpers' numbers are theirs alone. Such a task may wait
// for its creator's next steps. Dependent tasks need not wait for a thread of the team. Each kind of wait for tasks
// waits for them.
#include "calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { HELPERS = 7, WAIT_LIMIT = 200000 };

static int helpers; /* 0: none, and threads of the team run such tasks */

static int is_helpers(int32_t gtid) {
    return helpers > 0 && gtid > 0 && gtid <= helpers + 1;
}

static void check_number(int32_t gtid) {
    CHECK_EQ(gtid, ME);
    CHECK(helpers == 0 || is_helpers(gtid));
}

/* ---- tasks that count ---- */

typedef struct {
    task task;
    int *count, *before, least; /* *before must reach that, at once or, if it waits, later */
    int waits;
} count_task;

static int32_t run_count(int32_t gtid, void *arg) {
    count_task *mine = arg;
    if (mine->waits)
        wait_for_count(mine->before, mine->least);
    if (mine->before)
        CHECK(count_read(mine->before) >= mine->least);
    count_up(mine->count);
    (void)gtid;
    return 0;
}

static int32_t run_helped(int32_t gtid, void *arg) {
    check_number(gtid);
    return run_count(gtid, arg);
}

static int32_t run_own(int32_t gtid, void *arg) {
    CHECK(!is_helpers(gtid) && gtid == ME);
    return run_count(gtid, arg);
}

static task *filled(void *made, int *count, int *before, int least, int waits) {
    count_task *new = made;
    new->count = count;
    new->before = before;
    new->least = least;
    new->waits = waits;
    return &new->task;
}

static task *helped(int *count, int *before, int least) {
    void *made = __kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof(count_task), 0, run_helped, -1);
    return filled(made, count, before, least, 0);
}

static task *waiting(int *count, int *before, int least) {
    task *made = helped(count, before, least);
    ((count_task *)made)->waits = 1;
    return made;
}

static task *own(int *count, int *before, int least) {
    return filled(__kmpc_omp_task_alloc(&here, ME, TIED, sizeof(count_task), 0, run_own), count, before,
                  least, 0);
}

static void create(task *made) {
    __kmpc_omp_task(&here, ME, made);
}

static void create_with(task *made, void *address, int kind) {
    dependence list = {(intptr_t)address, sizeof(int), (uint8_t)kind};
    __kmpc_omp_task_with_deps(&here, ME, made, 1, &list, 0, NULL);
}

/* ---- the creator's next steps ---- */

/* As many tasks as helpers: all wait at the same time. */
static void go_on(void) {
    int done = 0, flag = 0;
    for (int i = 0; i < helpers; i++)
        create(waiting(&done, &flag, 1));
    usleep(1000);
    CHECK_EQ(count_read(&done), 0);
    count_up(&flag);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(done, helpers);
}

/* They also wait for each other. */
static void meet(void) {
    int done = 0, met = 0;
    for (int i = 0; i < helpers; i++)
        create_with(waiting(&done, &met, helpers - i), &met + i, IN);
    for (int i = 0; i < helpers; i++)
        count_up(&met);
    wait_for_count(&done, helpers);
    __kmpc_omp_taskwait(&here, ME);
}

/* By the construct; the creator reaches no scheduling point before the second task has run. */
static void chain(void) {
    int first = 0, second = 0;
    if (helpers == 0)
        return;
#pragma omp target nowait depend(out : first) map(tofrom : first)
    first = 1;
#pragma omp target nowait depend(in : first) map(tofrom : second)
    __atomic_store_n(&second, 1, __ATOMIC_RELEASE);
    wait_for_count(&second, 1);
    CHECK_EQ(first, 1);
#pragma omp taskwait
}

/* Through kinds of dependences that need more than an edge; the wait runs the tasks of the team in between. */
static void kinds(void) {
    int set = 0, last = 0, mutex = 0, after = 0, at = 0;
    for (int i = 0; i < 3; i++)
        create_with(helped(&set, NULL, 0), &at, INOUTSET);
    for (int i = 0; i < 2; i++)
        create_with(helped(&last, &set, 3), &at, IN);
    for (int i = 0; i < 4; i++)
        create_with(helped(&mutex, &last, 2), &at, MUTEX);
    create_with(helped(&after, &mutex, 4), &at, OUT);
    if (helpers > 0)
        wait_for_count(&after, 1);
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(set + last + mutex + after, 3 + 2 + 4 + 1);
}

/* Between tasks of the team. */
static void mixed(int rounds) {
    for (int i = 0; i < rounds; i++) {
        int first = 0, second = 0, third = 0, at = 0;
        create_with(own(&first, NULL, 0), &at, OUT);
        create_with(helped(&second, &first, 1), &at, OUT);
        create_with(own(&third, &second, 1), &at, OUT);
        if (i % 2)
            create_with(helped(&third, &second, 1), &at, IN);
        __kmpc_omp_taskwait(&here, ME);
        CHECK_EQ(third, 1 + i % 2);
    }
}

/* In a cancelled group, tasks that have not begun never run. */
static void cancelled(void) {
    int done = 0, began = 0, flag = 0, never = 0;
    if (helpers == 0 || !omp_get_cancellation())
        return;
    __kmpc_taskgroup(&here, ME);
    for (int i = 0; i < helpers; i++)
        create(waiting(&done, &flag, 1));
    for (int i = 0; i < 5; i++)
        create_with(helped(&never, NULL, 0), &began, OUT);
    CHECK_EQ(__kmpc_cancel(&here, ME, CANCEL_TASKGROUP), 1);
    count_up(&flag);
    __kmpc_end_taskgroup(&here, ME);
    CHECK(done <= helpers && never == 0);
}

/* ---- children of such tasks ---- */

static void count_thread(int32_t *gtid, int32_t *btid, int *count) {
    CHECK_EQ(*gtid, ME);
    CHECK(*btid > 0 || helpers == 0 || is_helpers(*gtid));
    CHECK(*btid == 0 || !is_helpers(*gtid));
    count_up(count);
}

static int32_t run_parent(int32_t gtid, void *arg) {
    count_task *mine = arg;
    int waited = 0, threads = 0, at = 0;
    check_number(gtid);
    for (int i = 0; i < 10; i++)
        create(i % 2 ? helped(&waited, NULL, 0)
                     : filled(__kmpc_omp_task_alloc(&here, gtid, TIED, sizeof(count_task), 0, run_count),
                              &waited, NULL, 0, 0));
    __kmpc_omp_taskwait(&here, gtid);
    CHECK_EQ(waited, 10);
    create_with(helped(&waited, NULL, 0), &at, OUT);
    create_with(helped(&waited, &waited, 11), &at, IN);
    __kmpc_omp_taskwait(&here, gtid);
    CHECK_EQ(waited, 12);
    REGION(2, count_thread, 1, &threads);
    CHECK(threads == 1 || threads == 2);
    for (int i = 0; i < 6; i++)
        create(helped(mine->count, NULL, 0));
    return 0;
}

/* A taskgroup also waits for these. */
static void parents(int number) {
    int left = 0;
    __kmpc_taskgroup(&here, ME);
    for (int i = 0; i < number; i++)
        create(filled(__kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof(count_task), 0, run_parent, -1),
                      &left, NULL, 0, 0));
    __kmpc_end_taskgroup(&here, ME);
    CHECK_EQ(left, number * 6);
}

/* ---- threadprivate variables ---- */

static int variable;
static void **cache;
static int inside;
static int *copies[HELPERS];

static int32_t run_copy(int32_t gtid, void *arg) {
    count_task *mine = arg;
    int *copy = __kmpc_threadprivate_cached(&here, gtid, &variable, sizeof variable, &cache);
    CHECK(copy != &variable && cache[gtid] == copy);
    ++*copy;
    copies[__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED)] = copy;
    wait_for_count(mine->before, 1);
    CHECK(__kmpc_threadprivate_cached(&here, gtid, &variable, sizeof variable, &cache) == copy);
    count_up(mine->count);
    return 0;
}

static void privates(void) {
    int done = 0, flag = 0;
    CHECK(__kmpc_threadprivate_cached(&here, ME, &variable, sizeof variable, &cache) == &variable);
    inside = 0;
    for (int i = 0; i < helpers; i++)
        create(filled(__kmpc_omp_target_task_alloc(&here, ME, TIED, sizeof(count_task), 0, run_copy, -1),
                      &done, &flag, 1, 0));
    wait_for_count(&inside, helpers);
    count_up(&flag);
    __kmpc_omp_taskwait(&here, ME);
    for (int i = 0; i < helpers; i++)
        for (int j = 0; j < i; j++)
            CHECK(copies[i] != copies[j]);
}

/* ---- ends ---- */

static void one(int32_t *gtid, int32_t *btid, int *count) {
    CHECK(!is_helpers(*gtid));
    create(helped(count, NULL, 0));
    (void)btid;
}

static void regions(int size, int number) {
    for (int i = 0; i < number; i++) {
        int count = 0;
        REGION(size, one, 1, &count);
        CHECK(count >= 1 && count <= size);
    }
}

/* A thread of the program that starts, and ends. */
static void *visit(void *count) {
    CHECK(!is_helpers(ME));
    for (int i = 0; i < 3; i++)
        create(helped(count, NULL, 0));
    regions(1, 3);
    create(helped(count, NULL, 0));
    __kmpc_omp_taskwait(&here, ME);
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

/* More tasks than may wait. */
static void many(int number) {
    int count = 0;
    for (int i = 0; i < number; i++)
        create(helped(&count, NULL, 0));
    __kmpc_omp_taskwait(&here, ME);
    CHECK_EQ(count, number);
}

/* ---- a team that never waits for its tasks ---- */

enum { EACH = 2500, IN_FLIGHT = 1000 };

static int created, completed;

static void never_wait(int32_t *gtid, int32_t *btid) {
    (void)gtid, (void)btid;
    for (int i = 0; i < EACH; i++) {
        while (count_read(&created) - count_read(&completed) > IN_FLIGHT)
            usleep(50);
        count_up(&created);
        create(helped(&completed, NULL, 0));
    }
    wait_for_count(&completed, 2 * EACH);
}

static void all(void) {
    go_on();
    meet();
    chain();
    kinds();
    mixed(30);
    cancelled();
    parents(6);
    privates();
    many(300);
}

static void body(int32_t *gtid, int32_t *btid) {
    (void)gtid;
    if (*btid == 0)
        all();
}

static void read_settings(void) {
    const char *number = getenv("LIBOMP_NUM_HIDDEN_HELPER_THREADS"),
               *use = getenv("LIBOMP_USE_HIDDEN_HELPER_TASK");
    helpers = use && atoi(use) == 0 ? 0 : number ? atoi(number) : HELPERS;
}

/* The program ends without a wait for it. */
static int left;

static void check_left(void) {
    if (count_read(&left) != 1)
        _exit(1);
}

static void leave(void) {
#pragma omp target nowait map(tofrom : left)
    {
        usleep(20000);
        count_up(&left);
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 2);
    read_settings();
    atexit(check_left);
    for (int i = 0; i < rounds; i++) {
        CHECK_EQ(ME, 0);
        all();
        for (int size = 1; size <= 2; size++)
            REGION(size, body, 0);
        regions(omp_get_max_threads(), 10);
        visits();
        if (i == 0 && getenv("UNRELATED"))
            usleep(150000); /* idle helpers have ended by then, if they do */
    }
    if (helpers > 0)
        REGION(2, never_wait, 0);
    leave();
    return check_done("helpers");
}
