// beyond libomp: it waits in a taskwait with nowait, and with threads it aborts where all memory is named
// Dependences by the calls: all kinds and their numbers, the second list, long lists, all memory with an address
// without meaning, and waits for dependences, blocking or not.
#include "calls.h"

enum { ROUNDS = 30 };

struct step {
    task task;
    int *counter;
    int want, gauge_limit;
};

static struct gauge gauge;

/* Sometimes delays, so that a task that must not run meanwhile would. */
static int32_t step(int32_t gtid, void *arg) {
    struct step *mine = arg;
    CHECK_EQ(gtid, ME);
    if (mine->gauge_limit)
        gauge_enter(&gauge);
    busy_work((unsigned)mine->want, 300);
    if (mine->want >= 0)
        CHECK_EQ(count_read(mine->counter), mine->want);
    if (mine->gauge_limit)
        CHECK(__atomic_load_n(&gauge.inside, __ATOMIC_RELAXED) <= mine->gauge_limit);
    if (mine->gauge_limit)
        gauge_leave(&gauge);
    count_up(mine->counter);
    return 0;
}

/* want < 0: it may run at any time. */
static task *make(int32_t gtid, int *counter, int want, int limit) {
    struct step *made = (void *)__kmpc_omp_task_alloc(&here, gtid, TIED, sizeof *made, 0, step);
    made->counter = counter;
    made->want = want;
    made->gauge_limit = limit;
    return &made->task;
}

static dependence on(void *address, int flags) {
    dependence made;
    memset(&made, 0xee, sizeof made);
    made.address = (intptr_t)address;
    made.size = 4;
    made.flags = (uint8_t)flags;
    return made;
}

/* Out, inout and icc's out run one after the other; so do they with in between. */
static void chain(int32_t *gtid, int32_t *btid) {
    static const int kinds[] = {OUT, 2, OUT, MUTEX, INOUTSET, IN};
    int counter = 0;
    (void)btid;
    for (int i = 0; i < ROUNDS; i++) {
        dependence list = on(&counter, kinds[i % 6]);
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, i, 0), 1, &list, 0, NULL);
    }
    __kmpc_omp_taskwait(&here, *gtid);
    CHECK_EQ(counter, ROUNDS);
}

/* The second list counts as well; and lists may be long. */
static void lists(int32_t *gtid, int32_t *btid) {
    int counter = 0;
    char places[100];
    (void)btid;
    for (int i = 0; i < ROUNDS; i++) {
        dependence first[40], second[40];
        int n = i % 40;
        for (int k = 0; k < n; k++) {
            first[k] = on(&places[k], IN);
            second[k] = on(&places[40 + k], IN);
        }
        first[n] = on(&counter, i % 2 ? OUT : IN);
        second[n] = on(&counter, i % 2 ? IN : OUT);
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, i, 0), n + i % 2, first, n + 1 - i % 2,
                                  second);
    }
    __kmpc_omp_taskwait(&here, *gtid);
    CHECK_EQ(counter, ROUNDS);
}

static void sets(int32_t *gtid, int32_t *btid) {
    int counter = 0, want = 0;
    (void)btid;
    for (int i = 0; i < ROUNDS; i++) {
        dependence mutex = on(&counter, MUTEX), set = on(&counter, INOUTSET), in = on(&counter, IN);
        for (int k = 0; k < 3; k++) /* one at a time */
            __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, -1, 1), 1, &mutex, 0, NULL);
        want += 3;
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, want++, 0), 1, &in, 0, NULL);
        for (int k = 0; k < 3; k++)
            __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, -1, 0), 1, &set, 0, NULL);
        want += 3;
        dependence out = on(&counter, OUT);
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, want++, 0), 1, &out, 0, NULL);
    }
    __kmpc_omp_taskwait(&here, *gtid);
    CHECK_EQ(counter, want);
}

static void all_memory(int32_t *gtid, int32_t *btid) {
    int counter = 0, want = 0;
    (void)btid;
    for (int i = 0; i < ROUNDS; i++) {
        dependence a = on(&counter, OUT), all = on((void *)0xdead, ALL_MEMORY);
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, want++, 0), 1, &a, 0, NULL);
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, want++, 0), 1, &all, 0, NULL);
    }
    __kmpc_omp_taskwait(&here, *gtid);
    CHECK_EQ(counter, want);
}

/* A wait for one task, while another cannot end before that wait has; an undeferred task behind others. */
static int begun, released;

static int32_t held(int32_t gtid, void *arg) {
    (void)gtid, (void)arg;
    signal_count(&begun);
    wait_for_count(&released, 1);
    return 0;
}

static void waits(int32_t *gtid, int32_t *btid) {
    int counter = 0, other = 0, threads = omp_get_num_threads();
    if (*btid != 0)
        return;
    dependence out = on(&counter, OUT), in = on(&counter, IN), far = on(&other, OUT), both[2] = {in, far};
    if (threads > 1) {
        task *made = __kmpc_omp_task_alloc(&here, *gtid, TIED, sizeof *made, 0, held);
        __kmpc_omp_task_with_deps(&here, *gtid, made, 1, &far, 0, NULL);
        wait_for_count(&begun, 1); /* on another thread, not on this waiting one */
    }
    for (int i = 0; i < ROUNDS; i++) {
        __kmpc_omp_task_with_deps(&here, *gtid, make(*gtid, &counter, i, 0), 1, &out, 0, NULL);
        if (i % 3 == 0)
            __kmpc_omp_wait_deps(&here, *gtid, 1, &in, 0, NULL);
        else if (i % 3 == 1)
            __kmpc_omp_taskwait_deps_51(&here, *gtid, 1, &in, 0, NULL, 0);
        else
            __kmpc_omp_taskwait_deps_51(&here, *gtid, 2, both, 0, NULL, 1);
        if (i % 3 < 2)
            CHECK_EQ(count_read(&counter), i + 1);
        if (i % 3 == 2)
            signal_count(&released); /* from here the next wait may also wait for that one */
    }
    __kmpc_omp_wait_deps(&here, *gtid, 0, NULL, 1, &in);
    CHECK_EQ(count_read(&counter), ROUNDS);
    task *last = make(*gtid, &counter, ROUNDS, 0);
    __kmpc_omp_task_begin_if0(&here, *gtid, last);
    step(*gtid, last);
    __kmpc_omp_task_complete_if0(&here, *gtid, last);
    __kmpc_omp_taskwait(&here, *gtid);
}

int main(void) {
    int threads = omp_get_max_threads();
    REGION(threads, chain, 0);
    REGION(threads, lists, 0);
    REGION(1, sets, 0);
    REGION(threads, all_memory, 0);
    REGION(threads, waits, 0);
#pragma omp parallel
#pragma omp single
    {
        int32_t gtid = ME, btid = 0;
        sets(&gtid, &btid);
    }
    return check_done("task_depends");
}
