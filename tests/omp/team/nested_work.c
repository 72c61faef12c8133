// env: OMP_MAX_ACTIVE_LEVELS=2
// repeat: 1
// Inner teams, several at once, each with barriers, singles, loops and tasks of their own.
#include "../check.h"

enum { INNER = 3, N = 60 };

/* One inner team adds up base+0 .. base+N-1 in four ways; each must be complete after the barrier of that team. */
static long inner_team(int base) {
    long by_loop = 0, by_task = 0, by_dynamic = 0;
    int singles = 0;
    int phase[INNER] = {0};

#pragma omp parallel num_threads(INNER)
    {
        int me = omp_get_thread_num();

        CHECK_EQ(omp_get_num_threads(), INNER);
        for (int round = 1; round <= 4; round++) {
            phase[me] = round;
#pragma omp barrier
            for (int i = 0; i < INNER; i++)
                CHECK_EQ(phase[i], round);
#pragma omp barrier
        }
#pragma omp for reduction(+ : by_loop)
        for (int i = 0; i < N; i++)
            by_loop += base + i;
#pragma omp single
        {
            singles++;
            for (int i = 0; i < N; i++) {
#pragma omp task shared(by_task) firstprivate(i)
                {
#pragma omp atomic
                    by_task += base + i;
                }
            }
        }
        CHECK_EQ(by_task, by_loop);
#pragma omp for schedule(dynamic, 4) reduction(+ : by_dynamic)
        for (int i = 0; i < N; i++)
            by_dynamic += base + i;
    }
    CHECK_EQ(singles, 1);
    CHECK_EQ(by_dynamic, by_loop);
    return by_loop;
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 12);
    int threads = omp_get_max_threads();
    long total = 0, expected = 0;

    for (int round = 0; round < rounds; round++) {
#pragma omp parallel reduction(+ : total)
        {
            total += inner_team(1000 * omp_get_thread_num());
#pragma omp barrier
            total += inner_team(round);
        }
    }
    for (int round = 0; round < rounds; round++)
        for (int t = 0; t < threads; t++)
            expected += (1000L * t + round) * N + N * (N - 1L);
    CHECK_EQ(total, expected);
    printf("total %ld\n", total);
    return check_done("nested_work");
}
