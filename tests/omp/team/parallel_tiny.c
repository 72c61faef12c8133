// env: OMP_WAIT_POLICY=passive
// env: OMP_WAIT_POLICY=active
// repeat: 50
// Thousands of nearly empty regions.
#include "../check.h"

struct slot {
    long count;
    char pad[120];
};

int main(int argc, char **argv) {
    long regions = check_arg(argc, argv, 1, 2000);
    int threads = omp_get_max_threads();
    struct slot slots[CHECK_MAX_THREADS] = {{0}};
    long sum = 0;

    for (long r = 0; r < regions; r++) {
#pragma omp parallel
        slots[omp_get_thread_num()].count++;
    }
    for (int i = 0; i < CHECK_MAX_THREADS; i++)
        CHECK_EQ(slots[i].count, i < threads ? regions : 0);

    for (long r = 0; r < regions / 2; r++) {
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 16; i++)
            sum += i;
    }
    CHECK_EQ(sum, regions / 2 * 120);
    printf("regions %ld sum %ld\n", regions, sum);
    return check_done("parallel_tiny");
}
