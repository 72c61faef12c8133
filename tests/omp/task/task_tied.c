// repeat: 8
// The tied-task rule: a thread that is suspended inside a tied task, at taskwait, at the end of a taskgroup or at
// taskyield, may start only descendants of that task. Programs keep locks and thread-local state across these.
// env: KMP_ENABLE_TASK_THROTTLING=no
#include "../check.h"

static int owner; /* the task that is suspended on this thread; 0: none */
#pragma omp threadprivate(owner)

static int finished;

/* A descendant of task `who`: on its thread only a relative, or no task, may be suspended. */
static void descendant(int who, int depth) {
    int before = owner;

    CHECK(before == 0 || before == who);
    owner = who;
    for (int i = 0; depth > 0 && i < 2; i++) {
#pragma omp task
        descendant(who, depth - 1);
    }
    if (depth == 2) {
#pragma omp taskwait
    } else {
        /* Gives the thread that waits for this task time to search for others. */
        sched_yield();
    }
    CHECK_EQ(owner, who);
    owner = before;
    count_up(&finished);
}

static void hold_over_wait(int who) {
    CHECK_EQ(owner, 0);
    owner = who;
    for (int i = 0; i < 3; i++) {
#pragma omp task
        descendant(who, 2);
    }
#pragma omp taskwait
    CHECK_EQ(owner, who);
    owner = 0;
}

static void hold_over_group(int who) {
    CHECK_EQ(owner, 0);
    owner = who;
#pragma omp taskgroup
    for (int i = 0; i < 3; i++) {
#pragma omp task
        descendant(who, 2);
    }
    CHECK_EQ(owner, who);
    owner = 0;
}

static void hold_over_yield(int who) {
    CHECK_EQ(owner, 0);
    owner = who;
    for (int i = 0; i < 20; i++) {
#pragma omp taskyield
        CHECK_EQ(owner, who);
    }
    owner = 0;
}

static void stranger(void) {
    CHECK_EQ(owner, 0);
    count_up(&finished);
}

static void holders_and_strangers(int rounds) {
    for (int r = 1; r <= rounds; r++) {
#pragma omp task
        hold_over_wait(3 * r);
#pragma omp task
        stranger();
#pragma omp task
        hold_over_group(3 * r + 1);
#pragma omp task
        hold_over_yield(3 * r + 2);
#pragma omp task
        stranger();
    }
}

/* The implicit tasks are tied as well: own children may run, other threads' children may not. */
static void implicit_tasks(int rounds) {
#pragma omp parallel
    {
        int who = 1 + omp_get_thread_num();

        for (int r = 0; r < rounds; r++) {
            owner = who;
            for (int i = 0; i < 4; i++) {
#pragma omp task
                descendant(who, 2);
            }
#pragma omp taskwait
            CHECK_EQ(owner, who);
            owner = 0;
        }
    }
}

/* Each task holds one of two locks over its taskwait: starting another holder there would never end. */
static int locks_over_wait(int rounds) {
    omp_lock_t locks[2];
    int held = 0;

    omp_init_lock(&locks[0]);
    omp_init_lock(&locks[1]);
#pragma omp parallel
#pragma omp single
    for (int r = 0; r < rounds; r++) {
#pragma omp task firstprivate(r) shared(locks, held)
        {
            int parts[2] = {0, 0};

            omp_set_lock(&locks[r % 2]);
            for (int i = 0; i < 2; i++) {
#pragma omp task shared(parts) firstprivate(i)
                {
                    sched_yield();
                    parts[i] = 1;
                }
            }
#pragma omp taskwait
            CHECK_EQ(parts[0] + parts[1], 2);
            omp_unset_lock(&locks[r % 2]);
            count_up(&held);
        }
    }
    omp_destroy_lock(&locks[0]);
    omp_destroy_lock(&locks[1]);
    return held;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 300);
    int threads = omp_get_max_threads();

#pragma omp parallel
    {
#pragma omp single nowait
        holders_and_strangers(rounds);
    }
    CHECK_EQ(finished, rounds * (2 * 21 + 2));
    implicit_tasks(rounds / 10);
    CHECK_EQ(finished, rounds * 44 + rounds / 10 * threads * 28);
    CHECK_EQ(locks_over_wait(rounds), rounds);
    printf("finished %d\n", finished);
    return check_done("task_tied");
}
