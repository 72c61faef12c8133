/* The first match, in OpenMP's schedules: each block is searched unless an earlier match is known. */
#include "workload.h"

typedef size_t search(const struct find *find, size_t lo, size_t hi);

static size_t block_of(const struct find *find) {
    return find->size >= 1 << 20 ? 16384 : 64;
}

static inline void search_block(const struct find *find, search *in, size_t lo, size_t *best) {
    size_t hi = lo + block_of(find), known = __atomic_load_n(best, __ATOMIC_RELAXED);
    if (lo >= known)
        return;
    size_t found = in(find, lo, hi);
    while (found < hi && found < known &&
           !__atomic_compare_exchange_n(best, &known, found, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

static inline uint64_t by_dynamic(const struct find *find, search *in) {
    size_t best = find->size;
#pragma omp parallel for schedule(dynamic)
    for (size_t lo = 0; lo < find->size; lo += block_of(find))
        search_block(find, in, lo, &best);
    return best;
}

static inline uint64_t by_static(const struct find *find, search *in) {
    size_t best = find->size;
#pragma omp parallel for schedule(static, 1)
    for (size_t lo = 0; lo < find->size; lo += block_of(find))
        search_block(find, in, lo, &best);
    return best;
}

static uint64_t cheap_by_dynamic(void *arg) {
    return by_dynamic(arg, find_cheap_in);
}

static uint64_t cheap_by_static(void *arg) {
    return by_static(arg, find_cheap_in);
}

static uint64_t costly_by_dynamic(void *arg) {
    return by_dynamic(arg, find_costly_in);
}

static uint64_t costly_by_static(void *arg) {
    return by_static(arg, find_costly_in);
}

int main(int argc, char **argv) {
    static const struct find_way ways[] = {{"dynamic", cheap_by_dynamic, costly_by_dynamic},
                                           {"static", cheap_by_static, costly_by_static}};
    return find_main(argc, argv, ways, 2);
}
