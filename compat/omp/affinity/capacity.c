#include "omp/affinity/capacity.h"

#include "runtime.h"

bool bomp_capacity_matters;

/* Of each CPU that the system is configured for. Written by bomp_capacity_load, constant from then on. */
static uint32_t *capacities;
static unsigned count;

/* Whether two CPUs of which something is known differ. */
static bool differ(void) {
    uint32_t one = 0;
    for (unsigned cpu = 0; cpu < count; cpu++) {
        if (capacities[cpu] != 0 && one != 0 && capacities[cpu] != one)
            return true;
        one = one != 0 ? one : capacities[cpu];
    }
    return false;
}

static void forget(void) {
    bz_free(capacities);
    capacities = NULL;
    count = 0;
}

void bomp_capacity_load(const char *root) {
    forget();
    unsigned cpus = (unsigned)bz_cpus_words() * BZ_CPUS_WORD_BITS;
    capacities = bz_alloc_zero(cpus, sizeof *capacities);
    if (capacities)
        count = cpus;
    for (unsigned cpu = 0; cpu < count; cpu++)
        capacities[cpu] = bz_cpu_capacity_at(root, cpu);
    bomp_capacity_matters = differ();
    if (!bomp_capacity_matters)
        forget();
}

uint32_t bomp_capacity_of_cpu(unsigned cpu) {
    return cpu < count ? capacities[cpu] : 0;
}

uint32_t bomp_capacity_of_set(const uint64_t *set, size_t words) {
    uint64_t sum = 0, cpus = 0;
    for (unsigned cpu = bz_cpus_next(set, words, 0); cpu != UINT_MAX;
         cpu = bz_cpus_next(set, words, cpu + 1)) {
        uint32_t capacity = bomp_capacity_of_cpu(cpu);
        if (capacity == 0)
            return 0;
        sum += capacity;
        cpus++;
    }
    return cpus > 0 ? (uint32_t)(sum / cpus) : 0;
}
