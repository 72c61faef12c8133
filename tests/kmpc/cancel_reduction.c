// beyond libomp: it hangs where one thread cancels a construct with a reduction and another one reaches its end
// env: OMP_CANCELLATION=true
// env: OMP_CANCELLATION=true BLITZ_DETERMINISTIC=true
// env: OMP_CANCELLATION=false
// threads: 1 2 4 8
// repeat: 5
// Cancelled loops and sections with a reduction: threads that cancel or notice skip the reduction, the others reach it,
// and all meet again at the barrier after it. Later constructs of the region are complete, in each thread.
#include "check.h"

enum { N = 200, ROUNDS = 30 };

struct large {
    long sum, rest[40];
};
static void add_large(struct large *into, const struct large *from) {
    into->sum += from->sum;
}
#pragma omp declare reduction(large                                                                          \
                              : struct large                                                                 \
                              : add_large(&omp_out, &omp_in)) initializer(omp_priv = (struct large){0})

/* Run by all threads of a region after a cancelled construct: an incomplete one would show that they differ about the
 * current construct. */
static void check_whole(long *sum, int *once) {
#pragma omp for reduction(+ : sum [0:1])
    for (int i = 0; i < N; i++)
        *sum += i;
    CHECK_EQ(*sum, (long)N * (N - 1) / 2);
#pragma omp single
    ++*once;
#pragma omp for schedule(dynamic) reduction(+ : sum [0:1]) nowait
    for (int i = 0; i < N; i++)
        *sum += 1;
#pragma omp barrier
    CHECK_EQ(*sum, (long)N * (N - 1) / 2 + N);
    CHECK_EQ(*once, 1);
}

/* Variables merged by atomic instructions; by a lock; by functions. */
static void loops(int where) {
    long one = 0, a = 0, b = 0, c = 0, whole = 0;
    double product = 1;
    struct large large = {0};
    int once = 0;

#pragma omp parallel
    {
#pragma omp for reduction(+ : one)
        for (int i = 0; i < N; i++) {
            one++;
#pragma omp cancel for if (i == where)
        }
#pragma omp for reduction(+ : a, b, c) reduction(* : product) schedule(dynamic)
        for (int i = 0; i < N; i++) {
            a += i, b++, c--, product *= 1;
#pragma omp cancel for if (i == where)
        }
#pragma omp for reduction(large : large) schedule(static, 3)
        for (int i = 0; i < N; i++) {
            large.sum++;
#pragma omp cancellation point for
#pragma omp cancel for if (i == where)
        }
        check_whole(&whole, &once);
    }
    CHECK(one >= 0 && one <= N);
    CHECK(omp_get_cancellation() || (one == N && b == N && large.sum == N));
}

/* No thread reaches the reduction, or all but one do. */
static void all_or_one(void) {
    long all = 0, some = 0, whole = 0;
    int once = 0;

#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp for reduction(+ : all) schedule(static, 1)
        for (int i = 0; i < omp_get_num_threads(); i++) {
            all++;
#pragma omp cancel for
        }
#pragma omp for reduction(+ : some) schedule(static, 1)
        for (int i = 0; i < omp_get_num_threads(); i++) {
            some++;
#pragma omp cancel for if (me == 0)
        }
        check_whole(&whole, &once);
    }
}

static void sections(void) {
    long count = 0, whole = 0;
    int once = 0;

#pragma omp parallel
    {
#pragma omp sections reduction(+ : count)
        {
#pragma omp section
            {
                count++;
#pragma omp cancel sections
            }
#pragma omp section
            count++;
#pragma omp section
            count++;
        }
        check_whole(&whole, &once);
    }
    CHECK(count >= 0 && count <= 3);
}

/* The region ends with the construct, and its only barrier is there. */
static void combined(int where) {
    long count = 0, whole = 0;

#pragma omp parallel for reduction(+ : count)
    for (int i = 0; i < N; i++) {
        count++;
#pragma omp cancel for if (i == where)
    }
#pragma omp parallel sections reduction(+ : count)
    {
#pragma omp section
        {
            count++;
#pragma omp cancel sections
        }
#pragma omp section
        count++;
    }
#pragma omp parallel for reduction(+ : whole)
    for (int i = 0; i < N; i++)
        whole += i;
    CHECK_EQ(whole, (long)N * (N - 1) / 2);
}

/* Each thread also has a region of its own in a cancelled loop. */
static void nested(int where) {
    long outer = 0, whole = 0;
    int once = 0;

    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp for reduction(+ : outer)
        for (int i = 0; i < 8; i++) {
            long inner = 0, sum = 0;
#pragma omp parallel for reduction(+ : inner) num_threads(2)
            for (int k = 0; k < N; k++) {
                inner++;
#pragma omp cancel for if (k == where)
            }
#pragma omp parallel for reduction(+ : sum) num_threads(2)
            for (int k = 0; k < N; k++)
                sum++;
            CHECK_EQ(sum, N);
            outer++;
#pragma omp cancel for if (i == where % 8)
        }
        check_whole(&whole, &once);
    }
    omp_set_max_active_levels(1);
}

/* A construct's task reduction ends with it, even for threads that skip its end: the next end is the region's. */
static void tasks(int where) {
    long loop = 0, region = 0, whole = 0;
    int once = 0;

#pragma omp parallel reduction(task, + : region)
    {
#pragma omp for reduction(task, + : loop)
        for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : loop)
            loop++;
#pragma omp cancel for if (i == where || i % 50 == 7)
        }
        check_whole(&whole, &once);
#pragma omp task in_reduction(+ : region)
        region++;
    }
    CHECK_EQ(region, omp_get_max_threads());
    CHECK(loop >= 0 && loop <= N);
}

/* One thread cancels the region while others are in the reduction of a loop, or on their way. */
static void region(int who) {
    long count = 0, whole = 0;
    int once = 0;

#pragma omp parallel
    {
        if (omp_get_thread_num() == who % omp_get_num_threads()) {
#pragma omp cancel parallel
        }
#pragma omp for reduction(+ : count)
        for (int i = 0; i < N; i++) {
            count++;
#pragma omp cancel for if (i == N / 2)
        }
#pragma omp cancellation point parallel
        CHECK(!omp_get_cancellation());
    }
#pragma omp parallel
    check_whole(&whole, &once);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, ROUNDS);

    omp_set_dynamic(0);
    for (int i = 0; i < rounds; i++) {
        int where = i * 37 % N;
        loops(where);
        all_or_one();
        sections();
        combined(where);
        nested(where);
        tasks(where);
        region(i);
    }
    return check_done("cancel_reduction");
}
