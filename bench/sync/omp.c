/* What threads of a team meet at: sync.NAME is the time per round of the team, with next to nothing inside.
 * Argument: MS. */
#include <omp.h>

#include "harness.h"

enum { TIMES = 500 };

static omp_lock_t lock;

static uint64_t barriers(void *arg) {
    (void)arg;
    uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < TIMES; i++) {
        sum++;
#pragma omp barrier
    }
    return sum;
}

static uint64_t singles(void *arg) {
    (void)arg;
    uint64_t count = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#pragma omp single
        count++;
    }
    return count;
}

static uint64_t singles_nowait(void *arg) {
    (void)arg;
    uint64_t count = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#pragma omp single nowait
        {
#pragma omp atomic
            count++;
        }
    }
    return count;
}

static uint64_t criticals(void *arg) {
    (void)arg;
    uint64_t count = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#pragma omp critical
        count++;
    }
    return count;
}

static uint64_t locks(void *arg) {
    (void)arg;
    uint64_t count = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        omp_set_lock(&lock);
        count++;
        omp_unset_lock(&lock);
    }
    return count;
}

static uint64_t ordered(void *arg) {
    (void)arg;
    uint64_t last = 0, in_order = 0;
#pragma omp parallel for ordered schedule(static, 1)
    for (uint64_t i = 1; i <= TIMES; i++) {
#pragma omp ordered
        {
            in_order += last + 1 == i;
            last = i;
        }
    }
    return in_order;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    uint64_t all = (uint64_t)omp_get_max_threads() * TIMES;
    omp_init_lock(&lock);
    harness_measure("sync.barrier", barriers, NULL, all, TIMES);
    harness_measure("sync.single", singles, NULL, TIMES, TIMES);
    harness_measure("sync.single_nowait", singles_nowait, NULL, TIMES, TIMES);
    harness_measure("sync.critical", criticals, NULL, all, TIMES);
    harness_measure("sync.lock", locks, NULL, all, TIMES);
    harness_measure("sync.ordered", ordered, NULL, TIMES, TIMES);
    omp_destroy_lock(&lock);
    return harness_end();
}
