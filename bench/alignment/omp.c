/* The alignments of all pairs, a task for each; all threads create tasks, in a loop over the proteins. */
#include "workload.h"

static uint64_t align_all(void *arg) {
    struct alignment *alignment = arg;
#pragma omp parallel for schedule(dynamic)
    for (int j = 1; j < PROTEINS; j++)
        for (int i = 0; i < j; i++) {
#pragma omp task
            alignment->scores[j][i] = alignment_score(alignment, i, j);
        }
    return 0;
}

int main(int argc, char **argv) {
    return alignment_main(argc, argv, align_all);
}
