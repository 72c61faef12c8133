/* The alignments of all pairs, two parallel loops in each other. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_LOOP_2(align, i, struct alignment *, alignment, size_t, j) {
    alignment->scores[j][i] = alignment_score(alignment, (int)i, (int)j);
}

BLITZ_LOOP_1(align_with_earlier, j, struct alignment *, alignment) {
    BLITZ_FOR(align, 0, j, alignment, j);
}

static uint64_t align_all(void *alignment) {
    BLITZ_FOR(align_with_earlier, 1, PROTEINS, (struct alignment *)alignment);
    return 0;
}

int main(int argc, char **argv) {
    return alignment_main(argc, argv, align_all);
}
