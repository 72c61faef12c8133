// The Fourier transform, parallel loops over pieces of the butterflies, and a task for each first half down to the cut-off.
#include "harness_tbb.h"
#include "workload.h"

static void transform(part whole) {
    if (whole.n <= FFT_LEAF) {
        fft_serial(whole);
        return;
    }
    tbb::parallel_for(size_t{0}, whole.n / 2 / FFT_PIECE, [=](size_t piece) {
        fft_butterflies(whole, piece * FFT_PIECE, (piece + 1) * FFT_PIECE);
    });
    tbb::task_group group;
    group.run([=] { transform(fft_half(whole, 0)); });
    transform(fft_half(whole, 1));
    group.wait();
}

static uint64_t transform_all(void *arg) {
    transform(fft_whole(static_cast<fft *>(arg)));
    return 0;
}

int main(int argc, char **argv) {
    harness_threads threads;
    return fft_main(argc, argv, transform_all);
}
