/* Sorting: numbers, with the comparison inlined, and records, by a function. */
#include <blitz/sort.h>
#include <stdio.h>
#include <stdlib.h>

/* sort_doubles(base, count), and sort_doubles_stable and sort_doubles_merge. */
#define LESS(a, b) (*(a) < *(b))
BLITZ_DEFINE_SORT(sort_doubles, double, LESS);

struct city {
    const char *name;
    int people;
};

/* As for qsort_r: below, equal to or above 0. */
static int by_people(const void *a, const void *b, void *ctx) {
    const struct city *x = a, *y = b;
    (void)ctx;
    return (x->people > y->people) - (x->people < y->people);
}

int main(void) {
    enum { COUNT = 1000000 };
    struct city cities[] = {{"Bergen", 290000}, {"Oslo", 720000}, {"Molde", 32000}, {"Narvik", 22000}};
    double *values = malloc(COUNT * sizeof *values);
    if (!values)
        return 2;
    for (int i = 0; i < COUNT; i++)
        values[i] = (double)((i * 7919LL) % COUNT);
    sort_doubles(values, COUNT);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        wrong += values[i] != i;
    printf("%d numbers in order, %d wrong\n", COUNT, wrong);
    free(values);

    int error = blitz_stable_sort(cities, 4, sizeof *cities, by_people, NULL);
    for (int i = 0; i < 4; i++)
        printf("%-7s %7d\n", cities[i].name, cities[i].people);
    return error || wrong || cities[0].people != 22000 || cities[3].people != 720000;
}
