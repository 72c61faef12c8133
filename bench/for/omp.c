/* A loop over elements of some cost, in OpenMP's schedules. */
#include "workload.h"

static uint64_t by_static(void *arg) {
    const struct range *range = arg;
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < range->size; i++)
        range_write(range, i);
    return 0;
}

static uint64_t by_dynamic(void *arg) {
    const struct range *range = arg;
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < range->size; i++)
        range_write(range, i);
    return 0;
}

static uint64_t by_guided(void *arg) {
    const struct range *range = arg;
#pragma omp parallel for schedule(guided)
    for (size_t i = 0; i < range->size; i++)
        range_write(range, i);
    return 0;
}

int main(int argc, char **argv) {
    static const struct range_way ways[] = {
        {"static", by_static}, {"dynamic", by_dynamic}, {"guided", by_guided}};
    return range_main(argc, argv, "for", 1, ways, 3);
}
