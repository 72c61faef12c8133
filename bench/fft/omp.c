/* The Fourier transform, a task for each piece of the butterflies and for each half, down to the cut-offs. */
#include "workload.h"

static void transform(struct part part) {
    if (part.n <= FFT_LEAF) {
        fft_serial(part);
        return;
    }
    for (size_t lo = 0; lo < part.n / 2; lo += FFT_PIECE) {
#pragma omp task
        fft_butterflies(part, lo, lo + FFT_PIECE);
    }
#pragma omp taskwait
#pragma omp task
    transform(fft_half(part, 0));
#pragma omp task
    transform(fft_half(part, 1));
#pragma omp taskwait
}

static uint64_t transform_all(void *fft) {
#pragma omp parallel
#pragma omp single
    transform(fft_whole(fft));
    return 0;
}

int main(int argc, char **argv) {
    return fft_main(argc, argv, transform_all);
}
