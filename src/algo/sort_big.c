/* Sorts of large elements: sorts pointers to them, then moves each element once.
 *
 * The moves are a permutation, made of cycles. For all workers to move, marks divide the places, and the elements at
 * marks are put aside. From each mark, a path of moves leads to the first element that was put aside. Each element has
 * one destination, so no place is on two paths. One thread then moves the cycles without a mark: in a random permutation,
 * about as many elements as lie between two marks. */
#include <string.h>

#include "algo/sort.h"
#include "base/config.h"
#include "env/layout.h"
#include "os/os.h"

/* Large elements move between marks: at least this many places apart, some 10 us, and about this many marks at most, so
 * that at most a 64th of the array is set aside. */
enum { PATH = 64, PATHS = 1024 };

BLITZ_SORT_INLINE_ int pointer_less_(const void *a, const void *b, const void *ctx) {
    const blitz_sorter *s = ctx; /* of the elements */
    return s->less(*(char *const *)a, *(char *const *)b, s->ctx);
}
BLITZ_SORTER_FUNCTIONS_(pointer, char *, sizeof(char *))

struct big {
    char *base;
    size_t size;
    char **pointers;
    char *aside; /* the elements of marked places */
    size_t step; /* between two marks, a power of two */
};

static int point(size_t lo, size_t hi, void *ctx) {
    const struct big *big = ctx;
    for (; lo < hi; lo++)
        big->pointers[lo] = big->base + lo * big->size;
    return 0;
}

/* Moves each element to the place of its pointer, cycle after cycle. room: for one. */
static void move_rest(const struct big *big, size_t n, char *room) {
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

static int put_aside(size_t lo, size_t hi, void *ctx) {
    const struct big *big = ctx;
    for (; lo < hi; lo++)
        memcpy(big->aside + lo * big->size, big->base + lo * big->step * big->size, big->size);
    return 0;
}

static void follow_path(const struct big *big, size_t mark) {
    size_t at = mark * big->step;
    for (;;) {
        char *hole = big->base + at * big->size, *next = big->pointers[at];
        big->pointers[at] = hole;
        at = (size_t)(next - big->base) / big->size;
        if (at % big->step == 0) {
            memcpy(hole, big->aside + at / big->step * big->size, big->size);
            return;
        }
        memcpy(hole, next, big->size);
    }
}

static int follow_paths(size_t lo, size_t hi, void *ctx) {
    for (; lo < hi; lo++)
        follow_path(ctx, lo);
    return 0;
}

/* Moves the cycles with marks, by all workers, if there is memory for the marked elements. */
static void move_most(struct big *big, size_t n) {
    for (big->step = PATH; n / big->step > PATHS;)
        big->step *= 2;
    size_t marks = (n + big->step - 1) / big->step;
    if (!(big->aside = bz_alloc(marks * big->size)))
        return;
    blitz_for(0, marks, 0, put_aside, big);
    blitz_for(0, marks, 0, follow_paths, big);
    bz_free(big->aside);
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
    if (big.pointers) {
        if (n >= BZ_SORT_GRAIN)
            move_most(&big, n);
        move_rest(&big, n, (char *)(big.pointers + n));
    } else {
        bz_sort_heap(s, base, n);
    }
    bz_free(big.pointers);
    return 0;
}
