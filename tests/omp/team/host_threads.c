// repeat: 3 2
// Host threads that start regions of their own at the same time: each gets a team of its own.
#include "../check.h"

#include <pthread.h>

enum { MAX_HOSTS = 8 };

static int rounds;
static int shared_count;
static struct gauge in_critical;

struct host {
    pthread_t thread;
    int id;
    long sum;
};

static void *run_host(void *arg) {
    struct host *host = arg;
    int base = host->id * 1000;

    omp_set_num_threads(1 + host->id % 3);
    for (int r = 0; r < rounds; r++) {
        long sum = 0;

#pragma omp parallel reduction(+ : sum)
        {
            CHECK_EQ(omp_get_num_threads(), 1 + host->id % 3);
            CHECK_EQ(omp_get_level(), 1);
            sum += base;
#pragma omp for schedule(dynamic, 3)
            for (int i = 0; i < 40; i++)
                sum += i;
#pragma omp single
#pragma omp task shared(sum)
            CHECK_EQ(omp_get_num_threads(), 1 + host->id % 3);
            /* One critical for the whole process, not one per team. */
#pragma omp critical
            {
                gauge_enter(&in_critical);
                shared_count++;
                gauge_leave(&in_critical);
            }
        }
        host->sum += sum;
    }
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_get_max_threads(), 1 + host->id % 3);
    return NULL;
}

int main(int argc, char **argv) {
    int hosts = (int)check_arg(argc, argv, 1, 6);
    struct host host[MAX_HOSTS];
    int members = 0;

    rounds = (int)check_arg(argc, argv, 2, 30);
    for (int i = 0; i < hosts; i++) {
        host[i].id = i;
        host[i].sum = 0;
        CHECK_EQ(pthread_create(&host[i].thread, NULL, run_host, &host[i]), 0);
    }
    for (int i = 0; i < hosts; i++) {
        pthread_join(host[i].thread, NULL);
        CHECK_EQ(host[i].sum, rounds * (i * 1000L * (1 + i % 3) + 780));
        members += rounds * (1 + i % 3);
    }
    CHECK_EQ(in_critical.most, 1);
    CHECK_EQ(shared_count, members);

    /* A set_num_threads of a host thread affects that thread only. */
    printf("members %d, main still asks for %d\n", members, omp_get_max_threads());
    return check_done("host_threads");
}
