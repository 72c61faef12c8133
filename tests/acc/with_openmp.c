// flags: -fopenmp -pthread
// Both models in one program: OpenACC constructs within teams and tasks, on threads of the program, and OpenMP within the
// functions that they call.
#include "../omp/check.h"

#include <openacc.h>
#include <pthread.h>

#define N 1000

static int work(int n) {
    int a[100], sum = 0;
#pragma acc data create(a)
    {
#pragma acc parallel loop present(a) async(n)
        for (int i = 0; i < 100; i++)
            a[i] = n + i;
#pragma acc parallel loop reduction(+ : sum) present(a) async(n)
        for (int i = 0; i < 100; i++)
            sum += a[i];
#pragma acc wait(n)
        CHECK_EQ(acc_async_test(n), 1);
    }
    return sum;
}

static void in_teams(void) {
    long total = 0;
    int threads = 0;
#pragma omp parallel reduction(+ : total)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            total += work(i);
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK_EQ(total, 100L * N * (N - 1) / 2 + N * 4950L);
    CHECK_EQ(threads, omp_get_max_threads());
}

static void in_tasks(void) {
    int sums[50] = {0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++)
#pragma omp task depend(inout : sums[i % 5])
        sums[i] = work(i);
    for (int i = 0; i < 50; i++)
        CHECK_EQ(sums[i], 100 * i + 4950);
}

static int team_sum(int n) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

static int (*volatile called)(int) = team_sum;

static void *thread(void *arg) {
    CHECK_EQ(work(3), 5250);
    return arg;
}

int main(void) {
    int sum = 0, others = 4;
    pthread_t threads[4];
#pragma acc parallel copy(sum)
    sum = called(N);
    CHECK_EQ(sum, N * (N - 1) / 2);
    in_teams();
    in_tasks();
    for (int i = 0; i < others; i++)
        CHECK(pthread_create(&threads[i], NULL, thread, NULL) == 0);
    for (int i = 0; i < others; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    acc_shutdown(acc_device_host);
    in_teams();
    return check_done("with_openmp");
}
