// beyond libomp: its result depends on the threads that run the tasks
// A reduction of an array whose length only the program knows, by tasks that run above a suspended task of another
// group, which ends later. Their own thread combines their results, not the one that ends the group.
#include "calls.h"

enum { TASKS = 4, ROUNDS = 40 };

static long one(int n) {
    int begun = 0, go = 0, ran = 0;
    long sum = 0, array[n];
    memset(array, 0, sizeof array);
#pragma omp task untied shared(begun, go)
    {
        signal_count(&begun);
        while (!count_read(&go)) {
#pragma omp taskyield
        }
    }
    wait_for_count(&begun, 1);
#pragma omp taskgroup task_reduction(+ : array[:n])
    {
        for (int k = 0; k < TASKS; k++) {
#pragma omp task in_reduction(+ : array[:n]) shared(ran)
            {
                for (int i = 0; i < n; i++)
                    array[i] += i + 1;
                signal_count(&ran);
            }
        }
        wait_for_count(&ran, TASKS);
    }
    signal_count(&go);
#pragma omp taskwait
    for (int i = 0; i < n; i++)
        sum += array[i];
    return sum;
}

int main(void) {
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int round = 0; round < ROUNDS; round++) {
        int n = 1 + scramble((unsigned)round) % 100;
        CHECK_EQ(one(n), TASKS * (n * (n + 1L) / 2));
    }
    return check_done("taskred_suspended");
}
