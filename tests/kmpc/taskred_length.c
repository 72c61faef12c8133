// threads: 2 8
// repeat: 10
// beyond libomp: its result depends on the threads that run the tasks
// Task reductions of arrays whose length only the program knows: clang's functions take it from the thread's last task.
// Here the combining thread may have run no task, or one with another length.
#include "calls.h"

static long one(int n, int pause) {
    long sum = 0, array[n], twice[2 * n];
    for (int i = 0; i < n; i++)
        array[i] = twice[2 * i] = twice[2 * i + 1] = 0;
#pragma omp taskgroup task_reduction(+ : array[:n], twice[:2 * n])
    {
        for (int k = 0; k < 4; k++) {
#pragma omp task in_reduction(+ : array[:n], twice[:2 * n])
            for (int i = 0; i < n; i++) {
                array[i] += i;
                twice[n + i]++;
            }
        }
        if (pause) /* another thread runs them all */
            busy_work(1, 100000);
#pragma omp taskloop in_reduction(+ : array[:n]) nogroup grainsize(1)
        for (int i = 0; i < n; i++)
            array[i] += 1000;
        if (pause)
            busy_work(2, 100000);
    }
    for (int i = 0; i < n; i++)
        sum += array[i] * (i + 1) + twice[n + i] + 7 * twice[i];
    return sum;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 100);
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < rounds; round++) {
        int n = 1 + scramble((unsigned)round) % 100;
        long want = 0;
        for (int i = 0; i < n; i++)
            want += (4 * i + 1000L) * (i + 1) + 4;
        CHECK_EQ(one(n, round % 2), want);
    }
    return check_done("taskred_length");
}
