/* Fork and join: a sort by halves, and a frame that runs alongside the caller's own work. */
#include <blitz.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct span {
    int *values, *spare;
    size_t count;
};

static void merge(const struct span *s, size_t middle) {
    size_t left = 0, right = middle;
    for (size_t i = 0; i < s->count; i++) {
        int take_left = right == s->count || (left < middle && s->values[left] <= s->values[right]);
        s->spare[i] = s->values[take_left ? left++ : right++];
    }
    memcpy(s->values, s->spare, s->count * sizeof *s->values);
}

static int compare(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

static void sort(void *arg) {
    struct span *s = arg;
    if (s->count <= 1000) {
        qsort(s->values, s->count, sizeof *s->values, compare);
        return;
    }
    size_t middle = s->count / 2;
    struct span left = {s->values, s->spare, middle};
    struct span right = {s->values + middle, s->spare + middle, s->count - middle};
    blitz_join(sort, &left, sort, &right);
    merge(s, middle);
}

static void find_largest(void *arg) {
    struct span *s = arg;
    for (size_t i = 0; i < s->count; i++)
        s->spare[0] = s->values[i] > s->spare[0] ? s->values[i] : s->spare[0];
}

int main(void) {
    enum { COUNT = 1000000 };
    int *values = malloc(COUNT * sizeof *values), *spare = malloc(COUNT * sizeof *spare), largest = 0;
    if (!values || !spare)
        return 2;
    unsigned random = 1;
    for (int i = 0; i < COUNT; i++)
        values[i] = (int)((random = random * 1664525 + 1013904223) >> 8);

    /* Finds the largest in a copy while the values are sorted. */
    int *copy = malloc(COUNT * sizeof *copy);
    if (!copy)
        return 2;
    memcpy(copy, values, COUNT * sizeof *copy);
    struct span all = {values, spare, COUNT}, look = {copy, &largest, COUNT};
    blitz_frame frame;
    blitz_fork(&frame, find_largest, &look);
    sort(&all);
    blitz_sync(&frame);

    for (int i = 1; i < COUNT; i++)
        if (values[i - 1] > values[i])
            return printf("not sorted at %d\n", i), 1;
    printf("sorted, the last is %d, the largest %d\n", values[COUNT - 1], largest);
    int wrong = values[COUNT - 1] != largest;
    free(values), free(spare), free(copy);
    return wrong;
}
