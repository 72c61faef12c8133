// beyond libomp: its threads wait for one that is several loops behind
// repeat: 20
// nowait is no barrier: threads may finish a whole row of loops before the last thread enters the first one.
#include "../check.h"

int main(int argc, char **argv) {
    int loops = (int)check_arg(argc, argv, 1, 150);
    int threads = omp_get_max_threads();

    for (int late = 0; late < threads; late += 3) {
        int finished = 0, hits = 0, singles = 0, sections = 0;
        long late_hits = 0;

#pragma omp parallel
        {
            int me = omp_get_thread_num();

            if (me == late)
                wait_for_count(&finished, threads - 1);
            for (int l = 0; l < loops; l++) {
#pragma omp for schedule(dynamic, 2) nowait
                for (int i = 0; i < 12; i++) {
                    count_up(&hits);
                    if (me == late)
                        late_hits++;
                }
#pragma omp single nowait
                count_up(&singles);
#pragma omp for schedule(guided) nowait
                for (int i = 0; i < 12; i++)
                    count_up(&hits);
#pragma omp sections nowait
                {
#pragma omp section
                    count_up(&sections);
                }
            }
            signal_count(&finished);
        }
        CHECK_EQ(hits, 24 * loops);
        CHECK_EQ(singles, loops);
        CHECK_EQ(sections, loops);
        CHECK(threads == 1 || late_hits == 0);
    }
    printf("loops %d\n", loops);
    return check_done("loop_runahead");
}
