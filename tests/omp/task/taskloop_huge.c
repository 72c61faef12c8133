// env: OMP_CANCELLATION=true
// flags: -Wno-uninitialized
// threads: 2 3 8
// repeat: 1
// beyond libgomp: it creates a task for each of 2^40 iterations before it runs the first
// beyond libomp: it does so, too
// A taskloop of more tasks than fit in memory begins at once, and is cancelled.
#include "../check.h"

static int runs;

static void huge(void) {
    runs = 0;
#pragma omp taskloop grainsize(1)
    for (long i = 0; i < 1L << 40; i++) {
        count_up(&runs);
        if (i == 1000) {
#pragma omp cancel taskgroup
        }
    }
    CHECK(runs > 0);
}

/* All threads create them; no thread waits for them before the end of the region, which comes early. */
static void huge_and_nogroup(void) {
    runs = 0;
#pragma omp parallel
    {
#pragma omp taskloop grainsize(1) nogroup
        for (long i = 0; i < 1L << 50; i++)
            count_up(&runs);
        if (omp_get_thread_num() == 0) {
            wait_for_count(&runs, 10000);
#pragma omp cancel parallel
        }
#pragma omp barrier
    }
    CHECK(runs > 0);
}

int main(int argc, char **argv) {
    int rounds = (int)check_arg(argc, argv, 1, 3);

    for (int i = 0; i < rounds; i++) {
#pragma omp parallel
#pragma omp single
        huge();
        huge_and_nogroup();
    }
    return check_done("taskloop_huge");
}
