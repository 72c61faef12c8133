/* Merge sort, a task for each half down to 4096 numbers: coarse tasks. mergesort.element is the time per number,
 * including the copy of the input. Arguments: MS, numbers. */
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
    memcpy(spare, array, n * sizeof *array);
    sort_merge(spare, half, spare + half, n - half, array);
}

static uint64_t region(void *arg) {
    struct sort_data *data = arg;
    memcpy(data->array, data->input, data->n * sizeof *data->array);
#pragma omp parallel
#pragma omp single
    sort(data->array, data->spare, data->n);
    return data->array[data->n / 2];
}

int main(int argc, char **argv) {
    struct sort_data data;
    harness_begin(argc, argv);
    sort_fill(&data, (size_t)harness_number(argc, argv, 2, 1 << 19, 1 << 28));
    uint64_t median = region(&data);
    harness_check("mergesort", sort_proof(data.array, data.n, 1), sort_proof(data.input, data.n, 0));
    harness_measure("mergesort.element", region, &data, median, (double)data.n);
    harness_check("mergesort", sort_proof(data.array, data.n, 1), sort_proof(data.input, data.n, 0));
    free(data.input), free(data.array), free(data.spare);
    return harness_end();
}
