// env: OMP_THREAD_LIMIT=6 OMP_MAX_ACTIVE_LEVELS=4
// env: OMP_THREAD_LIMIT=1
// env: OMP_THREAD_LIMIT=13 OMP_MAX_ACTIVE_LEVELS=4
// env: OMP_MAX_ACTIVE_LEVELS=4
// threads: 2 8
// repeat: 60
// The thread limit covers all regions below an initial thread together: threads of one region are not available to
// another until it ends.
#include "../check.h"

#include <pthread.h>

/* Threads granted at the same time, besides the initial one. */
static int extra, most_extra;

static int inner_size(int wanted) {
    int size = 0;

#pragma omp parallel num_threads(wanted)
    {
        if (omp_get_thread_num() == 0) {
            int now = __atomic_add_fetch(&extra, omp_get_num_threads() - 1, __ATOMIC_SEQ_CST);
            int most = __atomic_load_n(&most_extra, __ATOMIC_SEQ_CST);

            while (now > most && !__atomic_compare_exchange_n(&most_extra, &most, now, 0, __ATOMIC_SEQ_CST,
                                                              __ATOMIC_SEQ_CST))
                ;
            size = omp_get_num_threads();
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            __atomic_sub_fetch(&extra, omp_get_num_threads() - 1, __ATOMIC_SEQ_CST);
    }
    return size;
}

/* One nested region after the other: the size of each is certain. */
static void one_by_one(void) {
    for (int outer = 1; outer <= 8; outer++) {
        int got[3] = {0, 0, 0};

#pragma omp parallel num_threads(outer)
#pragma omp master
        {
            got[0] = omp_get_num_threads();
            got[1] = inner_size(4);
#pragma omp parallel num_threads(3)
#pragma omp master
            got[2] = omp_get_num_threads() * 100 + inner_size(20);
        }
        printf("%d threads wanted: %d, in it %d, %d\n", outer, got[0], got[1], got[2]);
    }
    printf("at last %d\n", inner_size(10));
}

/* All at once: never more than the limit, and the whole limit is available again at the end. */
static void at_once(int rounds) {
    int limit = omp_get_thread_limit();
    int before = inner_size(8);

    for (int round = 0; round < rounds; round++) {
        most_extra = 0;
#pragma omp parallel num_threads(3)
        {
            int outer = omp_get_num_threads();

            for (int i = 0; i < 5; i++)
                CHECK(inner_size(4) >= 1);
#pragma omp barrier
#pragma omp master
            CHECK(outer + most_extra <= limit);
        }
        CHECK_EQ(inner_size(8), before);
    }
}

static void *other_thread(void *size) {
    *(int *)size = inner_size(8);
    return NULL;
}

/* A host thread has its own limit. */
static void other_groups(void) {
    int mine = 0, its = 0;

#pragma omp parallel num_threads(4)
#pragma omp master
    {
        pthread_t thread;

        mine = omp_get_num_threads();
        pthread_create(&thread, NULL, other_thread, &its);
        pthread_join(thread, NULL);
    }
    printf("main thread %d, another %d\n", mine, its);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 300);

    one_by_one();
    at_once(rounds);
    other_groups();
    return check_done("thread_limit");
}
