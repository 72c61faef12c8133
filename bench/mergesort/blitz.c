/* Merge sort, a spawn for each first half down to the cut-off. */
#include "workload.h"

#include <blitz/cilk.h>

BLITZ_VOID_TASK_3(sort, uint32_t *, array, uint32_t *, spare, size_t, n) {
    if (n <= SORT_CUTOFF) {
        sort_serial(array, spare, n);
        return;
    }
    size_t half = n / 2;
    CILK_SPAWN(first, sort, array, spare, half);
    BLITZ_CALL(sort, array + half, spare + half, n - half);
    CILK_SYNC(first, sort);
    sort_merge_halves(array, spare, n);
}

static uint64_t sort_all(void *arg) {
    struct sort_data *data = arg;
    sort(data->array, data->spare, data->n);
    return 0;
}

int main(int argc, char **argv) {
    return sort_main(argc, argv, "mergesort.element", sort_all);
}
