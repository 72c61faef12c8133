/* Sorts of large elements: sorts pointers to them, then moves each element once. */
#include <string.h>

#include "algo/sort.h"
#include "base/config.h"
#include "env/layout.h"
#include "os/os.h"

BLITZ_SORT_INLINE_ int pointer_less_(const void *a, const void *b, const void *ctx) {
    const blitz_sorter *s = ctx; /* of the elements */
    return s->less(*(char *const *)a, *(char *const *)b, s->ctx);
}
BLITZ_SORTER_FUNCTIONS_(pointer, char *, sizeof(char *))

struct big {
    char *base;
    size_t size;
    char **pointers;
};

static int point(size_t lo, size_t hi, void *ctx) {
    const struct big *big = ctx;
    for (; lo < hi; lo++)
        big->pointers[lo] = big->base + lo * big->size;
    return 0;
}

/* Moves each element to the place of its pointer, cycle after cycle. room: for one. */
static void move_all(const struct big *big, size_t n, char *room) {
    for (size_t i = 0; i < n; i++) {
        char *first = big->base + i * big->size, *hole = first, **pointer = &big->pointers[i];
        if (*pointer == first)
            continue;
        memcpy(room, first, big->size);
        while (*pointer != first) {
            char *next = *pointer;
            memcpy(hole, next, big->size);
            *pointer = hole;
            hole = next;
            pointer = &big->pointers[(size_t)(next - big->base) / big->size];
        }
        memcpy(hole, room, big->size);
        *pointer = hole;
    }
}

/* Sorted pointers to the n elements, with room for one element after them. NULL: no memory. */
static char **sort_pointers(const blitz_sorter *s, void *base, size_t n, int stable) {
    blitz_sorter by_pointer = BLITZ_SORTER_(pointer, sizeof(char *), s);
    struct big big = {.base = base, .size = s->size};
    if (n <= SIZE_MAX / 2 / sizeof(char *))
        big.pointers = bz_alloc(n * sizeof(char *) + s->size);
    if (!big.pointers)
        return NULL;
    blitz_for(0, n, BZ_SORT_GRAIN, point, &big);
    if (!stable) {
        blitz_sorter_run(&by_pointer, big.pointers, n);
    } else if (blitz_sorter_stable(&by_pointer, big.pointers, n)) {
        bz_free(big.pointers);
        return NULL;
    }
    return big.pointers;
}

int blitz_sorter_big(const blitz_sorter *s, void *base, size_t n, int stable) {
    bz_layout_check("blitz/sort.h", s->layout, BLITZ_SORT_LAYOUT);
    if (stable ? !base && n > 0 : bz_sort_is_missing(base, n))
        return EINVAL;
    if (n < 2)
        return 0;
    struct big big = {.base = base, .size = s->size, .pointers = sort_pointers(s, base, n, stable)};
    if (!big.pointers && stable)
        return ENOMEM;
    if (big.pointers)
        move_all(&big, n, (char *)(big.pointers + n));
    else
        bz_sort_heap(s, base, n);
    bz_free(big.pointers);
    return 0;
}
