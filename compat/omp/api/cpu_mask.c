/* Sets of CPUs that programs make and give to their threads; see bomp.h. */
#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "omp/bomp.h"
#include "omp/icv/first_mask.h"
#include "runtime.h"

static size_t mask_bytes(void) {
    return bz_cpus_words() * sizeof(uint64_t);
}

void *bomp_cpu_mask_new(void) {
    void *mask = bz_alloc_zero(bz_cpus_words(), sizeof(uint64_t));
    if (!mask)
        bomp_no_memory("a set of CPUs");
    return mask;
}

int bomp_cpu_mask_size(void) {
    long configured = sysconf(_SC_NPROCESSORS_CONF);
    int most = (int)(bz_cpus_words() * BZ_CPUS_WORD_BITS);
    return configured > 0 && configured < most ? (int)configured : most;
}

/* 0, -1 or -2. */
static int check(int cpu) {
    if (cpu < 0 || cpu >= bomp_cpu_mask_size())
        return -1;
    uint64_t *usable = bomp_cpu_mask_new();
    int rc = bomp_first_cpus(usable) == 0 && !bz_cpus_has(usable, (unsigned)cpu) ? -2 : 0;
    bz_free(usable);
    return rc;
}

int bomp_cpu_mask_has(const void *mask, int cpu) {
    int rc = check(cpu);
    return rc != 0 ? rc : bz_cpus_has(mask, (unsigned)cpu);
}

int bomp_cpu_mask_change(void *mask, int cpu, bool in) {
    int rc = check(cpu);
    if (rc == 0 && in)
        bz_cpus_add(mask, (unsigned)cpu);
    else if (rc == 0)
        bz_cpus_remove(mask, (unsigned)cpu);
    return rc;
}

int bomp_cpu_mask_get(void *mask) {
    return bz_cpus_of_thread(mask);
}

int bomp_cpu_mask_set(const void *mask) {
    if (mask)
        return sched_setaffinity(0, mask_bytes(), mask) == 0 ? 0 : errno;
    uint64_t *all = bomp_cpu_mask_new();
    int rc = bomp_first_cpus(all);
    if (rc == 0 && sched_setaffinity(0, mask_bytes(), (const cpu_set_t *)all) != 0)
        rc = errno;
    bz_free(all);
    return rc;
}
