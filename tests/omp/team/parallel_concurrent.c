// repeat: 3
// The members of a team run at the same time: each waits, in plain code, for the others' steps.
#include "../check.h"

/* All threads must arrive before any leaves. */
static void meet(int threads, int rounds) {
    int *arrived = (int *)calloc((size_t)rounds, sizeof(int));

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        signal_count(&arrived[r]);
        wait_for_count(&arrived[r], threads);
    }
    for (int r = 0; r < rounds; r++)
        CHECK_EQ(arrived[r], threads);
    free(arrived);
}

/* A token goes round; its value is plain data, ordered by the counter. */
static long ring(int threads, int laps) {
    int turn = 0;
    long token = 0;

#pragma omp parallel
    {
        int me = omp_get_thread_num();

        for (int lap = 0; lap < laps; lap++) {
            wait_for_count(&turn, lap * threads + me);
            token = token * 3 % 1000003 + me;
            signal_count(&turn);
        }
    }
    return token;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 100);
    int threads = omp_get_max_threads();
    long expected = 0, token;

    meet(threads, rounds);
    token = ring(threads, rounds);
    for (int i = 0; i < rounds * threads; i++)
        expected = expected * 3 % 1000003 + i % threads;
    CHECK_EQ(token, expected);
    printf("rounds %d token %ld\n", rounds, token);
    return check_done("parallel_concurrent");
}
