/* The sum of elements of some cost, in OpenMP's schedules. */
#include "for/workload.h"

static uint64_t by_static(void *arg) {
    const struct range *range = arg;
    uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (size_t i = 0; i < range->size; i++)
        sum += range_element(range, i);
    return sum;
}

static uint64_t by_dynamic(void *arg) {
    const struct range *range = arg;
    uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
    for (size_t i = 0; i < range->size; i++)
        sum += range_element(range, i);
    return sum;
}

static uint64_t by_guided(void *arg) {
    const struct range *range = arg;
    uint64_t sum = 0;
#pragma omp parallel for schedule(guided) reduction(+ : sum)
    for (size_t i = 0; i < range->size; i++)
        sum += range_element(range, i);
    return sum;
}

int main(int argc, char **argv) {
    static const struct range_way ways[] = {
        {"static", by_static}, {"dynamic", by_dynamic}, {"guided", by_guided}};
    return range_main(argc, argv, "reduce", 0, ways, 3);
}
