/* Parallel merges: halve the output, find each input's part of a half by binary search, fork one half (Odeh et al., "Merge
 * Path", 2012). */
#include <errno.h>
#include <string.h>

#include "algo/sort.h"
#include "api/join.h"
#include "env/layout.h"
#include "pool/pool.h"

/* A merge of up to this many elements, 15 us, is not divided: finding the cut costs a microsecond of cache misses. */
enum { GRAIN = 8192 };

struct merge {
    struct bz_frame frame; /* first */
    const blitz_sorter *s;
    const char *a, *b;
    size_t a_n, b_n;
    char *out;
};

static void merge_range(struct bz_worker *self, struct merge *range);

static void run_merge(struct bz_job *job, struct bz_worker *self) {
    struct merge *merge = (struct merge *)job;
    struct bz_theft theft = bz_frame_begin(&merge->frame, self);
    struct merge range = *merge;
    merge_range(self, &range);
    bz_frame_end(&merge->frame, theft);
}

/* How many elements of a are among the first k of the output. */
static size_t share_of_a(const struct merge *m, size_t k) {
    size_t lo = k > m->b_n ? k - m->b_n : 0, hi = k < m->a_n ? k : m->a_n, size = m->s->size;
    while (lo < hi) {
        size_t i = lo + (hi - lo) / 2;
        if (m->s->less(m->b + (k - i - 1) * size, m->a + i * size, m->s->ctx))
            hi = i;
        else
            lo = i + 1;
    }
    return lo;
}

static void merge_alone(const struct merge *m) {
    m->s->merge(m->s, m->a, m->a_n, m->b, m->b_n, m->out);
}

static void merge_range(struct bz_worker *self, struct merge *range) {
    size_t n = range->a_n + range->b_n, size = range->s->size;
    if (n <= GRAIN) {
        merge_alone(range);
        return;
    }
    size_t k = n / 2, i = share_of_a(range, k), j = k - i;
    struct merge upper = *range;
    upper.frame.job.run = run_merge;
    upper.a += i * size, upper.b += j * size, upper.out += k * size;
    upper.a_n -= i, upper.b_n -= j;
    bool forked = bz_worker_push(self, &upper.frame.job);
    range->a_n = i, range->b_n = j;
    merge_range(self, range);
    if (!forked || bz_frame_claim(self, &upper.frame))
        merge_range(self, &upper);
    else
        bz_frame_take_views(self, &upper.frame, false);
}

static void run_whole(void *arg) {
    merge_range(bz_self, arg);
}

void blitz_sorter_merge(const blitz_sorter *s, const void *a, size_t a_n, const void *b, size_t b_n,
                        void *out) {
    bz_layout_check("blitz/sort.h", s->layout, BLITZ_SORT_LAYOUT);
    struct merge whole = {.s = s, .a = a, .b = b, .a_n = a_n, .b_n = b_n, .out = out};
    if (bz_sort_is_missing(a, a_n) || bz_sort_is_missing(b, b_n) || bz_sort_is_missing(out, a_n + b_n))
        return;
    if (a_n == 0 || b_n == 0) {
        if (a_n + b_n > 0)
            memcpy(out, a_n ? a : b, (a_n + b_n) * s->size);
        return;
    }
    if (a_n + b_n <= GRAIN || bz_pool_run(NULL, run_whole, &whole, "blitz_merge", (uintptr_t)run_whole))
        merge_alone(&whole);
}

int blitz_merge(const void *a, size_t a_count, const void *b, size_t b_count, void *out, size_t size,
                blitz_compare_fn *compare, void *ctx) {
    if (!compare || bz_array_is_bad(a, a_count, size) || bz_array_is_bad(b, b_count, size) ||
        (!out && (a_count > 0 || b_count > 0)) || a_count > SIZE_MAX / 2 / size - b_count)
        return EINVAL;
    struct bz_compare by = {compare, ctx};
    blitz_sorter s = bz_sorter_by(size, &by);
    blitz_sorter_merge(&s, a, a_count, b, b_count, out);
    return 0;
}
