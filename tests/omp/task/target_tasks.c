// gcc only: clang runs a target region without a device in the region around it
// repeat: 10
// flags: -pthread
// Tasks of every kind inside target and teams regions, which tasks of a busy team execute; external threads fulfill the
// detached ones.
#include "../check.h"

#include <pthread.h>

static void *fulfill(void *event) {
    busy_work(1, 2000);
    omp_fulfill_event((omp_event_handle_t)event);
    return NULL;
}

/* Runs in an initial thread: all of it must complete, and none of the tasks around may run here. */
static int work(int seed) {
    int a = 0, b = 0, done = 0, detached = 0;
    pthread_t thread;
    omp_event_handle_t event;

    CHECK_EQ(omp_get_level(), 0);
#pragma omp task depend(out : a) shared(a)
    a = seed;
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
    b = a + 1;
#pragma omp task depend(inout : b) shared(b) priority(3)
    b *= 2;
#pragma omp taskwait depend(in : b)
    CHECK_EQ(b, 2 * (seed + 1));
#pragma omp taskgroup
    {
        for (int i = 0; i < 4; i++)
#pragma omp task shared(done) untied
        {
            CHECK_EQ(omp_get_level(), 0);
#pragma omp taskyield
            done++;
        }
    }
    CHECK_EQ(done, 4);
#pragma omp task detach(event) shared(detached, thread) depend(out : detached)
    {
        detached++;
        pthread_create(&thread, NULL, fulfill, (void *)event);
    }
#pragma omp task depend(in : detached) shared(detached)
    detached++;
#pragma omp taskwait
    CHECK_EQ(detached, 2);
    pthread_join(thread, NULL);
    return a + b + done + detached;
}

/* A detached task without a waiter must leave nothing behind. */
static void leave_one(void) {
    omp_event_handle_t event;

#pragma omp task detach(event)
    {
        pthread_t thread;

        pthread_create(&thread, NULL, fulfill, (void *)event);
        pthread_detach(thread);
    }
}

static int expected(int seed) {
    return seed + 2 * (seed + 1) + 4 + 2;
}

static void team_work(int n) {
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += work(n);
    CHECK_EQ(sum, 3 * expected(n));
}

int main(int argc, char **argv) {
    int n = (int)check_arg(argc, argv, 1, 60), outside = 0, sum = 0;

#pragma omp parallel
#pragma omp for reduction(+ : sum) schedule(dynamic)
    for (int i = 0; i < n; i++) {
        int got = 0;

        for (int k = 0; k < 5; k++) {
#pragma omp task shared(outside)
            {
                CHECK_EQ(omp_get_level(), 1);
                count_up(&outside);
            }
        }
#pragma omp target map(tofrom : got)
        {
            got = work(i);
            leave_one();
        }
        CHECK_EQ(got, expected(i));
        sum += got;
#pragma omp task
        {
            int inner = 0;

#pragma omp target map(tofrom : inner)
            inner = work(i);
            CHECK_EQ(inner, expected(i));
        }
    }
    CHECK_EQ(outside, 5 * n);
    CHECK_EQ(sum, n * 8 + 3 * n * (n - 1) / 2);
#pragma omp teams num_teams(4)
    team_work(omp_get_team_num());
    return check_done("target_tasks");
}
