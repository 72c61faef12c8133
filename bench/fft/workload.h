/* fft: the Fourier transform of 2^17 complex numbers in place, by Gentleman and Sande's butterflies with radix 2: they make
 * of n points two halves, which are then transformed each for itself. The results lie in the order of the reversed bits of
 * their numbers. */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <math.h>
#include <string.h>

#include "harness.h"

/* Cut-offs: points of a transform, butterflies of a piece. */
enum { FFT_BITS = 17, FFT_POINTS = 1 << FFT_BITS, FFT_LEAF = 2048, FFT_PIECE = 1024 };

struct point {
    double re, im;
};

/* Roots: exp(-2 pi i k / n) at n / 2 + k, for each n that is a power of two and each k below n / 2. */
struct fft {
    struct point *input, *points, *roots;
};

/* n points that are to be transformed. */
struct part {
    struct point *at;
    size_t n;
    const struct point *roots;
};

static inline struct part fft_whole(const struct fft *fft) {
    struct part part = {fft->points, FFT_POINTS, fft->roots};
    return part;
}
static inline struct part fft_half(struct part part, int second) {
    size_t half = part.n / 2;
    struct part result = {part.at + (second ? half : 0), half, part.roots};
    return result;
}

/* Butterflies lo to hi - 1. Not inline, so that it rounds alike wherever it is called. */
__attribute__((noinline, unused)) static void fft_butterflies(struct part part, size_t lo, size_t hi) {
    struct point *first = part.at, *second = part.at + part.n / 2;
    const struct point *roots = part.roots + part.n / 2;
    for (size_t k = lo; k < hi; k++) {
        struct point a = first[k], b = second[k], root = roots[k];
        struct point difference = {a.re - b.re, a.im - b.im};
        first[k].re = a.re + b.re, first[k].im = a.im + b.im;
        second[k].re = difference.re * root.re - difference.im * root.im;
        second[k].im = difference.re * root.im + difference.im * root.re;
    }
}

static inline void fft_serial(struct part part) {
    if (part.n == 1)
        return;
    fft_butterflies(part, 0, part.n / 2);
    fft_serial(fft_half(part, 0));
    fft_serial(fft_half(part, 1));
}

static inline void fft_prepare(void *arg) {
    const struct fft *fft = (const struct fft *)arg;
    memcpy(fft->points, fft->input, FFT_POINTS * sizeof(struct point));
}

static inline uint64_t fft_result(void *arg) {
    const struct point *points = ((const struct fft *)arg)->points;
    uint64_t sum = 0, bits[2];
    for (size_t i = 0; i < FFT_POINTS; i++) {
        memcpy(bits, &points[i], sizeof bits);
        sum += harness_mix(i ^ bits[0]) ^ bits[1];
    }
    return sum;
}

/* Checks the serial transform at some places, by the definition. */
static inline void fft_check_serial(const struct fft *fft) {
    const struct point *roots = fft->roots + FFT_POINTS / 2;
    for (size_t place = 1; place < FFT_POINTS; place = place * 5 + 2) {
        size_t reversed = 0;
        for (int bit = 0; bit < FFT_BITS; bit++)
            reversed |= (place >> bit & 1) << (FFT_BITS - 1 - bit);
        double re = 0, im = 0;
        for (size_t i = 0; i < FFT_POINTS; i++) {
            size_t turn = i * place % FFT_POINTS;
            double sign = turn < FFT_POINTS / 2 ? 1 : -1;
            struct point root = roots[turn % (FFT_POINTS / 2)], x = fft->input[i];
            re += sign * (x.re * root.re - x.im * root.im);
            im += sign * (x.re * root.im + x.im * root.re);
        }
        double error = hypot(re - fft->points[reversed].re, im - fft->points[reversed].im);
        harness_check("fft (serial)", !(error < 1e-7), 0);
    }
}

static inline void fft_fill(struct fft *fft) {
    fft->input = (struct point *)harness_memory(FFT_POINTS * sizeof(struct point));
    fft->points = (struct point *)harness_memory(FFT_POINTS * sizeof(struct point));
    fft->roots = (struct point *)harness_memory(FFT_POINTS * sizeof(struct point));
    for (size_t i = 0; i < FFT_POINTS; i++) {
        fft->input[i].re = (double)(harness_mix(i) >> 11) * 0x1p-53 - 0.5;
        fft->input[i].im = (double)(harness_mix(~i) >> 11) * 0x1p-53 - 0.5;
    }
    for (size_t n = 2; n <= FFT_POINTS; n *= 2)
        for (size_t k = 0; k < n / 2; k++) {
            double angle = -2 * acos(-1.0) * (double)k / (double)n;
            fft->roots[n / 2 + k].re = cos(angle), fft->roots[n / 2 + k].im = sin(angle);
        }
}

/* Prints fft.point, the time per point. Arguments: MS. */
static inline int fft_main(int argc, char **argv, uint64_t (*transform_all)(void *fft)) {
    struct fft fft;
    harness_begin(argc, argv);
    fft_fill(&fft);
    fft_prepare(&fft);
    fft_serial(fft_whole(&fft));
    fft_check_serial(&fft);
    const struct harness_kernel kernel = {fft_prepare, transform_all, fft_result};
    harness_measure_kernel("fft.point", &kernel, &fft, fft_result(&fft), FFT_POINTS);
    free(fft.input), free(fft.points), free(fft.roots);
    return harness_end();
}

#endif
