#include "omp/state/split.h"

/* count * sum / total, rounded down, without a product of more than 64 bits: the sums have 32. */
static uint64_t share_end(uint64_t count, uint64_t sum, uint64_t total) {
    return count / total * sum + count % total * sum / total;
}

struct bomp_part bomp_split_part(const uint32_t *sums, uint64_t count, unsigned num, unsigned size) {
    return (struct bomp_part){share_end(count, sums[num], sums[size]),
                              share_end(count, sums[num + 1], sums[size])};
}

unsigned bomp_split_owner_of(const uint32_t *sums, uint64_t count, uint64_t index, unsigned size) {
    unsigned first = 0, last = size - 1;
    while (first < last) {
        unsigned middle = first + (last - first) / 2;
        if (index < share_end(count, sums[middle + 1], sums[size]))
            last = middle;
        else
            first = middle + 1;
    }
    return first;
}
