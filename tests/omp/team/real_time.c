// beyond libomp: it spins at a higher priority than all others
// beyond libgomp: its taskyield does nothing, and the kernel ends a thread that waits by it
// flags: -D_GNU_SOURCE
// threads: 2 5
// env: OMP_DYNAMIC=false
// env: OMP_WAIT_POLICY=passive
// env: OMP_WAIT_POLICY=active
// A real-time program on one CPU, whose yields never let a thread of a lower priority run. Its waits still end, whether
// the primary thread or another one is the real-time thread. The kernel ends a thread that runs for 300 ms without a
// sleep.
#include "../check.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../sanitized.h"

enum { ROUNDS = 200 };

static int set_policy(int policy, int priority) {
    struct sched_param param = {.sched_priority = priority};
    return sched_setscheduler(0, policy, &param) == 0 ? 0 : errno;
}

static void be_real_time(int yes) {
    CHECK_EQ(yes ? set_policy(SCHED_FIFO, 10) : set_policy(SCHED_OTHER, 0), 0);
}

static void on_one_cpu(void) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

/* Computes for a while, so that other threads lose the CPU in the middle of their work. */
static unsigned work(unsigned n) {
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += i;
    return sum;
}

static void regions(void) {
    int sum = 0, most = omp_get_max_threads();
    for (int i = 0; i < ROUNDS; i++) {
        int size = 1 + i % most; /* the team size varies */
#pragma omp parallel num_threads(size) reduction(+ : sum)
        {
            int one = 0;
            work(1000);
#pragma omp barrier
#pragma omp single copyprivate(one)
            one = 1;
            sum += one;
        }
    }
    int expected = 0;
    for (int i = 0; i < ROUNDS; i++)
        expected += 1 + i % most;
    CHECK_EQ(sum, expected);
}

static void loops(void) {
    int sum = 0, last = -1, steps[ROUNDS + 1] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(dynamic) reduction(+ : sum)
        for (int i = 0; i < 20 * ROUNDS; i++)
            sum += work(100) != 0;
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < ROUNDS; i++) {
            work(500);
#pragma omp ordered
            {
                CHECK_EQ(last, i - 1);
                last = i;
            }
        }
#pragma omp for ordered(1) schedule(dynamic)
        for (int i = 1; i <= ROUNDS; i++) {
#pragma omp ordered depend(sink : i - 1)
            steps[i] = steps[i - 1] + 1;
#pragma omp ordered depend(source)
        }
    }
    CHECK_EQ(sum, 20 * ROUNDS);
    CHECK_EQ(steps[ROUNDS], ROUNDS);
}

static void locks(void) {
    static omp_lock_t lock;
    static omp_nest_lock_t nest;
    int in_critical = 0, in_lock = 0, in_nest = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
    for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
        in_critical += work(200) != 0;
        omp_set_lock(&lock);
        in_lock += work(200) != 0;
        if (i % 32 == 0)
            usleep(100);
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        omp_set_nest_lock(&nest);
        in_nest += work(200) != 0;
        omp_unset_nest_lock(&nest);
        omp_unset_nest_lock(&nest);
    }
    CHECK_EQ(in_critical, ROUNDS * omp_get_max_threads());
    CHECK_EQ(in_lock, in_critical);
    CHECK_EQ(in_nest, in_critical);
    omp_destroy_nest_lock(&nest);
    omp_destroy_lock(&lock);
}

static int fib(int n) {
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void tasks(void) {
    int sum = 0, chain = 0;
    for (int i = 0; i < ROUNDS / 10; i++) {
        int value = 0;
#pragma omp parallel
#pragma omp single
        value = fib(12);
        sum += value;
    }
    CHECK_EQ(sum, 144 * (ROUNDS / 10));
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < ROUNDS; i++)
#pragma omp task depend(inout : chain)
        chain += work(200) != 0;
    CHECK_EQ(chain, ROUNDS);
}

/* A task yields until another thread has made a step. */
static void yields(void) {
    for (int i = 0; i < ROUNDS / 10; i++) {
        int here = 0;
#pragma omp parallel
        {
            count_up(&here);
            if (omp_get_thread_num() == 0)
                while (count_read(&here) < omp_get_num_threads()) {
#pragma omp taskyield
                }
        }
    }
}

static void nested(void) {
    int sum = 0;
    omp_set_max_active_levels(2);
    for (int i = 0; i < ROUNDS / 10; i++)
#pragma omp parallel num_threads(2) reduction(+ : sum)
#pragma omp parallel num_threads(2) reduction(+ : sum)
        sum += work(1000) != 0;
    CHECK_EQ(sum, 4 * (ROUNDS / 10));
}

static void all(void) {
    regions();
    loops();
    locks();
    tasks();
    yields();
    nested();
}

int main(void) {
    struct rlimit without_sleep = {300000, 300000};
    on_one_cpu();
    all(); /* the other threads exist, with the usual policy */
    int error = set_policy(SCHED_FIFO, 10);
    if (error != 0) {
        fprintf(stderr, "no real-time policy: %s; not tested\n", strerror(error));
        return check_done("real_time");
    }
    if (!SANITIZED) /* it takes long without a sleep of its own */
        CHECK_EQ(setrlimit(RLIMIT_RTTIME, &without_sleep), 0);
    all();
#pragma omp parallel
    be_real_time(omp_get_thread_num() != 0);
    all();
    be_real_time(1);
#pragma omp parallel
    be_real_time(omp_get_thread_num() % 2 == 0);
    all();
    return check_done("real_time");
}
