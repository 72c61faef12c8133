// repeat: 1
// Host threads start and end: each runs a few regions; main keeps its own team meanwhile.
#include "../check.h"

#include <pthread.h>

static void *run_host(void *arg) {
    long *result = arg;
    long sum = 0;

    for (int r = 0; r < 3; r++) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
            sum += omp_get_thread_num();
#pragma omp task shared(sum)
            CHECK_EQ(omp_get_num_threads(), 4);
#pragma omp taskwait
        }
    }
    *result = sum;
    return NULL;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 25);
    int threads = omp_get_max_threads();
    int members = 0;

    for (int r = 0; r < rounds; r++) {
        pthread_t host[2];
        long sums[2] = {0, 0};
        int here = 0;

        for (int i = 0; i < 2; i++)
            CHECK_EQ(pthread_create(&host[i], NULL, run_host, &sums[i]), 0);
#pragma omp parallel reduction(+ : here)
        here++;
        CHECK_EQ(here, threads);
        for (int i = 0; i < 2; i++) {
            pthread_join(host[i], NULL);
            CHECK_EQ(sums[i], 18);
        }
        members += here;
    }
    printf("members %d\n", members);
    return check_done("host_threads_churn");
}
