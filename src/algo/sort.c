/* A sort: arrays in order already, then parallel quicksort down to the grain, then the sort of one worker. */
#include "algo/sort.h"

#include <string.h>

#include "api/join.h"
#include "base/config.h"
#include "env/error.h"
#include "env/layout.h"
#include "os/os.h"
#include "pool/pool.h"

/* A part that was forked off. */
struct part {
    struct bz_frame frame; /* first */
    const struct bz_sort *sort;
    char *base;
    size_t n;
    const char *low; /* lives as long as the part's forker */
    unsigned limit;
};

static void sort_range(struct bz_worker *self, struct part *range);

static void run_part(struct bz_job *job, struct bz_worker *self) {
    struct part *part = (struct part *)job;
    struct bz_theft theft = bz_frame_begin(&part->frame, self);
    struct part range = *part; /* the frame stays as it is */
    sort_range(self, &range);
    bz_frame_end(&part->frame, theft);
}

static void sort_alone(const struct part *range) {
    const blitz_sorter *s = range->sort->s;
    if (range->sort->spare)
        s->sort_stable(s, range->base, range->n, bz_sort_spare(range->sort, range->base), range->low,
                       range->limit);
    else
        s->sort(s, range->base, range->n, range->low, range->limit);
}

/* Splits a range at the pivot, its first element, or in a stable sort a copy. Returns the size of the front. */
static size_t split(const struct part *range, const char *pivot, int or_equal) {
    const struct bz_sort *sort = range->sort;
    const blitz_sorter *s = sort->s;
    size_t m;
    if (sort->spare) {
        char *spare = bz_sort_spare(sort, range->base);
        m = s->split_stable(s, range->base, range->n, pivot, or_equal, spare);
        memcpy(range->base + m * s->size, spare, (range->n - m) * s->size);
    } else {
        m = s->split(s, range->base + s->size, range->n - 1, pivot, or_equal);
        if (m > 0)
            bz_swap_bytes(range->base, range->base + m * s->size, s->size);
    }
    return m;
}

/* Cuts a range at a pivot into its front and `upper`. Stable sorts keep the pivot in `keep`. True: the front is in order
 * already, and the range is the rest. */
static bool cut(struct part *range, struct part *upper, char *keep) {
    const struct bz_sort *sort = range->sort;
    const blitz_sorter *s = sort->s;
    const char *pivot = blitz_pivot_(range->base, range->n, range->limit, s->size, s->less, s->ctx);
    size_t gap = sort->spare ? 0 : 1; /* the pivot itself, in its place */
    if (gap) {
        if (pivot != range->base)
            bz_swap_bytes(range->base, range->base + (pivot - range->base), s->size);
        pivot = range->base;
    } else {
        pivot = memcpy(keep, pivot, s->size);
    }
    int is_low = range->low && !s->less(range->low, pivot, s->ctx);
    size_t m = split(range, pivot, is_low);
    char *middle = range->base + m * s->size;
    *upper = (struct part){.sort = sort, .limit = range->limit};
    upper->base = middle + gap * s->size;
    upper->n = range->n - m - gap;
    upper->low = is_low ? NULL : gap ? middle : keep;
    if (is_low) {
        *range = *upper;
        return true;
    }
    range->limit = upper->limit -= blitz_bad_split_(m, range->n);
    range->n = m;
    return false;
}

/* Forks the larger part, for thieves, and recurs into the smaller one: at most log2(n) deep. */
static void sort_range(struct bz_worker *self, struct part *range) {
    BZ_ALIGN_LINE char keep[2][BLITZ_SORT_BYTES_]; /* a pivot, and the lower bound if it was one */
    const blitz_sorter *s = range->sort->s;
    while (range->n > BZ_SORT_GRAIN && range->limit > 0) {
        struct part other;
        if (cut(range, &other, keep[0]))
            continue;
        if (range->n > other.n) {
            struct part swap = *range;
            *range = other;
            other = swap;
        }
        other.frame.job.run = run_part;
        bool forked = bz_worker_push(self, &other.frame.job);
        sort_range(self, range);
        if (forked && !bz_frame_claim(self, &other.frame)) {
            bz_frame_take_views(self, &other.frame, false);
            return;
        }
        *range = other;
        if (range->low == keep[0])
            range->low = memcpy(keep[1], keep[0], s->size);
    }
    sort_alone(range);
}

/* ---- arrays in order already ---- */

struct check {
    const struct bz_sort *sort;
    size_t n;
    int backwards;
};

static int check_piece(size_t lo, size_t hi, void *ctx) {
    const struct check *check = ctx;
    const blitz_sorter *s = check->sort->s;
    size_t n = hi - lo + (hi < check->n); /* and whether the next one follows */
    return s->in_order(s, check->sort->base + lo * s->size, n, check->backwards) < n;
}

/* Whether all is in order now. Cheap unless the first elements are. */
static bool finish_if_ordered(const struct bz_sort *sort, size_t n) {
    const blitz_sorter *s = sort->s;
    struct check check = {sort, n, s->less(sort->base + s->size, sort->base, s->ctx) != 0};
    size_t first = n < BZ_SORT_GRAIN ? n : BZ_SORT_GRAIN;
    if (check_piece(0, first, &check) || blitz_for(first, n, BZ_SORT_GRAIN, check_piece, &check))
        return false;
    if (check.backwards)
        s->reverse(s, sort->base, sort->base + (n - 1) * s->size, n / 2);
    return true;
}

/* ---- the whole ---- */

static void run_whole(void *arg) {
    sort_range(bz_self, arg);
}

static void sort_whole(const struct bz_sort *sort, size_t n) {
    struct part whole = {.sort = sort, .base = sort->base, .n = n, .limit = bz_sort_limit(n)};
    if (n <= 2 * BZ_SORT_GRAIN || bz_pool_run(NULL, run_whole, &whole, "blitz_sort", (uintptr_t)run_whole))
        sort_alone(&whole);
}

bool bz_sort_is_missing(const void *base, size_t count) {
    static struct bz_aflag warned;
    bool missing = !base && count > 0;
    if (missing)
        bz_warn_once(&warned, "a sort or merge of a NULL array; skipped");
    return missing;
}

void blitz_sorter_run(const blitz_sorter *s, void *base, size_t n) {
    bz_layout_check("blitz/sort.h", s->layout, BLITZ_SORT_LAYOUT);
    struct bz_sort sort = {s, base, NULL};
    if (!bz_sort_is_missing(base, n) && n > 1 && !finish_if_ordered(&sort, n))
        sort_whole(&sort, n);
}

int blitz_sorter_stable(const blitz_sorter *s, void *base, size_t n) {
    bz_layout_check("blitz/sort.h", s->layout, BLITZ_SORT_LAYOUT);
    struct bz_sort sort = {s, base, NULL};
    if (!base && n > 0)
        return EINVAL;
    if (n < 2 || finish_if_ordered(&sort, n))
        return 0;
    if (n <= BLITZ_SORT_FEW_) {
        s->few(s, base, n);
        return 0;
    }
    sort.spare = bz_os_room(n * s->size);
    if (!sort.spare)
        return ENOMEM;
    sort_whole(&sort, n);
    bz_os_free(sort.spare, n * s->size);
    return 0;
}
