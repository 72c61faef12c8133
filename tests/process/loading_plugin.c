/* A plugin whose constructor waits for another thread's region, while the loader's lock is held. */
#include <pthread.h>
#include <stdio.h>

static int members;

static void *region(void *arg) {
#pragma omp parallel num_threads(2)
    {
#pragma omp taskyield
#pragma omp atomic
        members++;
    }
    return arg;
}

__attribute__((constructor)) static void load(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, region, NULL) == 0)
        pthread_join(thread, NULL);
}

int run(void);
int run(void) {
    printf("%d members\n", members);
    return 0;
}
