// repeat: 10
// The team size alternates between 1 and 8 from region to region.
#include "../check.h"

int main(int argc, char **argv) {
    long rounds = check_arg(argc, argv, 1, 300);
    long total = 0, expected = 0;

    for (long round = 0; round < rounds; round++) {
        int size = 1 + (int)(scramble((unsigned)round) % 8);
        int ids = 0, members = 0;

#pragma omp parallel num_threads(size) reduction(+ : ids, members)
        {
            ids += 1 << omp_get_thread_num();
            members++;
            if (round % 3 == 0) {
#pragma omp barrier
            }
            CHECK_EQ(omp_get_num_threads(), size);
        }
        CHECK_EQ(members, size);
        CHECK_EQ(ids, (1 << size) - 1);
        total += members;
        expected += size;
    }

    /* Up and down in order, each size used twice in a row. */
    for (int step = 0; step < 32; step++) {
        int size = step < 16 ? 1 + step / 2 : 8 - (step - 16) / 2;
        int owner[8];

#pragma omp parallel for num_threads(size) schedule(static)
        for (int i = 0; i < size; i++)
            owner[i] = omp_get_thread_num();
        for (int i = 0; i < size; i++)
            CHECK_EQ(owner[i], i);
    }
    CHECK_EQ(total, expected);
    printf("regions %ld members %ld\n", rounds, total);
    return check_done("parallel_sizes");
}
