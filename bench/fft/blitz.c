/* The Fourier transform, a spawn for each half down to the cut-off, and parallel loops over pieces of the butterflies. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_LOOP_1(combine, piece, struct part, part) {
    fft_combine(part, piece * FFT_PIECE, (piece + 1) * FFT_PIECE);
}

BLITZ_VOID_TASK_1(transform, struct part, part) {
    if (part.n <= FFT_LEAF) {
        fft_serial(part);
        return;
    }
    BLITZ_SPAWN(even, transform, fft_half(part, 0));
    BLITZ_CALL(transform, fft_half(part, 1));
    BLITZ_SYNC(even, transform);
    BLITZ_FOR(combine, 0, part.n / 2 / FFT_PIECE, part);
}

static uint64_t transform_all(void *fft) {
    transform(fft_whole(fft));
    return 0;
}

int main(int argc, char **argv) {
    return fft_main(argc, argv, transform_all);
}
