// repeat: 20
// Target regions, updates and data constructs among tasks that depend on each other, deferred and not.
#include "../check.h"

static int run(int n) {
    int x = 0, y = 0, sum = 0;

#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < n; i++) {
#pragma omp task depend(inout : x) shared(x)
            x = busy_work(1, 50) ? x + 1 : 0;
#pragma omp target nowait depend(inout : x) depend(out : y) map(tofrom : x, y)
            {
                x *= 3;
                y = x;
            }
#pragma omp target update depend(in : y) nowait to(y)
#pragma omp target enter data map(to : y) depend(inout : y) nowait
#pragma omp task depend(in : y) shared(y, sum) firstprivate(i)
            {
#pragma omp atomic
                sum += y % 7 + i;
            }
#pragma omp target exit data map(from : y) depend(inout : y)
#pragma omp target depend(inout : x) map(tofrom : x)
            x %= 1000;
        }
#pragma omp taskwait
    }
    return sum * 1000 + x;
}

static int run_serial(int n) {
    int x = 0, sum = 0;

    for (int i = 0; i < n; i++) {
        x = (x + 1) * 3;
        sum += x % 7 + i;
        x %= 1000;
    }
    return sum * 1000 + x;
}

int main(int argc, char **argv) {
    int n = (int)check_arg(argc, argv, 1, 500);

    CHECK_EQ(run(n), run_serial(n));
    return check_done("target_depend");
}
