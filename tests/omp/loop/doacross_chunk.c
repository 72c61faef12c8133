// beyond libgomp: 12 hangs
// gcc only: LLVM's functions take the chunk as a signed number
// One chunk of 2^63 iterations, or more, holds the whole loop: one thread runs it.
#include "../check.h"

enum { N = 40 };

static int who[N];

static void check_one(void) {
    for (int i = 1; i < N; i++)
        CHECK_EQ(who[i], who[0]);
}

static void whole(unsigned long long chunk) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for ordered(1) schedule(static, chunk)
        for (unsigned long long i = 0; i < N; i++) {
            who[i] = omp_get_thread_num();
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
        }
#pragma omp single
        check_one();
#pragma omp for ordered(1) schedule(dynamic, chunk)
        for (unsigned long long i = 0; i < N; i++) {
            who[i] = omp_get_thread_num();
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
        }
    }
    check_one();
}

int main(void) {
    whole(N);
    whole(1ULL << 63);
    whole(~0ULL);
    return check_done("doacross_chunk");
}
