// beyond libomp: it hangs
// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=true OMP_WAIT_POLICY=passive
// beyond libgomp: a thread that waits for an iteration of a thread that has left the region waits forever
// threads: 2 4 8
// repeat: 2
// A region is cancelled while some of its threads are still in a loop without a barrier. Their iterations stay complete
// and in order, except those of threads that have not reached the loop.
#include "../check.h"

enum { N = 48 };

static int threads, inside, last, count, wrong;

static void ordered_region(int i) {
    if (__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED) != 0 || i <= last)
        count_up(&wrong);
    sched_yield();
    last = i;
    count++;
    __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
}

static void dawdle(int i) {
    for (int k = 0; k < i % 4 * 3; k++)
        sched_yield();
}

static void reset(void) {
    last = -1;
    count = 0;
}

/* All threads reach the loop before the cancellation. */
static void ordered(void) {
    reset();
#pragma omp parallel
    {
#pragma omp for ordered schedule(runtime) nowait
        for (int i = 0; i < N; i++) {
            dawdle(i);
#pragma omp ordered
            ordered_region(i);
        }
#pragma omp cancel parallel
    }
    CHECK_EQ(count, N);
}

/* Thread `who` does not reach the loop: its iterations of a static loop are left out. */
static void without_one(int who) {
    reset();
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == who) {
            dawdle(who + 2);
#pragma omp cancel parallel
        }
#pragma omp for ordered schedule(static, 1) nowait
        for (int i = 0; i < N; i++) {
            dawdle(i);
#pragma omp ordered
            ordered_region(i);
        }
    }
    CHECK_EQ(count, who < threads ? N - (N + threads - 1 - who) / threads : N);
}

/* The same in a doacross loop. */
static void doacross(int who) {
    static int done[N];
    int missing = 0;
    for (int i = 0; i < N; i++)
        done[i] = 0;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        if (me == who) {
            dawdle(who + 2);
#pragma omp cancel parallel
        }
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 0; i < N; i++) {
            dawdle(i);
#pragma omp ordered depend(sink : i - 1)
            if (i > 0 && (i - 1) % threads != who && !done[i - 1])
                count_up(&wrong);
            done[i] = 1;
#pragma omp ordered depend(source)
        }
#pragma omp cancel parallel
    }
    for (int i = 0; i < N; i++)
        missing += !done[i] && i % threads != who;
    CHECK_EQ(missing, 0);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 40);
#pragma omp parallel
#pragma omp single
    threads = omp_get_num_threads();
    for (int i = 0; i < rounds; i++) {
        omp_set_schedule((omp_sched_t)(1 + i % 3), i % 4);
        ordered();
        without_one(i % 9);
        doacross(i % 9);
    }
    CHECK_EQ(wrong, 0);
    return check_done("cancel_ordered");
}
