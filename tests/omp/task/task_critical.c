// repeat: 20
// Tasks, locks and critical sections: no task may start on a thread that is inside one.
#include "../check.h"

static int guarded; /* this thread is inside a critical section or holds the lock, at no scheduling point */
#pragma omp threadprivate(guarded)

static omp_lock_t lock;
static omp_nest_lock_t nest;
static long entries;
static struct gauge inside;

static void enter(void) {
    CHECK_EQ(guarded, 0);
    guarded = 1;
    gauge_enter(&inside);
    entries++;
}

static void leave(void) {
    gauge_leave(&inside);
    guarded = 0;
}

static void task_body(int i) {
    CHECK_EQ(guarded, 0);
    /* The nestable lock is the task's: two tasks of one thread exclude each other. */
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    if (i % 2 == 0) {
        omp_set_lock(&lock);
        enter();
        busy_work(1, 20);
        leave();
        omp_unset_lock(&lock);
    } else {
#pragma omp critical(entry)
        {
            omp_set_lock(&lock);
            enter();
            leave();
            omp_unset_lock(&lock);
        }
    }
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
}

int main(int argc, char **argv) {
    int count = (int)check_arg(argc, argv, 1, 500);
    int threads = omp_get_max_threads();

    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    for (int i = 0; i < count; i++) {
#pragma omp task
        task_body(i);
        if (i % 50 == 0) {
#pragma omp taskwait
        }
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    CHECK_EQ(entries, (long)count * threads);
    CHECK_EQ(inside.most, 1);
    printf("entries %ld\n", entries);
    return check_done("task_critical");
}
