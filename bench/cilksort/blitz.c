/* Merge sort by quarters, with parallel merges: the longer array is split at its middle, the other one at the matching
 * place, and both parts are merged at once. */
#include "mergesort/workload.h"

#include <blitz/cilk.h>

enum { MERGE_CUTOFF = 2048 };

/* How many of the n numbers in order are less than x. */
static size_t rank_of(const uint32_t *array, size_t n, uint32_t x) {
    const uint32_t *at = array;
    while (n > 0) {
        size_t half = n / 2;
        if (at[half] < x)
            at += half + 1, n -= half + 1;
        else
            n = half;
    }
    return (size_t)(at - array);
}

BLITZ_VOID_TASK_5(merge, const uint32_t *, a, size_t, n, const uint32_t *, b, size_t, m, uint32_t *, out) {
    if (n + m <= MERGE_CUTOFF) {
        sort_merge(a, n, b, m, out);
        return;
    }
    if (n < m) {
        BLITZ_CALL(merge, b, m, a, n, out);
        return;
    }
    size_t half = n / 2, rank = rank_of(b, m, a[half]);
    CILK_SPAWN(low, merge, a, half, b, rank, out);
    BLITZ_CALL(merge, a + half, n - half, b + rank, m - rank, out + half + rank);
    CILK_SYNC(low, merge);
}

BLITZ_VOID_TASK_3(sort, uint32_t *, array, uint32_t *, spare, size_t, n) {
    if (n <= SORT_CUTOFF) {
        sort_serial(array, spare, n);
        return;
    }
    size_t first = n / 4, second = 2 * first, third = 3 * first;
    CILK_SCOPE {
        CILK_SPAWN(q0, sort, array, spare, first);
        CILK_SPAWN(q1, sort, array + first, spare + first, first);
        CILK_SPAWN(q2, sort, array + second, spare + second, first);
        BLITZ_CALL(sort, array + third, spare + third, n - third);
    }
    CILK_SCOPE {
        CILK_SPAWN(low, merge, array, first, array + first, first, spare);
        BLITZ_CALL(merge, array + second, first, array + third, n - third, spare + second);
    }
    BLITZ_CALL(merge, spare, second, spare + second, n - second, array);
}

static uint64_t sort_all(void *arg) {
    struct sort_data *data = arg;
    sort(data->array, data->spare, data->n);
    return 0;
}

int main(int argc, char **argv) {
    return sort_main(argc, argv, "cilksort.element", sort_all);
}
