/* fft: the Fourier transform of 2^17 complex numbers, Cooley and Tukey's with radix 2, out of place: transforms of the
 * numbers at even and at odd places, which are put together by `half` independent butterflies. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <math.h>
#include <string.h>

#include "harness.h"

/* Cut-offs: points of a transform, butterflies of a piece. */
enum { FFT_POINTS = 1 << 17, FFT_LEAF = 2048, FFT_PIECE = 1024 };

struct point {
    double re, im;
};

/* Roots: exp(-2 pi i k / FFT_POINTS), k below half of them. */
struct fft {
    struct point *input, *output, *roots;
};

/* A transform of n of the input's points, `stride` apart. */
struct part {
    const struct point *in, *roots;
    struct point *out;
    size_t n, stride;
};

static inline struct part fft_whole(const struct fft *fft) {
    struct part part = {fft->input, fft->roots, fft->output, FFT_POINTS, 1};
    return part;
}
static inline struct part fft_half(struct part part, int odd) {
    size_t half = part.n / 2;
    struct part result = {part.in + (odd ? part.stride : 0), part.roots, part.out + (odd ? half : 0), half,
                          part.stride * 2};
    return result;
}

/* Butterflies lo to hi - 1. Not inline, so that it rounds alike wherever it is called. */
__attribute__((noinline, unused)) static void fft_combine(struct part part, size_t lo, size_t hi) {
    struct point *even = part.out, *odd = part.out + part.n / 2;
    for (size_t k = lo; k < hi; k++) {
        struct point root = part.roots[k * part.stride], x = odd[k], y = even[k];
        struct point turned = {x.re * root.re - x.im * root.im, x.re * root.im + x.im * root.re};
        even[k].re = y.re + turned.re, even[k].im = y.im + turned.im;
        odd[k].re = y.re - turned.re, odd[k].im = y.im - turned.im;
    }
}

static inline void fft_serial(struct part part) {
    if (part.n == 1) {
        *part.out = *part.in;
        return;
    }
    fft_serial(fft_half(part, 0));
    fft_serial(fft_half(part, 1));
    fft_combine(part, 0, part.n / 2);
}

static inline uint64_t fft_result(void *arg) {
    const struct point *output = ((const struct fft *)arg)->output;
    uint64_t sum = 0, bits[2];
    for (size_t i = 0; i < FFT_POINTS; i++) {
        memcpy(bits, &output[i], sizeof bits);
        sum += harness_mix(i ^ bits[0]) ^ bits[1];
    }
    return sum;
}

/* That the serial transform is right, at some places, by the definition. */
static inline void fft_check_serial(const struct fft *fft) {
    for (size_t place = 1; place < FFT_POINTS; place = place * 5 + 2) {
        double re = 0, im = 0;
        for (size_t i = 0; i < FFT_POINTS; i++) {
            size_t turn = i * place % FFT_POINTS;
            double sign = turn < FFT_POINTS / 2 ? 1 : -1;
            struct point root = fft->roots[turn % (FFT_POINTS / 2)], x = fft->input[i];
            re += sign * (x.re * root.re - x.im * root.im);
            im += sign * (x.re * root.im + x.im * root.re);
        }
        double error = hypot(re - fft->output[place].re, im - fft->output[place].im);
        harness_check("fft (serial)", !(error < 1e-7), 0);
    }
}

/* Prints fft.point, the time per point. Arguments: MS. */
static inline int fft_main(int argc, char **argv, uint64_t (*transform_all)(void *fft)) {
    struct fft fft;
    harness_begin(argc, argv);
    fft.input = (struct point *)harness_memory(FFT_POINTS * sizeof(struct point));
    fft.output = (struct point *)harness_memory(FFT_POINTS * sizeof(struct point));
    fft.roots = (struct point *)harness_memory(FFT_POINTS / 2 * sizeof(struct point));
    for (size_t i = 0; i < FFT_POINTS; i++) {
        fft.input[i].re = (double)(harness_mix(i) >> 11) * 0x1p-53 - 0.5;
        fft.input[i].im = (double)(harness_mix(~i) >> 11) * 0x1p-53 - 0.5;
    }
    double step = -2 * acos(-1.0) / FFT_POINTS;
    for (size_t i = 0; i < FFT_POINTS / 2; i++)
        fft.roots[i].re = cos(step * (double)i), fft.roots[i].im = sin(step * (double)i);
    fft_serial(fft_whole(&fft));
    fft_check_serial(&fft);
    const struct harness_kernel kernel = {NULL, transform_all, fft_result};
    harness_measure_kernel("fft.point", &kernel, &fft, fft_result(&fft), FFT_POINTS);
    free(fft.input), free(fft.output), free(fft.roots);
    return harness_end();
}

#endif
