/* Merge sort, a task for each half down to the cut-off: coarse tasks. */
#include "workload.h"

static void sort(uint32_t *array, uint32_t *spare, size_t n) {
    if (n <= SORT_CUTOFF) {
        sort_serial(array, spare, n);
        return;
    }
    size_t half = n / 2;
#pragma omp task
    sort(array, spare, half);
#pragma omp task
    sort(array + half, spare + half, n - half);
#pragma omp taskwait
    sort_merge_halves(array, spare, n);
}

static uint64_t sort_all(void *arg) {
    struct sort_data *data = arg;
#pragma omp parallel
#pragma omp single
    sort(data->array, data->spare, data->n);
    return 0;
}

int main(int argc, char **argv) {
    return sort_main(argc, argv, "mergesort.element", sort_all);
}
