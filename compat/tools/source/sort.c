/* sort.c: see sort.h. */
#include "tools/source/sort.h"

#include <string.h>

struct heap {
    char *first;
    size_t size; /* of an entry */
    bomp_sort_before *comes_before;
};

static char *entry(const struct heap *heap, size_t i) {
    return heap->first + i * heap->size;
}

/* Moves an entry down to its place in a heap of `count`. */
static void sink(const struct heap *heap, size_t at, size_t count) {
    _Alignas(max_align_t) char moved[BOMP_SORT_MOST]; /* comes_before reads it as an entry */
    memcpy(moved, entry(heap, at), heap->size);
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap->comes_before(entry(heap, child), entry(heap, child + 1)))
            child++;
        if (!heap->comes_before(moved, entry(heap, child)))
            break;
        memcpy(entry(heap, at), entry(heap, child), heap->size);
    }
    memcpy(entry(heap, at), moved, heap->size);
}

void bomp_sort(void *list, size_t count, size_t size, bomp_sort_before *comes_before) {
    struct heap heap = {list, size, comes_before};
    char last[BOMP_SORT_MOST];
    for (size_t i = count / 2; i > 0; i--)
        sink(&heap, i - 1, count);
    for (size_t left = count; left > 1; left--) {
        memcpy(last, entry(&heap, left - 1), size);
        memcpy(entry(&heap, left - 1), entry(&heap, 0), size);
        memcpy(entry(&heap, 0), last, size);
        sink(&heap, 0, left - 1);
    }
}

size_t bomp_sort_up_to(const void *list, size_t count, size_t size, uint64_t number) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const uint64_t *entry = (const void *)((const char *)list + middle * size);
        if (*entry <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
