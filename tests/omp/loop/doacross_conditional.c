// gcc only: clang miscompiles conditional lastprivate variables of such loops
// beyond libgomp: it waits for iterations before the first, and with shared memory and three threads forever
// flags: -Wno-maybe-uninitialized
// repeat: 5
// lastprivate(conditional:) on doacross loops: the threads share progress and the program's memory.
#include "../check.h"

static void last_ones(int n, int seed, int *result) {
    static int a, b, c;

#pragma omp single
    a = b = c = -1;
#pragma omp for lastprivate(conditional : a) schedule(static, 2) ordered(1) nowait
    for (int i = 0; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
        if ((i ^ seed) % 23 == 0)
            a = i;
#pragma omp ordered depend(source)
    }
#pragma omp for lastprivate(conditional : b) schedule(dynamic) ordered(2) nowait
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j)
            if ((i ^ seed) % 19 == 0)
                b = 3 * i + j;
#pragma omp ordered depend(source)
        }
#pragma omp for lastprivate(conditional : c) schedule(runtime) ordered(1)
    for (unsigned long long i = 0; i < (unsigned long long)n; i++) {
#pragma omp ordered depend(sink : i - 1)
        if ((i ^ (unsigned long long)seed) % 17 == 0)
            c = (int)i;
#pragma omp ordered depend(source)
    }
#pragma omp single
    {
        result[0] = a;
        result[1] = b;
        result[2] = c;
    }
}

static int last_of(int n, int seed, int divisor) {
    int last = -1;
    for (int i = 0; i < n; i++)
        if ((i ^ seed) % divisor == 0)
            last = i;
    return last;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 100), n = 150, result[3];

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        last_ones(n, r, result);
        CHECK_EQ(result[0], last_of(n, r, 23));
        CHECK_EQ(result[1], 3 * last_of(n, r, 19) + 2);
        CHECK_EQ(result[2], last_of(n, r, 17));
    }
    printf("rounds %d\n", rounds);
    return check_done("doacross_conditional");
}
