// repeat: 3
// single with and without nowait, with copyprivate, and master.
#include "../check.h"

struct message {
    int number;
    char text[40];
};

static void copies(int threads, int rounds) {
    int heard = 0, said = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
        struct message message;
        double values[3];
        int *shared_block;

#pragma omp single copyprivate(message, values, shared_block)
        {
            count_up(&said);
            message.number = r;
            snprintf(message.text, sizeof message.text, "round %d", r);
            values[0] = values[1] = values[2] = r * 0.5;
            shared_block = calloc(CHECK_MAX_THREADS, sizeof(int));
        }
        CHECK_EQ(message.number, r);
        CHECK_EQ(atoi(message.text + 6), r);
        CHECK(values[2] == r * 0.5);
        shared_block[omp_get_thread_num()] = r + 1;
        count_up(&heard);
#pragma omp barrier
#pragma omp single nowait
        {
            for (int t = 0; t < CHECK_MAX_THREADS; t++)
                CHECK_EQ(shared_block[t], t < threads ? r + 1 : 0);
            free(shared_block);
        }
    }
    CHECK_EQ(heard, rounds * threads);
    CHECK_EQ(said, rounds);
}

static void exactly_once(int rounds) {
    int waited = 0, ran_ahead = 0, last = 0;

#pragma omp parallel
    {
        for (int r = 0; r < rounds; r++) {
#pragma omp single
            waited++;
            CHECK_EQ(waited, r + 1);
#pragma omp barrier
        }
        for (int r = 0; r < rounds; r++) {
#pragma omp single nowait
            count_up(&ran_ahead);
        }
#pragma omp barrier
#pragma omp single
        last = ran_ahead;
    }
    CHECK_EQ(last, rounds);
}

static void masters(int rounds) {
    int by_master = 0;

#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
#pragma omp master
        {
            CHECK_EQ(omp_get_thread_num(), 0);
            by_master++;
        }
#pragma omp barrier
        CHECK_EQ(by_master, r + 1);
#pragma omp barrier
    }
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 60);
    int threads = omp_get_max_threads();

    copies(threads, rounds);
    exactly_once(rounds * 4);
    masters(rounds);
    printf("rounds %d\n", rounds);
    return check_done("single");
}
