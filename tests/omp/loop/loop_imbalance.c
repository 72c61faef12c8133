// Loops whose iterations cost very different amounts: triangular, one giant, giants at either end.
#include "../check.h"

enum { N = 300 };

static int triangular(int i) {
    return i * 4;
}

static int one_giant(int i) {
    return i == N / 2 ? 200000 : 5;
}

static int giants_first(int i) {
    return i < 4 ? 60000 : 10;
}

static int giants_last(int i) {
    return i >= N - 4 ? 60000 : 10;
}

static unsigned run(int (*cost)(int), int chunk) {
    unsigned by_dynamic = 0, by_guided = 0, by_static = 0;

#pragma omp parallel
    {
#pragma omp for schedule(dynamic, chunk) reduction(+ : by_dynamic) nowait
        for (int i = 0; i < N; i++)
            by_dynamic += busy_work((unsigned)i, cost(i));
#pragma omp for schedule(guided, chunk) reduction(+ : by_guided)
        for (int i = 0; i < N; i++)
            by_guided += busy_work((unsigned)i, cost(i));
#pragma omp for schedule(static, chunk) reduction(+ : by_static)
        for (int i = 0; i < N; i++)
            by_static += busy_work((unsigned)i, cost(i));
    }
    CHECK_EQ(by_dynamic, by_guided);
    CHECK_EQ(by_dynamic, by_static);
    return by_dynamic;
}

int main(void) {
    int (*const costs[])(int) = {triangular, one_giant, giants_first, giants_last};

    for (int c = 0; c < 4; c++) {
        unsigned expected = 0, sum = 0;

        for (int i = 0; i < N; i++)
            expected += busy_work((unsigned)i, costs[c](i));
        for (int chunk = 1; chunk < 20; chunk += 9)
            sum = run(costs[c], chunk);
        CHECK_EQ(sum, expected);
        printf("sum %u\n", sum);
    }
    return check_done("loop_imbalance");
}
