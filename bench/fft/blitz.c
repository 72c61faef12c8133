/* The Fourier transform, parallel loops over pieces of the butterflies, and a spawn for each first half down to the
 * cut-off. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_LOOP_1(butterflies, piece, struct part, part) {
    fft_butterflies(part, piece * FFT_PIECE, (piece + 1) * FFT_PIECE);
}

BLITZ_VOID_TASK_1(transform, struct part, part) {
    if (part.n <= FFT_LEAF) {
        fft_serial(part);
        return;
    }
    CILK_FOR(butterflies, 0, part.n / 2 / FFT_PIECE, part);
    CILK_SPAWN(first, transform, fft_half(part, 0));
    BLITZ_CALL(transform, fft_half(part, 1));
    CILK_SYNC(first, transform);
}

static uint64_t transform_all(void *fft) {
    transform(fft_whole(fft));
    return 0;
}

int main(int argc, char **argv) {
    return fft_main(argc, argv, transform_all);
}
