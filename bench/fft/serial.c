/* The Fourier transform, recursively. */
#include "workload.h"

static uint64_t transform_all(void *fft) {
    fft_serial(fft_whole(fft));
    return 0;
}

int main(int argc, char **argv) {
    return fft_main(argc, argv, transform_all);
}
