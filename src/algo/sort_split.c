/* One split by all workers: each splits strips, then the pieces are brought together. Before the boundary of the whole there
 * are as many misplaced elements as after it (Francis and Pannan, "A parallel partition for enhanced parallel quicksort",
 * 1992): an unstable split swaps them, which also divides into equal pieces. A stable split puts both parts of each strip
 * into the spare memory, and copies them to their places, which are then known. */
#include <string.h>

#include "algo/sort.h"

/* Elements of a strip at least, and strips at most. The overhead is a third of a split by one worker. */
enum { STRIP = 4096, STRIPS_MOST = 64 };

/* Misplaced elements: from index `at` on; `before` is how many precede them in the list. */
struct run {
    size_t at, before;
};

struct runs {
    size_t length, total;             /* of the list; of elements */
    struct run runs[STRIPS_MOST + 1]; /* `before` of the one after the last is the total */
};

struct strips {
    const blitz_sorter *s;
    char *base, *spare;
    size_t n, count;
    const char *pivot;
    int or_equal;
    size_t front[STRIPS_MOST];  /* elements in front in each strip; written by the worker that splits it */
    size_t before[STRIPS_MOST]; /* the sum of the strips before it */
    size_t fronts;              /* the sum of all strips */
    struct runs early, late;    /* of an unstable split: fronts after the boundary, and others before it */
};

static size_t start_of(const struct strips *all, size_t strip) {
    return all->n / all->count * strip + (strip < all->n % all->count ? strip : all->n % all->count);
}

static int split_strips(size_t lo, size_t hi, void *ctx) {
    struct strips *all = ctx;
    const blitz_sorter *s = all->s;
    for (; lo < hi; lo++) {
        size_t start = start_of(all, lo), n = start_of(all, lo + 1) - start, at = start * s->size;
        all->front[lo] =
            all->spare ? s->split_stable(s, all->base + at, n, all->pivot, all->or_equal, all->spare + at)
                       : s->split(s, all->base + at, n, all->pivot, all->or_equal);
    }
    return 0;
}

/* ---- unstable ---- */

static void add_run(struct runs *list, size_t from, size_t to) {
    if (from >= to)
        return;
    list->runs[list->length++] = (struct run){from, list->total};
    list->total += to - from;
    list->runs[list->length].before = list->total;
}

static void list_misplaced(struct strips *all) {
    size_t boundary = all->fronts;
    for (size_t i = 0; i < all->count; i++) {
        size_t start = start_of(all, i), middle = start + all->front[i], end = start_of(all, i + 1);
        add_run(&all->early, start > boundary ? start : boundary, middle);
        add_run(&all->late, middle, end < boundary ? end : boundary);
    }
}

/* The element i of the list, and how many follow in its run, itself included. */
static size_t find(const struct runs *list, size_t i, size_t *left) {
    size_t at = 0;
    while (list->runs[at + 1].before <= i)
        at++;
    *left = list->runs[at + 1].before - i;
    return list->runs[at].at + (i - list->runs[at].before);
}

static int swap_misplaced(size_t lo, size_t hi, void *ctx) {
    const struct strips *all = ctx;
    size_t size = all->s->size, e_left, l_left;
    for (size_t n; lo < hi; lo += n) {
        size_t e = find(&all->early, lo, &e_left), l = find(&all->late, lo, &l_left);
        n = hi - lo < e_left ? hi - lo : e_left;
        n = n < l_left ? n : l_left;
        bz_swap_bytes(all->base + e * size, all->base + l * size, n * size);
    }
    return 0;
}

/* ---- stable ---- */

/* The other elements of a strip are in the spare memory already, from its start on. */
static int spare_fronts(size_t lo, size_t hi, void *ctx) {
    const struct strips *all = ctx;
    for (; lo < hi; lo++) {
        size_t start = start_of(all, lo), rest = start_of(all, lo + 1) - start - all->front[lo],
               size = all->s->size;
        memcpy(all->spare + (start + rest) * size, all->base + start * size, all->front[lo] * size);
    }
    return 0;
}

static int place_strips(size_t lo, size_t hi, void *ctx) {
    const struct strips *all = ctx;
    for (; lo < hi; lo++) {
        size_t start = start_of(all, lo), rest = start_of(all, lo + 1) - start - all->front[lo],
               size = all->s->size;
        const char *from = all->spare + start * size;
        memcpy(all->base + (all->fronts + start - all->before[lo]) * size, from, rest * size);
        memcpy(all->base + all->before[lo] * size, from + rest * size, all->front[lo] * size);
    }
    return 0;
}

size_t bz_sort_split_wide(const struct bz_sort *sort, char *base, size_t n, const char *pivot, int or_equal) {
    size_t count = n / STRIP < STRIPS_MOST ? n / STRIP : STRIPS_MOST;
    struct strips all = {
        .s = sort->s, .base = base, .n = n, .count = count, .pivot = pivot, .or_equal = or_equal};
    all.spare = sort->spare ? bz_sort_spare(sort, base) : NULL;
    blitz_for(0, count, 1, split_strips, &all);
    for (size_t i = 0; i < count; i++) {
        all.before[i] = all.fronts;
        all.fronts += all.front[i];
    }
    if (all.spare) {
        blitz_for(0, count, 1, spare_fronts, &all);
        blitz_for(0, count, 1, place_strips, &all);
    } else {
        list_misplaced(&all);
        blitz_for(0, all.early.total, STRIP, swap_misplaced, &all);
    }
    return all.fronts;
}
