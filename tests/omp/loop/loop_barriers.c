// beyond libomp: linear variables of loops are sometimes wrong
// repeat: 3
// Constructs with a barrier that the compiler inserts between their start and end: threads copy variables that the end
// of a loop or of sections overwrites, and scans have two phases.
#include "../check.h"

enum { N = 300, WORDS = 3000 };

static int linear(int i, int n) {
#pragma omp parallel for linear(i : 4) schedule(dynamic, 3)
    for (int j = 0; j < n; j++)
        i += 4;
    return i;
}

/* The same, and constructs before and after it without barriers. */
static void in_a_row(int n) {
    int first = 1, last = 7;
    long before = 0, after = 0;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic) nowait reduction(+ : before)
        for (int j = 0; j < n; j++)
            before += j;
#pragma omp for schedule(monotonic : guided) firstprivate(last) lastprivate(last) nowait
        for (int j = 0; j < n; j++)
            last = j + (last == 7 || last < j ? 0 : 1000);
#pragma omp sections firstprivate(first) lastprivate(first)
        {
#pragma omp section
            first += 1;
#pragma omp section
            first += 2;
        }
#pragma omp for schedule(dynamic) reduction(+ : after)
        for (int j = 0; j < n; j++)
            after += j;
    }
    CHECK_EQ(before, (long)n * (n - 1) / 2);
    CHECK_EQ(after, (long)n * (n - 1) / 2);
    CHECK_EQ(last, n - 1);
    CHECK(first == 3 || first == 4); /* one thread may run both */
}

/* The shared data of a scan is large, and in use after the barriers. */
struct sums {
    long word[WORDS];
};

static void add(struct sums *to, const struct sums *from) {
    for (int k = 0; k < WORDS; k++)
        to->word[k] += from->word[k];
}
#pragma omp declare reduction(+ : struct sums : add(&omp_out, &omp_in)) initializer(omp_priv = (struct sums){{0}})

static void scan(int n) {
    static struct sums sums;
    static long seen[N];
    long wanted = 0;

    sums = (struct sums){{0}};
#pragma omp parallel for reduction(inscan, + : sums)
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < WORDS; k++)
            sums.word[k] += i + k;
#pragma omp scan inclusive(sums)
        seen[i] = sums.word[WORDS - 1];
    }
    for (int i = 0; i < n; i++) {
        wanted += i + WORDS - 1;
        CHECK_EQ(seen[i], wanted);
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 30);

    for (int r = 0; r < rounds; r++) {
        CHECK_EQ(linear(r, 48), r + 4 * 48);
        in_a_row(50 + r);
    }
    for (int r = 0; r < 3; r++)
        scan(N);
    return check_done("loop_barriers");
}
