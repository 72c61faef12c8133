// Merge sort, a task for each first half down to the cut-off.
#include "harness_tbb.h"
#include "workload.h"

static void sort(uint32_t *array, uint32_t *spare, size_t n) {
    if (n <= SORT_CUTOFF) {
        sort_serial(array, spare, n);
        return;
    }
    size_t half = n / 2;
    tbb::task_group group;
    group.run([=] { sort(array, spare, half); });
    sort(array + half, spare + half, n - half);
    group.wait();
    sort_merge_halves(array, spare, n);
}

static uint64_t sort_all(void *arg) {
    auto *data = static_cast<sort_data *>(arg);
    sort(data->array, data->spare, data->n);
    return 0;
}

int main(int argc, char **argv) {
    harness_threads threads;
    return sort_main(argc, argv, "mergesort.element", sort_all);
}
