/* Histograms: reductions whose value is an array of bins. */

#include "algo/element.h"
#include "blitz/algo.h"
#include "os/os.h"

struct histogram {
    blitz_bins_fn *add;
    void *ctx;
    size_t bins;
};

static int add_piece(size_t lo, size_t hi, void *value, void *ctx) {
    const struct histogram *histogram = ctx;
    return histogram->add(lo, hi, value, histogram->ctx);
}

static void add_bins(void *left, const void *right, void *ctx) {
    const struct histogram *histogram = ctx;
    uint64_t *to = left;
    const uint64_t *from = right;
    for (size_t b = 0; b < histogram->bins; b++)
        to[b] += from[b];
}

/* Each piece clears and adds up bins of its own, so it has some indices for each bin. There are a few pieces for each
 * worker. */
static size_t grain_of(size_t count, size_t bins) {
    size_t least = 4 * bins;
    if (count <= least)
        return least;
    size_t part = count / 8 / bz_algo_workers();
    return part > least ? part : least;
}

int blitz_histogram(size_t lo, size_t hi, size_t bins, uint64_t *counts, blitz_bins_fn *add, void *ctx) {
    if (!add || !counts || bins == 0)
        return EINVAL;
    if (bins > SIZE_MAX / sizeof *counts / 2)
        return ENOMEM;
    struct histogram histogram = {add, ctx, bins};
    size_t bytes = bins * sizeof *counts;
    void *zeros = bz_os_alloc(bytes);
    if (!zeros)
        return ENOMEM;
    const blitz_reduce_op op = {bytes, zeros, add_piece, add_bins};
    int error = blitz_reduce(lo, hi, grain_of(lo < hi ? hi - lo : 0, bins), &op, &histogram, counts);
    bz_os_free(zeros, bytes);
    return error;
}

/* ---- keys ---- */

struct keys {
    const uint32_t *keys;
    size_t bins;
};

static int add_keys(size_t lo, size_t hi, uint64_t *bins, void *ctx) {
    const struct keys *keys = ctx;
    for (size_t i = lo; i < hi; i++) {
        if (keys->keys[i] >= keys->bins)
            return ERANGE;
        bins[keys->keys[i]]++;
    }
    return 0;
}

int blitz_histogram_u32(const uint32_t *keys, size_t count, size_t bins, uint64_t *counts) {
    struct keys all = {keys, bins};
    return bz_array_is_bad(keys, count, sizeof *keys)
               ? EINVAL
               : blitz_histogram(0, count, bins, counts, add_keys, &all);
}
