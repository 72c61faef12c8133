// gcc only: clang miscompiles conditional lastprivate variables
// repeat: 10
// flags: -Wno-maybe-uninitialized
// lastprivate(conditional:) and inscan reductions: constructs whose threads share memory of the program.
#include "../check.h"

enum { N = 200 };

struct last {
    int in_static, in_chunks, in_dynamic, in_guided, in_runtime, in_ull, in_ordered, in_sections;
    long two;
};

static void orphaned(int n, int seed, struct last *result) {
    static int a, b, c, d, e, f, g, s;
    static long a2;

#pragma omp single
    a = b = c = d = e = f = g = s = -1, a2 = -1;
#pragma omp for lastprivate(conditional : a, a2) schedule(static)
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % 7 == 0) {
            a = i;
            if (i % 2)
                a2 = 10 * i;
        }
#pragma omp for lastprivate(conditional : b) schedule(static, 3) nowait
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % 11 == 0)
            b = i;
#pragma omp for lastprivate(conditional : c) schedule(dynamic, 2) nowait
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % 5 == 0)
            c = i;
#pragma omp for lastprivate(conditional : d) schedule(guided) nowait
    for (unsigned i = 0; i < (unsigned)n; i++)
        if ((i ^ (unsigned)seed) % 3 == 0)
            d = (int)i;
#pragma omp for lastprivate(conditional : e) schedule(runtime) nowait
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % 13 == 0)
            e = i;
#pragma omp for lastprivate(conditional : f) schedule(nonmonotonic : runtime)
    for (unsigned long long i = 0; i < (unsigned long long)n; i++)
        if ((i ^ (unsigned long long)seed) % 17 == 0)
            f = (int)i;
#pragma omp for lastprivate(conditional : g) schedule(dynamic) ordered
    for (int i = 0; i < n; i++) {
#pragma omp ordered
        if ((i ^ seed) % 19 == 0)
            g = i;
    }
#pragma omp sections lastprivate(conditional : s)
    {
        s = 1;
#pragma omp section
        if (seed % 2)
            s = 2;
#pragma omp section
        if (seed % 4 == 0)
            s = 3;
#pragma omp section
        busy_work(1, 10);
    }
#pragma omp single
    *result = (struct last){a, b, c, d, e, f, g, s, a2};
}

static int last_of(int n, int seed, int divisor) {
    int last = -1;
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % divisor == 0)
            last = i;
    return last;
}

static void check_last(int n, int seed, const struct last *got) {
    long two = -1;
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % 7 == 0 && i % 2)
            two = 10 * i;
    CHECK_EQ(got->in_static, last_of(n, seed, 7));
    CHECK_EQ(got->two, two);
    CHECK_EQ(got->in_chunks, last_of(n, seed, 11));
    CHECK_EQ(got->in_dynamic, last_of(n, seed, 5));
    CHECK_EQ(got->in_guided, last_of(n, seed, 3));
    CHECK_EQ(got->in_runtime, last_of(n, seed, 13));
    CHECK_EQ(got->in_ull, last_of(n, seed, 17));
    CHECK_EQ(got->in_ordered, last_of(n, seed, 19));
    CHECK_EQ(got->in_sections, seed % 4 == 0 ? 3 : seed % 2 ? 2 : 1);
}

/* Prefix sums, inclusive and exclusive. */
static void scans(int n) {
    static int in[N], inclusive[N], exclusive[N], greatest[N];
    int sum = 0, before = 5, most = 0;

    for (int i = 0; i < n; i++)
        in[i] = (int)(scramble((unsigned)i) % 100);
#pragma omp parallel
    {
#pragma omp for reduction(inscan, + : sum)
        for (int i = 0; i < n; i++) {
            sum += in[i];
#pragma omp scan inclusive(sum)
            inclusive[i] = sum;
        }
#pragma omp for reduction(inscan, + : before)
        for (int i = 0; i < n; i++) {
            exclusive[i] = before;
#pragma omp scan exclusive(before)
            before += in[i];
        }
#pragma omp for reduction(inscan, max : most)
        for (unsigned long long i = 0; i < (unsigned long long)n; i++) {
            most = in[i] > most ? in[i] : most;
#pragma omp scan inclusive(most)
            greatest[i] = most;
        }
    }
    int total = 0, maximum = 0;
    for (int i = 0; i < n; i++) {
        CHECK_EQ(exclusive[i], total + 5);
        total += in[i];
        maximum = in[i] > maximum ? in[i] : maximum;
        CHECK_EQ(inclusive[i], total);
        CHECK_EQ(greatest[i], maximum);
    }
    CHECK_EQ(sum, total);
    CHECK_EQ(before, total + 5);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 100);
    struct last last;

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        orphaned(N - r % 90, r, &last);
        check_last(N - r % 90, r, &last);
    }
    orphaned(N, 3, &last); /* outside of all regions */
    check_last(N, 3, &last);
    for (int r = 0; r < rounds; r++)
        scans(N - r % 90);
    printf("rounds %d\n", rounds);
    return check_done("loop_conditional");
}
