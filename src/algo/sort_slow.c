/* The sorts after too many bad pivots: O(n log n), by one worker. Merges need memory for all elements, and access it in
 * order; a heap needs none. */
#include <string.h>

#include "algo/sort.h"
#include "os/os.h"

void bz_swap_bytes(char *a, char *b, size_t bytes) {
    char room[256];
    for (size_t part; bytes > 0; a += part, b += part, bytes -= part) {
        part = bytes < sizeof room ? bytes : sizeof room;
        bz_elem_copy(room, a, part);
        bz_elem_copy(a, b, part);
        bz_elem_copy(b, room, part);
    }
}

/* Moves element i down the heap of n elements to its place. */
static void sift(const blitz_sorter *s, char *base, size_t i, size_t n) {
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        char *below = base + child * s->size;
        if (child + 1 < n && s->less(below, below + s->size, s->ctx))
            child++, below += s->size;
        char *parent = base + i * s->size;
        if (!s->less(parent, below, s->ctx))
            return;
        bz_swap_bytes(parent, below, s->size);
    }
}

void bz_sort_heap(const blitz_sorter *s, char *first, size_t n) {
    for (size_t i = n / 2; i-- > 0;)
        sift(s, first, i, n);
    while (n-- > 1) {
        bz_swap_bytes(first, first + n * s->size, s->size);
        sift(s, first, 0, n);
    }
}

/* Merges the runs of `width` elements in `from` two by two into `to`. */
static void merge_pairs(const blitz_sorter *s, const char *from, char *to, size_t n, size_t width) {
    for (size_t lo = 0; lo < n; lo += 2 * width) {
        size_t a = n - lo < width ? n - lo : width, b = n - lo - a < width ? n - lo - a : width;
        s->merge(s, from + lo * s->size, a, from + (lo + a) * s->size, b, to + lo * s->size);
    }
}

void blitz_sorter_merges(const blitz_sorter *s, void *base, size_t n, void *spare) {
    char *from = base, *to = spare;
    for (size_t lo = 0; lo < n; lo += BLITZ_SORT_FEW_)
        s->few(s, from + lo * s->size, n - lo < BLITZ_SORT_FEW_ ? n - lo : BLITZ_SORT_FEW_);
    for (size_t width = BLITZ_SORT_FEW_; width < n; width *= 2) {
        merge_pairs(s, from, to, n, width);
        char *swap = from;
        from = to, to = swap;
    }
    if (from != base)
        memcpy(base, from, n * s->size);
}

void blitz_sorter_guaranteed(const blitz_sorter *s, void *base, size_t n) {
    void *spare = bz_os_room(n * s->size);
    if (spare)
        blitz_sorter_merges(s, base, n, spare);
    else
        bz_sort_heap(s, base, n);
    bz_os_free(spare, n * s->size);
}
