/* Sorting without malloc, unlike qsort, for up to some thousand elements. */
#ifndef BOMP_ORDER_H
#define BOMP_ORDER_H

#include <stddef.h>

static inline void bomp_order_swap(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char c = a[i];
        a[i] = b[i];
        b[i] = c;
    }
}

/* Shell sort; gaps shrink by about 2.2. */
static inline void bomp_order(void *base, size_t count, size_t size,
                              int (*compare)(const void *, const void *)) {
    char *first = base;
    for (size_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (size_t i = gap; i < count; i++)
            for (size_t at = i; at >= gap && compare(first + (at - gap) * size, first + at * size) > 0;
                 at -= gap)
                bomp_order_swap(first + (at - gap) * size, first + at * size, size);
}

#endif
