#include <blitz/sort.h>
#include <stdio.h>

struct city {
    int people, number;
};

/* The comparison of a sort of one's own is inlined. */
#define IS_SMALLER(a, b) ((a)->people < (b)->people)
BLITZ_DEFINE_SORT(sort_cities, struct city, IS_SMALLER);

static int by_number(const void *a, const void *b, void *ctx) {
    const struct city *x = a, *y = b;
    (void)ctx;
    return (x->number > y->number) - (x->number < y->number);
}

int main(void) {
    static struct city cities[100000];
    for (int i = 0; i < 100000; i++)
        cities[i] = (struct city){(int)(i * 7919L % 100003), i};
    sort_cities(cities, 100000);
    int smallest = cities[0].number, largest = cities[99999].people;
    if (blitz_stable_sort(cities, 100000, sizeof *cities, by_number, NULL)) /* as qsort_r */
        return 1;
    printf("%d %d %d\n", smallest, largest, cities[1].people);
    return smallest != 0 || largest < 99999 || cities[1].people != 7919;
}
