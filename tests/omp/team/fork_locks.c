// beyond libomp: the child hangs
/*
 * Locks in the child of a fork. Constructs that exclude each other stay usable there: those that a lost thread was in
 * are free, those of the forking thread stay held. Locks of the API that another thread held stay held, as POSIX
 * mutexes do, and may be initialised again.
 */
// beyond libgomp: criticals that another thread was in stay locked forever
#include "../forked.h"

static int inside, over, waiting; /* numbers of threads; over = 1: they may leave */
static omp_lock_t others_lock, own_lock, free_lock;
static omp_nest_lock_t own_nest;
static long double total; /* too large for an atomic instruction */

static void stay_inside(void) {
    signal_count(&inside);
    wait_for_count(&over, 1);
}

static void *hold_unnamed(void *arg) {
#pragma omp critical
    stay_inside();
    return arg;
}

static void *hold_named(void *arg) {
#pragma omp critical(name)
    stay_inside();
    return arg;
}

static void *hold_lock(void *arg) {
    omp_set_lock(&others_lock);
    stay_inside();
    omp_unset_lock(&others_lock);
    return arg;
}

/* A thread waits for a critical that another one holds: the lock's word then has a waiter. */
static void *wait_for_named(void *arg) {
    signal_count(&waiting);
#pragma omp critical(name)
    (*(int *)arg)++;
    return NULL;
}

/* Threads of the child exclude each other, and the forking thread is one of them. */
static void exclude_each_other(void) {
    struct gauge unnamed = {0}, named = {0};
    int size = omp_get_max_threads();

    total = 0;
#pragma omp parallel
    for (int i = 0; i < 50; i++) {
#pragma omp critical
        {
            gauge_enter(&unnamed);
            gauge_leave(&unnamed);
        }
#pragma omp critical(name)
        {
            gauge_enter(&named);
            gauge_leave(&named);
        }
#pragma omp atomic
        total += 1;
        omp_set_lock(&free_lock);
        omp_unset_lock(&free_lock);
    }
    CHECK_EQ(unnamed.most, 1);
    CHECK_EQ(unnamed.entries, 50 * size);
    CHECK_EQ(named.most, 1);
    CHECK_EQ(named.entries, 50 * size);
    CHECK_EQ(total, 50 * size);
}

static void use_all_locks(void *arg) {
    (void)arg;
    exclude_each_other();
    CHECK_EQ(omp_test_lock(&others_lock), 0);
    omp_init_lock(&others_lock);
    CHECK(omp_test_lock(&others_lock));
    omp_unset_lock(&others_lock);
}

static void held_by_others(void) {
    int entered = 0;
    pthread_t threads[5] = {host_thread(hold_unnamed, NULL), host_thread(hold_named, NULL),
                            host_thread(hold_lock, NULL)};

    wait_for_count(&inside, 3);
    threads[3] = host_thread(wait_for_named, &entered);
    threads[4] = host_thread(wait_for_named, &entered);
    wait_for_count(&waiting, 2);
    for (int i = 0; i < 3; i++)
        CHECK(child_runs(use_all_locks, NULL, "while others hold"));
    signal_count(&over);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQ(entered, 2);
    exclude_each_other();
}

/* A thread of the child tries to enter, while its first thread is still in the critical where it forked. */
static void *try_to_enter(void *arg) {
    signal_count(&waiting);
#pragma omp critical(mine)
    CHECK_EQ(count_read(arg), 1);
    return NULL;
}

static void still_hold(void *arg) {
    static int left; /* static: the other thread reads it after this function has returned */

    waiting = 0;
    pthread_t other = host_thread(try_to_enter, &left);
    wait_for_count(&waiting, 1);
    check_team(omp_get_max_threads());
    CHECK_EQ(omp_test_lock(&own_lock), 0);
    omp_unset_lock(&own_lock);
    CHECK(omp_test_lock(&own_lock));
    CHECK_EQ(omp_test_nest_lock(&own_nest), 2);
    omp_unset_nest_lock(&own_nest);
    omp_unset_nest_lock(&own_nest);
    CHECK_EQ(omp_test_nest_lock(&own_nest), 1);
    count_up(&left); /* read inside the critical: ordered by it */
    *(pthread_t *)arg = other;
}

static void held_by_the_forking_thread(void) {
    FILE *said;
    pid_t child;
    pthread_t other;

    omp_set_lock(&own_lock);
    omp_set_nest_lock(&own_nest);
#pragma omp critical(mine)
    {
        child = child_fork(&said);
        if (child == 0)
            still_hold(&other);
    }
    if (child == 0) {
        pthread_join(other, NULL);
        child_end();
    }
    CHECK(child_was_well(child, said, "in a critical"));
    omp_unset_lock(&own_lock);
    omp_unset_nest_lock(&own_nest);
#pragma omp critical(mine)
    CHECK(omp_test_lock(&own_lock));
}

int main(void) {
    omp_init_lock(&others_lock);
    omp_init_lock(&own_lock);
    omp_init_lock(&free_lock);
    omp_init_nest_lock(&own_nest);
    check_all();
    held_by_others();
    if (!UNDER_TSAN) /* TSan ends a child if a thread there gets the handle of one of the parent's */
        held_by_the_forking_thread();
    return check_done("fork_locks");
}
