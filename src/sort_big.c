/* Sorts of large elements: pointers to them are sorted, then each element is moved once. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "sort.h"

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

/* Brings each element to the place of the pointer to it, one cycle of the permutation after the other. room: for one. */
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

char **bz_sort_pointers(const blitz_sorter *s, void *base, size_t n, int stable) {
    blitz_sorter by_pointer = BLITZ_SORTER_(pointer, sizeof(char *), s);
    struct big big = {base, s->size, NULL};
    if (n <= SIZE_MAX / 2 / sizeof(char *))
        big.pointers = malloc(n * sizeof(char *) + s->size);
    if (!big.pointers)
        return NULL;
    blitz_for(0, n, BZ_SORT_GRAIN, point, &big);
    if (!stable) {
        blitz_sort1_run(&by_pointer, big.pointers, n);
    } else if (blitz_sort1_stable(&by_pointer, big.pointers, n)) {
        free(big.pointers);
        return NULL;
    }
    return big.pointers;
}

/* Elements are moved by this thread alone. */
int blitz_sort1_big(const blitz_sorter *s, void *base, size_t n, int stable) {
    if (n < 2)
        return 0;
    struct big big = {base, s->size, bz_sort_pointers(s, base, n, stable)};
    if (big.pointers)
        move_all(&big, n, (char *)(big.pointers + n));
    else if (stable)
        return ENOMEM;
    else
        blitz_sort1_heap(s, base, n);
    free(big.pointers);
    return 0;
}
