/* The alignments of all pairs, one after the other. */
#include "workload.h"

static uint64_t align_all(void *alignment) {
    alignment_serial(alignment);
    return 0;
}

int main(int argc, char **argv) {
    return alignment_main(argc, argv, align_all);
}
