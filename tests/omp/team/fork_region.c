// beyond libomp: the child aborts by an assertion
/*
 * fork() from inside regions: by the primary thread, by another one, from a task, from a nested or a target region. The
 * child's thread is the only one of its team. It may open regions, create tasks and wait for them, and enter criticals.
 * Barriers do not wait for the others, and new constructs are its own alone. If it was the primary thread, it may leave
 * the region and go on. If it waits for work of a thread that it lacks, the child ends with a message.
 */
// env:
// env: OMP_MAX_ACTIVE_LEVELS=3
// env: OMP_CANCELLATION=true
// env: GOMP_SPINCOUNT=infinite
// env: OMP_WAIT_POLICY=passive
// beyond libgomp: the child's barrier waits forever
#include "../forked.h"

/* Continues in a region after a fork there. */
static void go_on_inside(void) {
    int leaves = 0, sum = 0, once = 0;

    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    leaves = count_leaves(5);
    CHECK_EQ(leaves, 32);
#pragma omp barrier
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 100; i++)
        sum += i;
    CHECK_EQ(sum, 4950);
    for (int i = 0; i < 20; i++) { /* more of them than fit in memory at once */
#pragma omp for ordered schedule(static, 1) nowait
        for (int j = 0; j < 4; j++) {
#pragma omp ordered
            sum += j;
        }
    }
    CHECK_EQ(sum, 5070);
#pragma omp single
    once++;
#pragma omp sections
    {
#pragma omp section
        once++;
#pragma omp section
        once++;
    }
    CHECK_EQ(once, 3);
#pragma omp critical
    once++;
    if (omp_get_max_active_levels() > omp_get_active_level())
        check_team(4);
#pragma omp barrier
}

/* Forks on thread `who` of a region; the child goes to the end of the region, and beyond it if it may. */
static void from_thread(int who, const char *what) {
    int size = omp_get_max_threads(), members = 0, is_child = 0;
    FILE *said = NULL;
    pid_t child = 0;

    if (who >= size)
        return;
#pragma omp parallel reduction(+ : members)
    {
        if (omp_get_thread_num() == who) {
            child = child_fork(&said);
            if (child == 0) {
                is_child = 1;
                go_on_inside();
            }
        }
        members++;
    }
    if (is_child) {
        CHECK_EQ(who, 0);
        check_all();
        child_end();
    }
    CHECK(child_was_well(child, said, what));
    CHECK_EQ(members, size);
}

static void from_task(void) {
    int done = 0;
    FILE *said = NULL;
    pid_t child = -1;

#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 50; i++)
#pragma omp task shared(done, said, child) firstprivate(i)
        {
            if (i == 25) {
                child = child_fork(&said);
                if (child == 0) {
                    CHECK_EQ(count_leaves(5), 32);
#pragma omp critical
                    CHECK_EQ(omp_get_num_threads(), 1);
                    child_end();
                }
            }
            count_up(&done);
        }
    }
    CHECK(child_was_well(child, said, "of a task"));
    CHECK_EQ(done, 50);
}

static void from_nested(void) {
    int members = 0;

#pragma omp parallel num_threads(2) reduction(+ : members)
    {
#pragma omp parallel num_threads(2) reduction(+ : members)
        {
            if (omp_get_thread_num() == 0) {
                FILE *said;
                pid_t child = child_fork(&said);
                if (child == 0) {
                    go_on_inside();
                    child_end();
                }
                CHECK(child_was_well(child, said, "of a nested region"));
            }
            members++;
        }
    }
    CHECK_EQ(members, omp_get_max_active_levels() > 1 ? 4 : 2);
}

/* Forks on the primary thread in a target region, or in a region inside it; the child goes to a barrier after it. */
static void from_target(int nested) {
    FILE *said = NULL;
    pid_t child = -1;

#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp target map(tofrom : said, child) firstprivate(nested)
#pragma omp parallel num_threads(2) if (nested)
            if (omp_get_thread_num() == 0)
                child = child_fork(&said);
            if (child == 0)
                go_on_inside();
        }
#pragma omp barrier
    }
    if (child == 0)
        child_end();
    CHECK(child_was_well(child, said, "of a target region"));
}

/* A thread that waits at the barrier runs the task. */
static void from_barrier(void) {
    FILE *said = NULL;
    pid_t child = -1;
    int is_child = 0;

#pragma omp parallel
    {
#pragma omp master
        {
#pragma omp task shared(said, child, is_child)
            {
                child = child_fork(&said);
                is_child = child == 0;
            }
        }
#pragma omp barrier
        if (is_child)
            go_on_inside();
    }
    if (is_child)
        child_end();
    CHECK(child_was_well(child, said, "at a barrier"));
}

static void from_loop(void) {
    FILE *said = NULL;
    pid_t child = -1;
    int done = 0, is_child = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : done)
    for (int i = 0; i < 100; i++) {
        if (i == 40) {
            child = child_fork(&said);
            is_child = child == 0;
        }
        done++;
    }
    if (is_child)
        child_end();
    CHECK(child_was_well(child, said, "of a loop"));
    CHECK_EQ(done, 100);
}

static void *fulfill(void *event) {
    sched_yield();
    omp_fulfill_event((omp_event_handle_t)event);
    return NULL;
}

/* The child of the last thread waits for a task that a thread of the child fulfills. */
static void from_last(void) {
    FILE *said = NULL;
    pid_t child = -1;

#pragma omp parallel shared(said, child)
    if (omp_get_thread_num() == omp_get_num_threads() - 1) {
        child = child_fork(&said);
        if (child == 0) {
            for (int i = 0; i < 20; i++) {
                omp_event_handle_t event;
                pthread_t thread;

#pragma omp task detach(event) shared(thread)
                CHECK_EQ(pthread_create(&thread, NULL, fulfill, (void *)event), 0);
#pragma omp taskwait
                pthread_join(thread, NULL);
            }
            child_end();
        }
    }
    CHECK(child_was_well(child, said, "that waits for an event"));
}

/* Whether the child ended with a message that gives the reason. */
static int ended_with_a_line(pid_t child, FILE *said) {
    char line[512] = "";
    int status = -1, ended = child > 0 && waitpid(child, &status, 0) == child;

    rewind(said);
    ended &= fgets(line, sizeof line, said) && strstr(line, "was forked inside a region") != NULL;
    fclose(said);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

/* The child waits for a task that another thread was running. */
static void wait_for_a_lost_task(void) {
    FILE *said = NULL;
    pid_t child = -1;
    int taken = 0, over = 0;

#pragma omp parallel num_threads(2)
#pragma omp master
    {
#pragma omp task shared(taken, over)
        {
            signal_count(&taken);
            wait_for_count(&over, 1);
        }
        wait_for_count(&taken, 1);
        child = child_fork(&said);
        if (child != 0)
            signal_count(&over);
#pragma omp taskwait
        if (child == 0)
            child_end();
    }
    CHECK(ended_with_a_line(child, said));
}

int main(void) {
    if (UNDER_ASAN) { /* a child forked while another thread allocates finds its allocator locked forever */
        check_all();
        return check_done("fork_region");
    }
    from_thread(0, "of the primary thread");
    from_thread(1, "of another thread");
    from_thread(omp_get_max_threads() - 1, "of the last thread");
    from_task();
    from_nested();
    from_target(0);
    from_target(1);
    from_barrier();
    from_loop();
    from_last();
    if (!UNDER_TSAN) /* TSan has its own thread, whose role is unknown */
        wait_for_a_lost_task();
    check_all();
    return check_done("fork_region");
}
