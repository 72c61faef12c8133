// repeat: 10
// reduction(task, ...) on parallel, loops, sections and scope: tasks of all threads reduce into the construct's variable.
#include "../check.h"

enum { N = 80 };

static long regions(int n, int threads) {
    long sum = 5, most = 0;
    int team = 0;

#pragma omp parallel reduction(task, + : sum) reduction(max : most) num_threads(threads) reduction(max : team)
    {
        sum += 1;
        team = omp_get_num_threads();
        for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(i)
            {
                sum += i;
#pragma omp task in_reduction(+ : sum)
                sum++;
            }
        }
        most = n;
    }
    CHECK_EQ(sum, 5 + team * (1 + (long)n * (n - 1) / 2 + n));
    return most;
}

static void constructs(int n) {
    static long loop, chunks, dynamic, runtime, ull, ordered;
    static int pieces, scope, other[4];

#pragma omp single
    {
        loop = chunks = dynamic = runtime = ull = ordered = 10;
        pieces = scope = 3;
        for (int i = 0; i < 4; i++)
            other[i] = i;
    }
#pragma omp for reduction(task, + : loop)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : loop) firstprivate(i)
        loop += i;
    }
#pragma omp for reduction(task, + : chunks, other) schedule(static, 3)
    for (int i = 0; i < n; i++) {
        chunks++;
#pragma omp task in_reduction(+ : chunks, other) firstprivate(i)
        {
            chunks += i;
            other[i % 4]++;
        }
    }
#pragma omp for reduction(task, + : dynamic) schedule(dynamic)
    for (int i = n; i > 0; i--) {
#pragma omp task in_reduction(+ : dynamic) firstprivate(i)
        dynamic += i;
    }
#pragma omp for reduction(task, + : runtime) schedule(runtime)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : runtime)
        runtime += 2;
    }
#pragma omp for reduction(task, + : ull) schedule(guided, 2)
    for (unsigned long long i = 0; i < (unsigned long long)n; i++) {
#pragma omp task in_reduction(+ : ull) firstprivate(i)
        ull += (long)i;
    }
#pragma omp for reduction(task, + : ordered) schedule(dynamic) ordered
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : ordered)
        ordered++;
#pragma omp ordered
        ordered++;
    }
#pragma omp sections reduction(task, + : pieces)
    {
#pragma omp task in_reduction(+ : pieces)
        pieces += 1;
#pragma omp section
        pieces += 10;
#pragma omp section
#pragma omp task in_reduction(+ : pieces)
        pieces += 100;
    }
#ifdef __clang__ /* it lacks this scope */
#    pragma omp single
    scope += 4 * omp_get_num_threads();
#else
#    pragma omp scope reduction(task, + : scope)
    {
#    pragma omp task in_reduction(+ : scope)
        scope += 4;
    }
#endif
#pragma omp single
    {
        long sum = (long)n * (n - 1) / 2;
        CHECK_EQ(loop, 10 + sum);
        CHECK_EQ(chunks, 10 + sum + n);
        CHECK_EQ(other[0] + other[1] + other[2] + other[3], n + 6);
        CHECK_EQ(dynamic, 10 + sum + n);
        CHECK_EQ(runtime, 10 + 2 * n);
        CHECK_EQ(ull, 10 + sum);
        CHECK_EQ(ordered, 10 + 2 * n);
        CHECK_EQ(pieces, 114);
        CHECK_EQ(scope, 3 + 4 * omp_get_num_threads());
    }
}

static void combined_ones(int n) {
    long a = 0, b = 7;
    int s = 0;

#pragma omp parallel for reduction(task, + : a) schedule(dynamic)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : a) firstprivate(i)
        a += i;
    }
#pragma omp parallel for reduction(task, + : b)
    for (int i = 0; i < n; i++) {
#pragma omp task in_reduction(+ : b) firstprivate(i)
        b += i;
    }
#pragma omp parallel sections reduction(task, + : s)
    {
#pragma omp task in_reduction(+ : s)
        s += 1;
#pragma omp section
        s += 2;
    }
    CHECK_EQ(a, (long)n * (n - 1) / 2);
    CHECK_EQ(b, 7 + (long)n * (n - 1) / 2);
    CHECK_EQ(s, 3);
}

/* Copies of several megabytes; groups inside that reduce the copies further. */
static void large(void) {
    enum { SIZE = 300000 };
    static int big[SIZE];
    long total = 0;

#pragma omp parallel reduction(task, + : big)
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : big) firstprivate(i)
        {
#ifdef __clang__ /* it takes a part of an array for one element */
            for (int j = 0; j < 50; j++)
                big[100 * i + j]++;
#else
#    pragma omp taskgroup task_reduction(+ : big [100 * i:50])
            for (int j = 0; j < 50; j++) {
#    pragma omp task in_reduction(+ : big [100 * i:50]) firstprivate(j)
                big[100 * i + j]++;
            }
#endif
            big[SIZE - 1 - i]++;
        }
    }
    for (int i = 0; i < SIZE; i++)
        total += big[i];
    CHECK_EQ(total, 20 * 51);
    for (int i = 0; i < SIZE; i++)
        big[i] = 0;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 20);

    for (int r = 0; r < rounds; r++) {
        CHECK_EQ(regions(N, 1 + r % 8), N);
#pragma omp parallel
        constructs(N - r);
        combined_ones(N);
        if (r % 10 == 0)
            large();
    }
    constructs(N); /* outside of all regions */
    printf("rounds %d\n", rounds);
    return check_done("task_reduction_regions");
}
