/* Meeting points of a team's threads: sync.NAME is the time per round of the team, with nearly empty bodies. Argument:
 * MS. */
#include <omp.h>

#include "harness.h"

enum { TIMES = 500, LOCKS = 8, ADDENDS = 64, SUMS = 500, REDUCTIONS = 20, ROWS = 20, COLUMNS = TIMES / ROWS };

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

/* Locks that are taken in turns, each in a line of its own. */
static struct {
    _Alignas(64) omp_lock_t lock;
    uint64_t count;
} many[LOCKS];

/* Each thread reads an argument of the region: all compilers pass it alike. */
static uint64_t regions(void *arg) {
    uint64_t count = 0;
    int counting = arg ? 1 : 0;
    for (int i = 0; i < TIMES; i++) {
#pragma omp parallel firstprivate(counting)
        if (omp_get_thread_num() == counting)
            count++;
    }
    return count;
}

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

static uint64_t criticals_named(void *arg) {
    (void)arg;
    uint64_t first = 0, second = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        if (i & 1) {
#pragma omp critical(first)
            first++;
        } else {
#pragma omp critical(second)
            second++;
        }
    }
    return first + second;
}

static uint64_t locks_many(void *arg) {
    (void)arg;
    uint64_t count = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        int n = (i + omp_get_thread_num()) % LOCKS;
        omp_set_lock(&many[n].lock);
        many[n].count++;
        omp_unset_lock(&many[n].lock);
    }
    for (int n = 0; n < LOCKS; n++) {
        count += many[n].count;
        many[n].count = 0;
    }
    return count;
}

static uint64_t locks_nested(void *arg) {
    (void)arg;
    uint64_t count = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
        omp_set_nest_lock(&nest_lock);
        omp_set_nest_lock(&nest_lock);
        count++;
        omp_unset_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
    }
    return count;
}

#ifndef __clang__
/* A type that no atomic instruction adds to: the runtime's lock. clang's code calls libatomic, and no runtime: two threads
 * that do so at once take twice as long as one after the other, and whichever runtime starts them late wins. */
static uint64_t atomics(void *arg) {
    (void)arg;
    long double sum = 0;
#    pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#    pragma omp atomic
        sum += 1;
    }
    return (uint64_t)sum;
}
#endif

/* Two variables, which compilers combine under the runtime's lock. */
static uint64_t reductions(void *arg) {
    (void)arg;
    uint64_t all = 0, sum = 0, most = 0;
#pragma omp parallel
    for (int i = 0; i < TIMES; i++) {
#pragma omp for reduction(+ : sum) reduction(max : most)
        for (uint64_t j = 0; j < ADDENDS; j++) {
            sum += j;
            most = j > most ? j : most;
        }
#pragma omp single
        {
            all += sum + most;
            sum = most = 0;
        }
    }
    return all;
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

/* Each thread takes the next iteration. LLVM's runtime divides the loop above into even shares, so the turn changes
 * threads once per thread and not once per iteration. */
static uint64_t ordered_dynamic(void *arg) {
    (void)arg;
    uint64_t last = 0, in_order = 0;
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (uint64_t i = 1; i <= TIMES; i++) {
#pragma omp ordered
        {
            in_order += last + 1 == i;
            last = i;
        }
    }
    return in_order;
}

/* Many variables, which clang has atomic instructions for, one for each. */
static uint64_t reductions_array(void *arg) {
    (void)arg;
    static uint64_t sums[SUMS];
    uint64_t all = 0;
    for (int k = 0; k < REDUCTIONS; k++) {
#pragma omp parallel for reduction(+ : sums[:SUMS]) schedule(static)
        for (int i = 0; i < SUMS; i++)
            sums[i]++;
    }
    for (int i = 0; i < SUMS; i++) {
        all += sums[i];
        sums[i] = 0;
    }
    return all;
}

/* Each iteration waits for the previous one, which another thread runs. The counts go on from run to run. */
static uint64_t doacross(void *arg) {
    (void)arg;
    static uint64_t past[TIMES + 1];
    uint64_t sum = 0, begin = past[0] = past[TIMES];
#pragma omp parallel for ordered(1) schedule(static, 1) reduction(+ : sum)
    for (int i = 1; i <= TIMES; i++) {
#pragma omp ordered depend(sink : i - 1)
        past[i] = past[i - 1] + 1;
#pragma omp ordered depend(source)
        sum += past[i] == begin + (uint64_t)i;
    }
    return sum;
}

/* Each waits for one in another thread's row, which is ahead of its own. */
static uint64_t wavefront(void *arg) {
    (void)arg;
    static uint64_t past[ROWS + 1][COLUMNS + 1];
    uint64_t sum = 0, begin = past[ROWS][COLUMNS];
    for (int i = 0; i <= ROWS; i++)
        past[i][0] = begin + (uint64_t)i;
    for (int j = 0; j <= COLUMNS; j++)
        past[0][j] = begin + (uint64_t)j;
#pragma omp parallel for ordered(2) schedule(static, 1) reduction(+ : sum)
    for (int i = 1; i <= ROWS; i++)
        for (int j = 1; j <= COLUMNS; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            uint64_t above = past[i - 1][j], before = past[i][j - 1];
            past[i][j] = (above < before ? above : before) + 1;
#pragma omp ordered depend(source)
            sum += past[i][j] == begin + (uint64_t)(i + j);
        }
    return sum;
}

int main(int argc, char **argv) {
    harness_begin(argc, argv);
    uint64_t all = (uint64_t)omp_get_max_threads() * TIMES;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    for (int i = 0; i < LOCKS; i++)
        omp_init_lock(&many[i].lock);
    harness_measure("sync.region", regions, NULL, TIMES, TIMES);
    harness_measure("sync.barrier", barriers, NULL, all, TIMES);
    harness_measure("sync.single", singles, NULL, TIMES, TIMES);
    harness_measure("sync.single_nowait", singles_nowait, NULL, TIMES, TIMES);
    harness_measure("sync.critical", criticals, NULL, all, TIMES);
    harness_measure("sync.lock", locks, NULL, all, TIMES);
    harness_measure("sync.critical_named", criticals_named, NULL, all, TIMES);
    harness_measure("sync.locks", locks_many, NULL, all, TIMES);
    harness_measure("sync.nest_lock", locks_nested, NULL, all, TIMES);
#ifndef __clang__
    harness_measure("sync.atomic", atomics, NULL, all, TIMES);
#endif
    harness_measure("sync.reduction", reductions, NULL,
                    TIMES * (uint64_t)(ADDENDS * (ADDENDS - 1) / 2 + ADDENDS - 1), TIMES);
    harness_measure("sync.reduction_array", reductions_array, NULL, REDUCTIONS * SUMS, REDUCTIONS);
    harness_measure("sync.ordered", ordered, NULL, TIMES, TIMES);
    harness_measure("sync.ordered_dynamic", ordered_dynamic, NULL, TIMES, TIMES);
    harness_measure("sync.doacross", doacross, NULL, TIMES, TIMES);
    harness_measure("sync.wavefront", wavefront, NULL, TIMES, TIMES);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest_lock);
    for (int i = 0; i < LOCKS; i++)
        omp_destroy_lock(&many[i].lock);
    return harness_end();
}
