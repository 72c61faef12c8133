/* Merge sort as plain functions. */
#include "workload.h"

static uint64_t sort_all(void *arg) {
    struct sort_data *data = arg;
    sort_serial(data->array, data->spare, data->n);
    return 0;
}

int main(int argc, char **argv) {
    return sort_main(argc, argv, "mergesort.element", sort_all);
}
