// repeat: 3
// Threads that reach the barrier at very different times, in turn; and regions that are all barrier.
#include "../check.h"

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 50);
    int threads = omp_get_max_threads();
    int arrived = 0;
    unsigned sink = 0;

#pragma omp parallel reduction(+ : sink)
    for (int r = 0; r < rounds; r++) {
        if (r % threads == omp_get_thread_num())
            sink += busy_work((unsigned)r, 20000) & 1;
        count_up(&arrived);
#pragma omp barrier
        CHECK_EQ(count_read(&arrived), (r + 1) * threads);
#pragma omp barrier
    }

    for (int r = 0; r < rounds; r++) {
#pragma omp parallel
        {
#pragma omp barrier
#pragma omp barrier
#pragma omp barrier
        }
    }
    printf("arrived %d sink %u\n", arrived, sink);
    return check_done("barrier_uneven");
}
