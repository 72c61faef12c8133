// ordered: the regions run in iteration order under every schedule, also when iterations skip theirs.
#include "../check.h"

enum { N = 90 };

static int sequence[N], length;

static void append(int i) {
    sequence[length++] = i;
}

static void check_sequence(int keep_every) {
    int expected = 0;

    for (int i = 0; i < N; i += keep_every)
        CHECK(expected < length && sequence[expected++] == i);
    CHECK_EQ(length, expected);
    length = 0;
}

static void all_schedules(int skip, int chunk) {
#pragma omp parallel
    {
#pragma omp for ordered schedule(static)
        for (int i = 0; i < N; i++) {
            if (i % skip == 0) {
#pragma omp ordered
                append(i);
            }
        }
#pragma omp single
        check_sequence(skip);
#pragma omp for ordered schedule(static, chunk)
        for (int i = 0; i < N; i++) {
            if (i % skip == 0) {
#pragma omp ordered
                append(i);
            }
        }
#pragma omp single
        check_sequence(skip);
#pragma omp for ordered schedule(dynamic, chunk)
        for (int i = 0; i < N; i++) {
            if (i % skip == 0) {
#pragma omp ordered
                append(i);
            }
        }
#pragma omp single
        check_sequence(skip);
#pragma omp for ordered schedule(guided, chunk)
        for (int i = 0; i < N; i++) {
            busy_work((unsigned)i, i % 7 * 10);
            if (i % skip == 0) {
#pragma omp ordered
                append(i);
            }
        }
#pragma omp single
        check_sequence(skip);
#pragma omp for ordered schedule(runtime)
        for (unsigned long long i = 0; i < N; i++) {
            if (i % (unsigned)skip == 0) {
#pragma omp ordered
                append((int)i);
            }
        }
#pragma omp single
        check_sequence(skip);
#pragma omp for ordered schedule(auto)
        for (int i = N; i > 0; i--) {
            if ((N - i) % skip == 0) {
#pragma omp ordered
                append(N - i);
            }
        }
#pragma omp single
        check_sequence(skip);
    }
}

/* One loop after the other: the order of one must not depend on the one before. */
static void in_a_row(int rounds) {
    int first = 0, second = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            CHECK_EQ(first++, r * 10 + i);
        }
#pragma omp for ordered schedule(static, 3)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            CHECK_EQ(second++, r * 10 + i);
        }
    }
    CHECK_EQ(first, rounds * 10);
    CHECK_EQ(second, rounds * 10);
}

int main(int argc, char **argv) {
    static const int skips[] = {1, 2, 7, 50, 1000};
    int rounds = (int)check_arg(argc, argv, 1, 10);

    for (int s = 0; s < 5; s++)
        all_schedules(skips[s], 1 + s * 2);
    in_a_row(rounds);

    /* Constant bounds. */
#pragma omp parallel for ordered schedule(dynamic, 2)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
        append(i);
    }
    check_sequence(1);
    printf("rounds %d\n", rounds);
    return check_done("loop_ordered");
}
